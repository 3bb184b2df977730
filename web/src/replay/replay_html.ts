// A replay as one HTML file that needs nothing else, not even a script: the curves are SVG in it.
//
//   H1  The page may load nothing and run nothing: its policy forbids both.
//   H2  Text from the trace is escaped.

import { formatBytes, formatCount } from '../base/format.ts';
import { kReportStyle } from '../report/report_style.ts';
import { footprintCurves, kCurveColours, timeRanges } from './replay_curves.ts';
import { gainSentences, measuredText, operationsText, present, type ReplayTable, tableOf } from './replay_text.ts';
import type { ReplayReport } from './replay_types.ts';

const kStyle = `
:root { ${colours(({ light }) => light)} }
@media (prefers-color-scheme: dark) { :root { ${colours(({ dark }) => dark)} } }
svg { width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: var(--quiet); }
svg .grid { stroke: var(--line); }
`;

export function replayHtml(report: ReplayReport): string {
  const { trace, program, measured, notices } = report;
  const name = trace.title === '' ? trace.name : `${trace.title} · ${trace.name}`;
  const missing = report.allocators.flatMap(({ name: of, absent, failed }) => [
    ...(absent === null ? [] : [`${of} is not built here: ${absent}.`]),
    ...(failed === null ? [] : [`${of} failed: ${failed}.`]),
  ]);
  const body = [
    `<header><p class="kind">Heap replay</p><h1>${escaped(name)}</h1><p>${escaped(measuredText(report))}</p></header>`,
    notices.length === 0
      ? ''
      : `<section class="notices" aria-label="Notices"><h2>Read this first</h2><ul>${items(notices)}</ul></section>`,
    section('The program', [
      paragraph(`${operationsText(report)}.`),
      paragraph(
        `At most ${formatBytes(program.peak_live_bytes)} and ${formatCount(program.peak_live_blocks)} blocks live at once.`,
      ),
    ]),
    section(`In place of ${escaped(measured.compared_with)}`, [
      `<ul>${items(gainSentences(report).map((text) => `${text}`))}</ul>`,
      table('Each allocator', tableOf(report)),
      ...missing.map(paragraph),
    ]),
    section('Memory over time', [
      figure(footprintCurves(report), report),
      paragraph("Footprint: linear memory less the heap's base, grown by just what is asked. It never shrinks."),
    ]),
    measured.rounds === 0
      ? ''
      : section('Time of malloc, free and kin', [
          figure(timeRanges(report), undefined),
          paragraph('Dot: the median of the ratios; line: the range of all rounds. The program itself is not in it.'),
        ]),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>${escaped(name)} · heap replay</title>
<style>${kReportStyle}${kStyle}</style>
</head>
<body>
<main>
${body.filter((part) => part !== '').join('\n')}
</main>
</body>
</html>
`;
}

function colours(of: (colour: { readonly light: string; readonly dark: string }) => string): string {
  return Object.entries(kCurveColours)
    .map(([name, colour]) => `--curve-${name}: ${of(colour)};`)
    .join(' ');
}

const section = (title: string, parts: readonly string[]): string =>
  `<section><h2>${title}</h2>${parts.join('')}</section>`;
const paragraph = (text: string): string => `<p>${escaped(text)}</p>`;
const items = (texts: readonly string[]): string => texts.map((text) => `<li>${escaped(text)}</li>`).join('');

/** With a legend when there is a report. */
function figure(svg: string, report: ReplayReport | undefined): string {
  const names = report === undefined ? [] : ['live', ...present(report).map(({ name }) => name)];
  const rows = names.map((name) => `<li><i style="background: var(--curve-${name})"></i>${escaped(name)}</li>`);
  return `<figure>${rows.length === 0 ? '' : `<ul class="legend">${rows.join('')}</ul>`}${svg}</figure>`;
}

function table(title: string, { columns, rows }: ReplayTable): string {
  const cell = (tag: string, text: string, i: number) =>
    `<${tag}${columns[i]?.endsWith(' |') ? ' class="text"' : ''}>${escaped(text)}</${tag.split(' ')[0]}>`;
  const head = columns.map((name, i) => cell('th scope="col"', name.replace(/ \|$/, ''), i)).join('');
  const lines = rows.map((row) => `<tr>${row.map((text, i) => cell('td', text, i)).join('')}</tr>`).join('');
  return `<div class="table" tabindex="0" role="region" aria-label="${title}"><table><thead><tr>${head}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

const kEscapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (letter) => kEscapes[letter] ?? letter);
