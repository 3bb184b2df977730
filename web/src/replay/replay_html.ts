// A replay as one HTML file that needs nothing else, not even a script: the curves are SVG in it.
//
//   H1  The page may load nothing and run nothing: its policy forbids both.
//   H2  Text from the trace is escaped.

import { formatBytes, formatCount } from '../base/format.ts';
import { escaped, htmlPage, tableOf as htmlTable, paragraph, section } from '../report/html_parts.ts';
import { footprintCurves, kCurveColours, timeRanges } from './replay_curves.ts';
import { gainSentences, measuredText, operationsText, present, tableOf, triedText } from './replay_text.ts';
import type { AdviceFacts, ReplayReport } from './replay_types.ts';

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
      htmlTable(tableOf(report)),
      ...missing.map(paragraph),
    ]),
    report.advice === null ? '' : section('Advice, each replayed', adviceParts(report.advice)),
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
  return htmlPage(`${name} · heap replay`, body, [`<style>${kStyle}</style>`]);
}

function colours(of: (colour: { readonly light: string; readonly dark: string }) => string): string {
  return Object.entries(kCurveColours)
    .map(([name, colour]) => `--curve-${name}: ${of(colour)};`)
    .join(' ');
}

function adviceParts({ list, without_gain }: AdviceFacts): readonly string[] {
  return [
    list.length === 0 ? paragraph('None.') : `<ol>${items(list.map(({ sentence }) => `${sentence}.`))}</ol>`,
    without_gain === 0 ? '' : paragraph(triedText(without_gain)),
  ];
}

const items = (texts: readonly string[]): string => texts.map((text) => `<li>${escaped(text)}</li>`).join('');

/** With a legend when there is a report. */
function figure(svg: string, report: ReplayReport | undefined): string {
  const names = report === undefined ? [] : ['live', ...present(report).map(({ name }) => name)];
  const rows = names.map((name) => `<li><i style="background: var(--curve-${name})"></i>${escaped(name)}</li>`);
  return `<figure>${rows.length === 0 ? '' : `<ul class="legend">${rows.join('')}</ul>`}${svg}</figure>`;
}
