// A document as one HTML file that needs nothing else. Without the script everything but the plots that it draws is there, and each
// of those has its table or its numbers beside it.
//
//   DH1  The page may load nothing: its policy forbids every address. It may run its one script, which the policy names by its hash, and
//        nothing may make code or elements of text (Trusted Types). Without a script it may run nothing. Its icon is in it, because a
//        browser asks the server for one that no page names.
//   DH2  Text is escaped here, and no letter of it turns the direction of others (base/visible.ts); in the JSON "<" is written so that no tag can end it.
//   DH3  A table's words come first: they name the row, and stay in sight while its figures are scrolled. A terminal has them last.

import icon from '../base/icon.svg?raw';
import { visible } from '../base/visible.ts';
import {
  type Block,
  type Bucket,
  type Column,
  type Comparison,
  type Document,
  type Figure,
  type Groups,
  type Histogram,
  type Line,
  type Plot,
  type Section,
  shownRows,
  type Table,
  table,
} from './document.ts';
import { kHtmlStyle } from './html_style.ts';
import { changeWords, written } from './words.ts';

export interface PageScript {
  /** pre: no "</script" in it */
  readonly text: string;
  /** SHA-256 of the text, in base64. */
  readonly hash: string;
  /** What it reads, by the element's id. */
  readonly data: Readonly<Record<string, unknown>>;
}

