// A replay in words: what was played, a table of the allocators, and for each what the program would gain and what that costs.

import { formatBytes, formatCount } from '../base/format.ts';
import {
  type Block,
  type ColumnOf,
  type Document,
  figures,
  list,
  paragraph,
  section,
  type Table,
  table,
} from '../document/document.ts';
import { percent, plural, written } from '../document/words.ts';
import { footprintCurves, timeRanges } from './replay_curves.ts';
import { type AdviceFacts, type AllocatorFacts, presentOf, type ReplayReport } from './replay_types.ts';

const { bytes, count, words } = figures;
const kNearlyEqual = 0.01;

export function replayDocument(report: ReplayReport): Document {
  const { trace, program, notices, allocators, measured, advice } = report;
  const missing = allocators.flatMap(({ name, absent, failed }) => [
    ...(absent === null ? [] : [`${name} is not built here: ${absent}.`]),
    ...(failed === null ? [] : [`${name} failed: ${failed}.`]),
  ]);
  return {
    command: 'replay',
    kind: 'Heap replay',
    name: trace.name,
    title: trace.title,
    notices,
    about: [words('measured', measuredText(report))],
    figures: [
      count('operations', program.operations, `of them ${callsText(report)}`),
      bytes('peak of live bytes', program.peak_live_bytes, `most blocks ${formatCount(program.peak_live_blocks)}`),
    ],
    summary: '',
    sections: [
      section(
        `In place of ${measured.compared_with}`,
        allocatorTable(report),
        list(gainSentences(report)),
        list(missing),
      ),
      section('Advice, each replayed', ...(advice === null ? [] : adviceBlocks(advice))),
      section(
        'Memory over time',
        footprintCurves(report),
        paragraph("Footprint: linear memory less the heap's base, grown by just what is asked. It never shrinks."),
      ),
      section('Time of malloc, free and kin', ...(measured.rounds === 0 ? [] : timeBlocks(report))),
    ],
    data: report,
  };
}

const timeBlocks = (report: ReplayReport): Block[] => [
  timeRanges(report),
  paragraph('Time on the processor, in malloc, free and kin alone, without the program.'),
];

function adviceBlocks({ list: given, without_gain }: AdviceFacts): Block[] {
  const tried = `${formatCount(without_gain)} more ${without_gain === 1 ? 'was' : 'were'} tried and showed no gain.`;
  return [
    given.length === 0
      ? paragraph('None.')
      : list(
          given.map(({ sentence }) => `${sentence}.`),
          true,
        ),
    ...(without_gain === 0 ? [] : [paragraph(tried)]),
  ];
}

function callsText({ program: { mallocs, aligned, reallocs, frees } }: ReplayReport): string {
  const parts = [
    `${formatCount(mallocs)} malloc`,
    ...(aligned > 0 ? [`${formatCount(aligned)} aligned`] : []),
    `${formatCount(reallocs)} realloc`,
    `${formatCount(frees)} free`,
  ];
  return parts.join(', ');
}

function measuredText({ measured }: ReplayReport): string {
  const { compiler, engine, rounds, repeats, compared_with } = measured;
  const times =
    rounds === 0
      ? 'no times'
      : `median of ${plural(rounds, 'interleaved round')}${repeats > 1 ? ` of ${formatCount(repeats)} times each` : ''}`;
  return `${engine}, modules by ${compiler}; ${times}; compared with ${compared_with}`;
}

function allocatorTable(report: ReplayReport): Table {
  const ratio = (value: number) => written(value, 'ratio');
  const times: readonly ColumnOf<AllocatorFacts>[] = [
    ['time, ms', ({ time }) => time?.ms ?? '', 'ms'],
    ['ratio', ({ time }) => time?.ratio ?? '', 'ratio'],
    ['range', ({ time }) => (time === null ? '' : `${ratio(time.least_ratio)} to ${ratio(time.most_ratio)}`), 'ratio'],
  ];
  return table(
    '',
    presentOf(report),
    [
      ['allocator', ({ name }) => name],
      ...(report.measured.rounds > 0 ? times : []),
      ['peak footprint', 'peak_footprint_bytes'],
      ['ratio', 'peak_footprint_ratio'],
      ['growths', 'growths'],
      ['unused at peak', ({ unused_share }) => unused_share.at_peak, 'share'],
      ['mean', ({ unused_share }) => unused_share.mean, 'share'],
      ['code', 'code_bytes'],
    ],
    { label: 'Each allocator' },
  );
}

/** What the program would gain with each allocator in place of the one it is compared with, and what it would cost. */
export function gainSentences(report: ReplayReport): readonly string[] {
  const from = report.measured.compared_with;
  const reference = presentOf(report).find(({ name }) => name === from);
  if (reference === undefined) return [];
  return presentOf(report)
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
