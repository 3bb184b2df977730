// The parts of a page that needs nothing else: its shell, sections and tables. Text is escaped here.

import { kReportStyle } from './report_style.ts';
import type { Table } from './report_words.ts';

/** A whole page. scripts: elements, their text made safe by the caller. It may load nothing. */
export function htmlPage(title: string, body: readonly string[], scripts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${kReportStyle}</style>
</head>
<body>
<main>
${body.filter((part) => part !== '').join('\n')}
</main>
${scripts.join('\n')}
</body>
</html>
`;
}

export function section(title: string, parts: readonly string[]): string {
  return `<section><h2>${title}</h2>${parts.join('')}</section>`;
}

/** Side by side where there is room. */
export const pair = (one: string, other: string): string =>
  `<div class="pair"><div>${one}</div><div>${other}</div></div>`.replaceAll('<div></div>', '');

export const paragraph = (text: string): string => `<p>${escaped(text)}</p>`;

export const details = (summary: string, content: string): string =>
  content === '' ? '' : `<details><summary>${summary}</summary>${content}</details>`;

/** values: what its rows are sorted by, a value a cell; without them it is not sortable. */
export function tableOf(
  { title, label = title, columns, rows, rest }: Table,
  values?: readonly (readonly (number | string)[])[],
): string {
  if (rows.length === 0) return '';
  const isText = columns.map((name) => name.endsWith(' |'));
  const cell = (tag: 'td' | 'th', text: string, i: number, value?: number | string) =>
    `<${tag}${tag === 'th' ? ' scope="col"' : ''}${isText[i] ? ' class="text"' : ''}${value === undefined ? '' : ` data-value="${escaped(String(value))}"`}>${escaped(text)}</${tag}>`;
  const head = columns.map((name, i) => cell('th', name.replace(/ \|$/, ''), i)).join('');
  const line = (row: readonly string[], nth: number) =>
    row.map((text, i) => cell('td', text, i, values?.[nth]?.[i])).join('');
  const lines = rows.map((row, nth) => `<tr>${line(row, nth)}</tr>`).join('');
  const caption = title === '' ? '' : `<caption>${escaped(title)}</caption>`;
  const after = rest === '' ? '' : `<p class="rest">${escaped(rest)}</p>`;
  return `<div class="table${values === undefined ? '' : ' sortable'}" tabindex="0" role="region" aria-label="${escaped(label)}"><table>${caption}<thead><tr>${head}</tr></thead><tbody>${lines}</tbody></table></div>${after}`;
}

const kEscapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => kEscapes[letter] ?? letter);