export function renderHtml(document: Document, script?: PageScript): string {
  const { kind, name, title, sections } = document;
  const scripts =
    script === undefined
      ? []
      : [
          ...Object.entries(script.data).map(
            ([id, value]) =>
              `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`,
          ),
          `<script>${script.text}</script>`,
        ];
  const policy = policyOf(script);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
<title>${escaped(`${title === '' ? name : title} · ${kind.toLowerCase()}`)}</title>
<style>${kHtmlStyle}${lineColours(sections)}</style>
</head>
<body>
<main>
${[headerHtml(document), noticesHtml(document), tilesHtml(document), summaryHtml(document), ...sections.map(sectionHtml)].filter((part) => part !== '').join('\n')}
</main>
${scripts.join('\n')}
</body>
</html>
`;
}

/** DH1 */
function policyOf(script: PageScript | undefined): string {
  const run = script === undefined ? [] : [`script-src 'sha256-${script.hash}'`];
  const forbidden = [
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return [
    "default-src 'none'",
    ...run,
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    ...forbidden,
  ].join('; ');
}

function headerHtml({ kind, name, title, about }: Document): string {
  const facts = about.map(({ value, unit, note }) => `${written(value, unit)}${note === '' ? '' : `, ${note}`}`);
  const line = facts.length === 0 ? '' : `<p>${escaped(facts.join(' · '))}</p>`;
  const heading = title === '' ? name : `${title} · ${name}`;
  return `<header><p class="brand">heapglass</p><p class="kind">${escaped(kind)}</p><h1>${escaped(heading)}</h1>${line}</header>`;
}

const noticesHtml = ({ notices }: Document): string =>
  notices.length === 0
    ? ''
    : `<section class="notices" aria-label="Notices"><h2>Read this first</h2><ul>${items(notices)}</ul></section>`;

const summaryHtml = ({ summary }: Document): string => (summary === '' ? '' : paragraphHtml(summary));

function tilesHtml({ figures }: Document): string {
  const tile = ({ label, value, unit, note }: Figure) =>
    `<div class="tile"><dt>${escaped(label)}</dt><dd><strong>${escaped(written(value, unit))}</strong><span>${escaped(note)}</span></dd></div>`;
  return figures.length === 0 ? '' : `<dl class="tiles">${figures.map(tile).join('')}</dl>`;
}

function sectionHtml({ title, blocks }: Section): string {
  const parts = blocks.map(blockHtml).join('');
  return parts === '' ? '' : `<section><h2>${escaped(title)}</h2>${parts}</section>`;
}

function blockHtml(block: Block): string {
  switch (block.is) {
    case 'paragraph':
      return paragraphHtml(block.text);
    case 'list':
      if (block.items.length === 0) return '';
      return block.ordered ? `<ol>${items(block.items)}</ol>` : `<ul>${items(block.items)}</ul>`;
    case 'table':
      return tableHtml(block);
    case 'switch':
      return `<label class="switch" title="${escaped(block.note)}"><input type="checkbox" id="whole">${escaped(block.label)}</label>`;
    case 'either':
      return eitherHtml(blockHtml(block.short), blockHtml(block.whole));
    case 'pair': {
      const sides = block.tables.map(tableHtml).filter((side) => side !== '');
      return sides.length === 0 ? '' : `<div class="pair">${sides.map((side) => `<div>${side}</div>`).join('')}</div>`;
    }
    case 'comparison':
      return comparisonHtml(block);
    case 'histogram':
      return histogramHtml(block);
    case 'plot':
      return plotHtml(block);
    case 'groups':
      return groupsHtml(block);
    case 'folded':
      return foldedHtml(block.summary, block.blocks.map(blockHtml).join(''));
  }
}

/** The sheet shows one of both: html_style.ts. */
const eitherHtml = (short: string, whole: string): string =>
  short === whole ? short : `<div class="short">${short}</div><div class="whole">${whole}</div>`;

const paragraphHtml = (text: string): string => `<p>${escaped(text)}</p>`;
const items = (texts: readonly string[]): string => texts.map((text) => `<li>${escaped(text)}</li>`).join('');
const restHtml = (text: string): string => (text === '' ? '' : `<p class="rest">${escaped(text)}</p>`);
const foldedHtml = (summary: string, content: string): string =>
  content === '' ? '' : `<details><summary>${escaped(summary)}</summary>${content}</details>`;

const isWords = (column: Column | undefined): boolean => column?.unit === 'words';

/** Words of which a screen may have no room for one line: they wrap. */
const kLong = 24; // letters
const isLong = (rows: Table['rows'], i: number): boolean => rows.some((row) => String(row[i] ?? '').length > kLong);

/** The cells of one that is sortable bring what its rows are sorted by. */
function tableHtml(all: Table): string {
  const { title, label = title, columns, most, isSortable, rest } = all;
  const rows = shownRows(all, most);
  if (rows.length === 0) return '';
  const order = [...columns.keys()].sort((i, j) => Number(isWords(columns[j])) - Number(isWords(columns[i]))); // DH3
  const classes = columns.map((column, i) => (isWords(column) ? ` class="text${isLong(rows, i) ? ' long' : ''}"` : ''));
  const cell = (tag: 'td' | 'th', text: string, i: number, attributes: string) =>
    `<${tag}${classes[i] ?? ''}${attributes}>${escaped(text)}</${tag}>`;
  const head = order.map((i) => cell('th', columns[i]?.name ?? '', i, ' scope="col"')).join('');
  const lines = rows.map((row) => {
    const cells = order.map((i) => {
      const value = row[i] ?? '';
      const sortedBy = isSortable ? ` data-value="${escaped(String(value))}"` : '';
      return cell('td', written(value, columns[i]?.unit ?? 'words'), i, sortedBy);
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  const caption = title === '' ? '' : `<caption>${escaped(title)}</caption>`;
  const content = `<table>${caption}<thead><tr>${head}</tr></thead><tbody>${lines.join('')}</tbody></table>`;
  const named = `class="table${isSortable ? ' sortable' : ''}" tabindex="0" role="region" aria-label="${escaped(label)}"`;
  return `<div ${named}>${content}</div>${restHtml(rest(rows.length))}`;
}

const comparisonHtml = ({ label, changes }: Comparison): string =>
  tableHtml(
    table(
      '',
      changes.map((each) => ({ what: each.what, ...changeWords(each) })),
      [
        ['what', ({ what }) => what],
        ['a', 'before'],
        ['b', 'after'],
        ['change', 'change'],
        ['of a', 'share'],
        ['noise', 'noise'],
      ],
      { label, most: changes.length },
    ),
  );

function histogramHtml({ of, unit, buckets }: Histogram): string {
  const range = ({ from, to }: Bucket) =>
    from === to ? written(from, unit) : `${written(from, unit)} to ${written(to, unit)}`;
  const options = { label: `Histogram: ${of}`, most: buckets.length };
  const content = table(
    '',
    buckets,
    [
      [of, range, unit],
      ['allocations', 'allocations'],
      ['bytes', 'bytes'],
    ],
    options,
  );
  return foldedHtml('Histogram as a table', tableHtml(content));
}

function plotHtml({ name, label, note, svg, legend = [] }: Plot): string {
  const lines = legend.map(
    (line) => `<li><i style="background: var(--curve-${line.name})"></i>${escaped(line.name)}</li>`,
  );
  const listed = lines.length === 0 ? '' : `<ul class="legend">${lines.join('')}</ul>`;
  const figure =
    svg === undefined
      ? `<figure data-plot="${name}" aria-label="${escaped(label)}"></figure>`
      : `<figure>${listed}${svg}</figure>`;
  return `${figure}${note === '' ? '' : paragraphHtml(note)}`;
}

function groupsHtml({ list, rest }: Groups): string {
  const groups = list.map(({ title, blocks }) => `<h3>${escaped(title)}</h3>${blocks.map(blockHtml).join('')}`);
  return groups.join('') + restHtml(rest(list.length));
}

/** Of the lines in pictures that are drawn already. */
function lineColours(sections: readonly Section[]): string {
  const blocks = sections.flatMap((section) => section.blocks);
  const lines = blocks.flatMap((block) => (block.is === 'plot' ? (block.legend ?? []) : []));
  if (lines.length === 0) return '';
  const colours = (of: (line: Line) => string) => lines.map((line) => `--curve-${line.name}: ${of(line)};`).join(' ');
  return `:root { ${colours(({ light }) => light)} }
@media (prefers-color-scheme: dark) { :root { ${colours(({ dark }) => dark)} } }
`;
}

const kEscapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string =>
  visible(text, { lines: true }).replace(/[&<>"]/g, (letter) => kEscapes[letter] ?? letter);
