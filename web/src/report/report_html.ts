// A report as one HTML file that needs nothing else: facts and tables are in the page, the plots are drawn by the
// script of web/src/report_page, which reads the report's JSON from it.
//
//   B1  Without the script everything but the plots is there. Each plot has its table or its numbers beside it.
//   B2  The page may load nothing: its policy forbids every address.
//   B3  Text from the trace is escaped; in the JSON "<" is written so that no tag can end it.

import { formatBytes, formatCount } from '../base/format.ts';
import type { FlameTree } from './flame_tree.ts';
import { details, escaped, htmlPage, pair, paragraph, section, tableOf } from './html_parts.ts';
import { kMostSiteRows } from './limits.ts';
import { fragmentationText, memoryText, proofText, temporaryText } from './report_text.ts';
import type { Bucket, Report } from './report_types.ts';
import { percent, plural, siteValues, tables } from './report_words.ts';

const kRows = 12;
const kMostGrowths = 40;

/** script: the built report_page, as text. flame: of its call sites. */
export function reportHtml(report: Report, script: string, flame: FlameTree = { names: [], nodes: [] }): string {
  const { trace, fragmentation } = report;
  const title = `${trace.title === '' ? trace.name : trace.title} · heap report`;
  const body = [
    header(report),
    notices(report),
    tiles(report),
    section('Memory over time', [
      plot('memory', 'Live bytes, bytes in use with headers, and the footprint of the heaps, by event'),
      marksTable(report),
    ]),
    sites(report),
    section('Sizes asked for', [
      plot('sizes', 'Allocations by requested size, powers of two'),
      details('Histogram as a table', histogram(report.sizes.histogram, 'size', formatBytes)),
      tableOf(tables.frequent(report, kRows)),
    ]),
    section('Lifetimes', [
      plot('lifetimes', 'Freed blocks by the number of allocations made while they lived'),
      details('Histogram as a table', histogram(report.lifetimes.by_allocations, 'allocations meanwhile', formatCount)),
      paragraph(
        `${temporaryText(report)}. ${plural(report.lifetimes.never_freed, 'block was', 'blocks were')} never freed.`,
      ),
    ]),
    section('What still lives', [
      report.leaks.blocks === 0 ? paragraph('Every block was freed.') : '',
      pair(tableOf(tables.leaks(report, kRows)), tableOf(tables.oldest(report, kRows))),
    ]),
    isForeign(report)
      ? ''
      : section('Fragmentation', [
          paragraph(
            `One minus the largest free chunk over all free bytes: 0 % is one piece. ${capital(fragmentationText(report))}` +
              `${fragmentation.worst === 0 ? '.' : ', counted where at least a tenth of the footprint was free.'}`,
          ),
          plot('fragmentation', 'Fragmentation by event'),
        ]),
    section('Growth of memory', [
      report.growths.granted + report.growths.refused === 0 ? paragraph('Linear memory did not grow.') : '',
      tableOf(tables.growth(report, kMostGrowths)),
    ]),
    section('Advice', [
      report.advice.pools.length + report.advice.reserves.length === 0
        ? paragraph('Nothing asks for a pool or a reserve.')
        : '',
      pair(tableOf(tables.pools(report, kRows)), tableOf(tables.reserves(report, kRows))),
    ]),
  ];
  const json = (id: string, value: unknown) =>
    `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;
  return htmlPage(title, body, [
    json('report', report),
    ...(flame.nodes.length > 0 ? [json('flame', flame)] : []),
    `<script>${script.replaceAll('</script', '<\\/script')}</script>`,
  ]);
}

function sites(report: Report): string {
  if (report.sites.count === 0) return '';
  const known = report.totals.allocations - report.sites.unknown.allocations;
  return section('Where blocks come from', [
    paragraph(
      `${plural(known, 'allocation')} of ${formatCount(report.totals.allocations)} came with their call stack.`,
    ),
    plot('flame', 'Flame graph of the call sites; the table below has the largest'),
    tableOf(tables.sites(report, kMostSiteRows), siteValues(report, kMostSiteRows)),
    tableOf(tables.leaking(report, kRows)),
    tableOf(tables.between(report, kRows)),
  ]);
}

/** Its free memory is unknown, and so is all that follows from it. */
const isForeign = ({ trace }: Report): boolean => trace.word_bytes === 0;

function header(report: Report): string {
  const { trace } = report;
  const facts = [
    plural(trace.events, 'event'),
    plural(trace.operations, 'operation'),
    plural(trace.heaps, 'heap'),
    plural(trace.threads, 'thread'),
    isForeign(report) ? 'the heap of another allocator, of which only the blocks are known' : proofText(report),
  ];
  const name = trace.title === '' ? trace.name : `${trace.title} · ${trace.name}`;
  return `<header><p class="kind">Heap report</p><h1>${escaped(name)}</h1><p>${escaped(facts.join(' · '))}</p></header>`;
}

function notices({ notices: all }: Report): string {
  if (all.length === 0) return '';
  return `<section class="notices" aria-label="Notices"><h2>Read this first</h2><ul>${all.map((text) => `<li>${escaped(text)}</li>`).join('')}</ul></section>`;
}

function tiles(report: Report): string {
  const { peak, totals, leaks, fragmentation, growths, temporaries } = report;
  const all: readonly (readonly [string, string, string])[] = [
    [
      'Peak live',
      formatBytes(peak.live.bytes),
      `${plural(peak.live.blocks, 'block')}, event ${formatCount(peak.live.event)}`,
    ],
    isForeign(report)
      ? ['Linear memory', formatBytes(peak.memory.bytes), 'at its largest']
      : ['Peak footprint', formatBytes(peak.footprint.bytes), `linear memory ${memoryText(report)}`],
    [
      'Allocations',
      formatCount(totals.allocations),
      `${formatBytes(totals.allocated_bytes)}, ${plural(totals.reallocations, 'resize')}`,
    ],
    ['Still live', formatCount(leaks.blocks), `${formatBytes(leaks.bytes)} of ${formatBytes(totals.allocated_bytes)}`],
    ['Temporaries', percent(temporaries.share), plural(temporaries.allocations, 'block')],
    ...(isForeign(report)
      ? []
      : [['Fragmentation', percent(fragmentation.worst), `worst; mean ${percent(fragmentation.mean)}`] as const]),
    [
      'Growths',
      formatCount(growths.granted),
      growths.refused === 0 ? 'none refused' : `${formatCount(growths.refused)} refused`,
    ],
    ['Failed calls', formatCount(totals.failed_calls), plural(totals.frees, 'free')],
  ];
  const tile = ([label, value, note]: readonly [string, string, string]) =>
    `<div class="tile"><dt>${label}</dt><dd><strong>${escaped(value)}</strong><span>${escaped(note)}</span></dd></div>`;
  return `<dl class="tiles">${all.map(tile).join('')}</dl>`;
}

/** The script draws into it by its name. */
const plot = (name: string, label: string): string => `<figure data-plot="${name}" aria-label="${label}"></figure>`;

function marksTable({ marks }: Report): string {
  if (marks.list.length === 0) return '';
  const rows = marks.list.map(({ name, event, live_bytes }) => [name, formatCount(event), formatBytes(live_bytes)]);
  const rest = marks.count > rows.length ? `and ${plural(marks.count - rows.length, 'further mark')}` : '';
  return details('Marks', tableOf({ title: 'Marks', columns: ['mark |', 'event', 'live'], rows, rest }));
}

function histogram(buckets: readonly Bucket[], of: string, written: (value: number) => string): string {
  const rows = buckets.map(({ from, to, allocations, bytes }) => [
    from === to ? written(from) : `${written(from)} to ${written(to)}`,
    formatCount(allocations),
    formatBytes(bytes),
  ]);
  return tableOf({ title: '', label: `Histogram: ${of}`, columns: [`${of}`, 'allocations', 'bytes'], rows, rest: '' });
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
