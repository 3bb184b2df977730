// A report as plain text of at most 96 columns, for a terminal or a log; names of call sites may be longer.

import { formatBytes, formatCount } from '../base/format.ts';
import type { Bucket, Report } from './report_types.ts';
import { percent, plural, type Table, tables } from './report_words.ts';

const kRows = 10;
const kColumns = 96;
const kLabel = 24; // of a fact
const kBar = 30; // of a histogram

export function reportText(report: Report): string {
  const { trace, totals, peak, end } = report;
  const isForeign = trace.word_bytes === 0;
  const lines: string[] = [];
  const fact = (label: string, text: string) => lines.push(`  ${label.padEnd(kLabel)}${text}`);
  const at = (event: number, operation: number) =>
    `at event ${formatCount(event)}, operation ${formatCount(operation)}`;
  lines.push(`heapglass report: ${trace.name}${trace.title === '' ? '' : ` (${trace.title})`}`, '');
  for (const notice of report.notices) lines.push(...wrapped(`! ${notice}`, kColumns));
  if (report.notices.length > 0) lines.push('');
  fact('trace', `${plural(trace.events, 'event')}, ${plural(trace.operations, 'operation')}`);
  fact('proof', proofText(report));
  fact('heaps, threads', `${formatCount(trace.heaps)}, ${formatCount(trace.threads)}`);
  fact(
    'peak of live bytes',
    `${formatBytes(peak.live.bytes)} in ${plural(peak.live.blocks, 'block')}, ${at(peak.live.event, peak.live.operation)}`,
  );
  if (!isForeign) {
    fact('  with headers', `${formatBytes(peak.in_use.bytes)}, ${at(peak.in_use.event, peak.in_use.operation)}`);
    fact(
      'peak of the heaps',
      `${formatBytes(peak.footprint.bytes)}, ${at(peak.footprint.event, peak.footprint.operation)}`,
    );
  }
  fact('peak of linear memory', `${memoryText(report)}, ${at(peak.memory.event, peak.memory.operation)}`);
  fact('allocations', `${formatCount(totals.allocations)}, ${formatBytes(totals.allocated_bytes)}`);
  fact('frees', `${formatCount(totals.frees)}, ${formatBytes(totals.freed_bytes)}`);
  fact(
    'reallocations',
    `${formatCount(totals.reallocations)}, ${formatCount(totals.moved_reallocations)} of them moved ${formatBytes(totals.moved_bytes)}`,
  );
  if (totals.failed_calls > 0) fact('failed calls', formatCount(totals.failed_calls));
  fact('temporaries', temporaryText(report));
  fact('live at the end', `${plural(end.live_blocks, 'block')}, ${formatBytes(end.live_bytes)}`);
  if (!isForeign) {
    fact(
      'free at the end',
      `${formatBytes(end.free_bytes)}, the largest chunk ${formatBytes(end.largest_free_bytes)}; cached ${formatBytes(end.cached_bytes)}`,
    );
    fact('fragmentation', fragmentationText(report));
  }
  addTable(lines, tables.sites(report, kRows));
  addTable(lines, tables.leaking(report, kRows));
  addTable(lines, tables.between(report, kRows));
  addHistogram(lines, 'Sizes asked for', report.sizes.histogram, formatBytes);
  addTable(lines, tables.frequent(report, kRows));
  addHistogram(lines, 'Lifetimes, in allocations made meanwhile', report.lifetimes.by_allocations, formatCount);
  addTable(lines, tables.leaks(report, kRows));
  addTable(lines, tables.oldest(report, kRows));
  addTable(lines, tables.growth(report, kRows));
  addTable(lines, tables.pools(report, kRows));
  addTable(lines, tables.reserves(report, kRows));
  // A terminal may not have the thin space.
  return `${lines.join('\n').replaceAll('\u2009', ' ')}\n`;
}

export function proofText({ trace: { proof, word_bytes } }: Report): string {
  if (word_bytes === 0) return 'none: of a foreign heap only the blocks are known';
  if (proof === null) return 'no checkpoint';
  return `${proof.equal ? 'equal to' : 'NOT equal to'} the heap's walk at event ${formatCount(proof.event)}`;
}

/** Only growth says how large memory is: without any, all that is known is that the heaps fit into it. */
export function memoryText({ trace, peak, growths }: Report): string {
  const isKnown = trace.word_bytes === 0 || growths.granted + growths.refused > 0;
  return isKnown
    ? formatBytes(peak.memory.bytes)
    : `at least ${formatBytes(peak.memory.bytes)}, no growth was recorded`;
}

export function temporaryText({ temporaries }: Report): string {
  const { within_allocations: within, allocations, share } = temporaries;
  const when = within === 1 ? 'the next allocation' : `${formatCount(within)} further allocations`;
  return `${formatCount(allocations)} (${percent(share)} of all) were freed before ${when}`;
}

export function fragmentationText({ fragmentation }: Report): string {
  const { worst, worst_event, mean, end } = fragmentation;
  return `worst ${percent(worst)} at event ${formatCount(worst_event)}, mean ${percent(mean)}, at the end ${percent(end)}`;
}

function addTable(lines: string[], { title, columns, rows, rest }: Table): void {
  if (rows.length === 0) return;
  const isText = columns.map((name) => name.endsWith(' |'));
  const head = columns.map((name) => name.replace(/ \|$/, ''));
  const width = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, i) => (isText[i] ? cell.padEnd(width[i] ?? 0) : cell.padStart(width[i] ?? 0))).join('  ')}`.trimEnd();
  lines.push('', title, line(head), ...rows.map(line));
  if (rest !== '') lines.push(`  ${rest}`);
}

function addHistogram(
  lines: string[],
  title: string,
  buckets: readonly Bucket[],
  written: (value: number) => string,
): void {
  if (buckets.length === 0) return;
  const most = Math.max(...buckets.map(({ allocations }) => allocations));
  lines.push('', title);
  for (const { from, to, allocations, bytes } of buckets) {
    const range = from === to ? written(from) : `${written(from)} to ${written(to + 1)}`;
    const bar = '#'.repeat(Math.ceil((allocations / most) * kBar));
    lines.push(
      `  ${range.padStart(kLabel - 2)}  ${bar.padEnd(kBar)} ${formatCount(allocations).padStart(13)}  ${formatBytes(bytes).padStart(9)}`,
    );
  }
}

function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > columns) {
      lines.push(line);
      line = ` ${word}`;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
