// A replay as plain text for a terminal: a table, and for each allocator what the program would gain and what that costs.

import { formatBytes, formatCount } from '../base/format.ts';
import { plural, type Table } from '../report/report_words.ts';
import type { AllocatorFacts, AllocatorName, ReplayReport } from './replay_types.ts';

const kLabel = 24;
const kNearlyEqual = 0.01;

export function replayText(report: ReplayReport): string {
  const { trace, program, measured } = report;
  const lines = [`heapglass replay: ${trace.name}${trace.title === '' ? '' : ` (${trace.title})`}`, ''];
  const fact = (label: string, text: string) => lines.push(`  ${label.padEnd(kLabel)}${text}`);
  for (const notice of report.notices) lines.push(`! ${notice}`);
  if (report.notices.length > 0) lines.push('');
  fact('operations', operationsText(report));
  fact(
    'peak of live bytes',
    `${formatBytes(program.peak_live_bytes)}, most blocks ${formatCount(program.peak_live_blocks)}`,
  );
  fact('measured', measuredText(report));
  lines.push('', ...tableLines(tableOf(report)), '');
  lines.push(...gainSentences(report).map((sentence) => `  ${sentence}`));
  for (const { name, absent, failed } of report.allocators) {
    if (absent !== null) lines.push(`  ${name} is not built here: ${absent}.`);
    if (failed !== null) lines.push(`  ${name} failed: ${failed}.`);
  }
  lines.push(...adviceLines(report));
  lines.push('');
  if (measured.rounds > 0) lines.push('  time: malloc, free and kin alone, without the program.');
  lines.push("  footprint: linear memory less the heap's base, grown by just what is asked.");
  return `${lines.join('\n').replaceAll('\u2009', ' ')}\n`;
}

/** Nothing when no advice was asked for. */
export function adviceLines({ advice }: ReplayReport): readonly string[] {
  if (advice === null) return [];
  const { list, without_gain } = advice;
  const tried = triedText(without_gain);
  if (list.length === 0) return ['', `  Advice: none. ${tried}`.trimEnd()];
  const lines = list.map(({ sentence }, nth) => `  ${nth + 1}. ${sentence}.`);
  return ['', '  Advice, each replayed:', ...lines, ...(tried === '' ? [] : [`  ${tried}`])];
}

/** '' when there is none. */
export const triedText = (withoutGain: number): string =>
  withoutGain === 0
    ? ''
    : `${formatCount(withoutGain)} more ${withoutGain === 1 ? 'was' : 'were'} tried and showed no gain.`;

export function operationsText({ program }: ReplayReport): string {
  const { operations, mallocs, aligned, reallocs, frees } = program;
  const parts = [
    `${formatCount(mallocs)} malloc`,
    ...(aligned > 0 ? [`${formatCount(aligned)} aligned`] : []),
    `${formatCount(reallocs)} realloc`,
    `${formatCount(frees)} free`,
  ];
  return `${formatCount(operations)}: ${parts.join(', ')}`;
}

export function measuredText({ measured }: ReplayReport): string {
  const { compiler, engine, rounds, repeats, compared_with } = measured;
  const times =
    rounds === 0
      ? 'no times'
      : `median of ${plural(rounds, 'interleaved round')}${repeats > 1 ? ` of ${formatCount(repeats)} times each` : ''}`;
  return `${engine}, modules by ${compiler}; ${times}; compared with ${compared_with}`;
}

export function tableOf(report: ReplayReport): Table {
  const timed = report.measured.rounds > 0;
  return {
    title: '',
    label: 'Each allocator',
    rest: '',
    columns: [
      'allocator |',
      ...(timed ? ['time, ms', 'ratio', 'range'] : []),
      'peak footprint',
      'ratio',
      'growths',
      'unused at peak',
      'mean',
      'code',
    ],
    rows: present(report).map((facts) => [
      facts.name,
      ...(timed ? timeCells(facts) : []),
      formatBytes(facts.peak_footprint_bytes),
      ratioText(facts.peak_footprint_ratio),
      formatCount(facts.growths),
      percent(facts.unused_share.at_peak),
      percent(facts.unused_share.mean),
      formatBytes(facts.code_bytes),
    ]),
  };
}

function timeCells({ time }: AllocatorFacts): readonly string[] {
  if (time === null) return ['', '', ''];
  return [
    time.ms.toFixed(time.ms < 10 ? 2 : 1),
    ratioText(time.ratio),
    `${ratioText(time.least_ratio)} to ${ratioText(time.most_ratio)}`,
  ];
}

/** What the program would gain with each allocator in place of the one it is compared with, and what it would cost. */
export function gainSentences(report: ReplayReport): readonly string[] {
  const from = report.measured.compared_with;
  const reference = present(report).find(({ name }) => name === from);
  if (reference === undefined) return [];
  return present(report)
    .filter(({ name }) => name !== from)
    .map((facts) => `${facts.name} in place of ${from}: ${gainOf(facts, reference)}.`);
}

function gainOf(facts: AllocatorFacts, reference: AllocatorFacts): string {
  const parts = [
    ...(facts.time === null ? [] : [`${change(facts.time.ratio)} time in malloc and free`]),
    `${change(facts.peak_footprint_ratio)} memory at the peak (${difference(facts.peak_footprint_bytes - reference.peak_footprint_bytes)})`,
    `${plural(facts.growths, 'growth')} instead of ${formatCount(reference.growths)}`,
    `${difference(facts.code_bytes - reference.code_bytes)} of code`,
  ];
  return parts.join(', ');
}

function change(ratio: number): string {
  const by = Math.abs(ratio - 1);
  if (by < kNearlyEqual) return 'the same';
  return `${percent(by)} ${ratio < 1 ? 'less' : 'more'}`;
}

const difference = (bytes: number): string =>
  bytes === 0 ? 'no change' : `${bytes > 0 ? '+' : '-'}${formatBytes(Math.abs(bytes))}`;
const ratioText = (ratio: number): string => ratio.toFixed(2);
const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`;
export const present = ({ allocators }: ReplayReport): readonly AllocatorFacts[] =>
  allocators.filter(({ absent, failed }) => absent === null && failed === null);

function tableLines({ columns, rows }: Table): readonly string[] {
  const isText = columns.map((name) => name.endsWith(' |'));
  const head = columns.map((name) => name.replace(/ \|$/, ''));
  const width = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, i) => (isText[i] ? cell.padEnd(width[i] ?? 0) : cell.padStart(width[i] ?? 0))).join('  ')}`.trimEnd();
  return [line(head), ...rows.map(line)];
}

/** The names given as `fast,dlmalloc`; a sentence when one is none. */
export function parseAllocators(text: string, known: readonly AllocatorName[]): readonly AllocatorName[] | string {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !known.some((one) => one === name));
  if (wrong !== undefined) return `there is no allocator "${wrong}" to replay on; there are ${known.join(', ')}`;
  return known.filter((name) => names.includes(name));
}
