// Which profile is advised (measured_advice.ts, W4), from tables of figures; what the advice becomes in the report; and what cannot
// be followed.

import { expect, test } from 'vitest';
import { renderText } from '../../web/src/document/render_text.ts';
import { measuredAdvice } from '../../web/src/replay/measured_advice.ts';
import { OperationKind, OperationList } from '../../web/src/replay/operation_list.ts';
import { replayDocument } from '../../web/src/replay/replay_document.ts';
import type { AdviceFacts, AllocatorFacts, AllocatorName, ReplayReport } from '../../web/src/replay/replay_types.ts';

const kPeak = 10 << 20;

/** An allocator as heavy as any other, but for what is given. */
function facts(name: AllocatorName, given: Partial<AllocatorFacts> = {}): AllocatorFacts {
  return {
    name,
    what: name,
    absent: null,
    failed: null,
    code_bytes: 10_000,
    time: null,
    peak_footprint_bytes: kPeak,
    peak_footprint_ratio: 1,
    peak_asked_bytes: kPeak,
    growths: 1,
    unused_share: { at_peak: 0, end: 0, mean: 0 },
    footprint_bytes: [],
    ...given,
  };
}
const timed = (least_ratio: number, ratio: number, most_ratio: number) => ({
  time: { ms: 1, least_ms: 1, most_ms: 1, ratio, least_ratio, most_ratio },
});

async function adviceOf(words: Uint32Array, ...allocators: AllocatorFacts[]): Promise<AdviceFacts> {
  const operations = { words, sites: new Uint32Array(words.length / 2), events: new Uint32Array(0), notices: [] };
  const options = { rounds: 0, poolCodeBytes: 1000, stackOf: () => [] };
  return measuredAdvice(operations, allocators, 'dlmalloc', options);
}
const oneCall = Uint32Array.of(OperationKind.malloc, 100);
const isAdvised = async (given: Partial<AllocatorFacts>, name: AllocatorName = 'fast') =>
  (await adviceOf(oneCall, facts('dlmalloc'), facts(name, given))).list
    .map((advice) => advice.allocator)
    .includes(name);

test('a profile is advised that is faster in every round, smaller in code at hardly more time, or needs less memory', async () => {
  expect(await isAdvised({})).toBe(false);
  expect(await isAdvised(timed(0.9, 0.95, 0.99))).toBe(true);
  expect(await isAdvised(timed(0.9, 0.95, 1.01)), 'not in every round').toBe(false);
  expect(await isAdvised(timed(0.98, 0.99, 0.99)), 'by too little').toBe(false);
  expect(await isAdvised({ ...timed(0.9, 0.95, 0.99), peak_footprint_bytes: kPeak * 1.05 }), 'for memory').toBe(false);
  expect(await isAdvised({ code_bytes: 8000 })).toBe(true);
  expect(await isAdvised({ code_bytes: 9500 }), 'by too little').toBe(false);
  expect(await isAdvised({ code_bytes: 8000, ...timed(1.1, 1.2, 1.3) }), 'for time').toBe(false);
  expect(await isAdvised({ code_bytes: 8000, peak_footprint_bytes: kPeak * 1.05 }), 'for memory').toBe(false);
  expect(await isAdvised({ peak_footprint_bytes: kPeak * 0.9 })).toBe(true);
  expect(await isAdvised({ peak_footprint_bytes: kPeak * 0.9 }, 'small')).toBe(true);
});

test('the times of advice are ratios with four digits behind the point', async () => {
  const faster = facts('fast', timed(0.912_345, 0.923_456, 0.934_567));
  const [advice] = (await adviceOf(oneCall, facts('dlmalloc'), faster)).list;
  expect(advice?.time).toEqual({ least_ratio: 0.9123, ratio: 0.9235, most_ratio: 0.9346 });
  expect(advice?.sentence).toContain(': 0.92 of the time of malloc and free (0.91 to 0.93), ');
  const [smaller] = (await adviceOf(oneCall, facts('dlmalloc'), facts('fast', { code_bytes: 8000 }))).list;
  expect(smaller?.time, 'not measured').toBeNull();
});

test('a profile is not advised that is not there, failed, is no profile or the one that is compared with', async () => {
  const better = { peak_footprint_bytes: kPeak * 0.9 };
  expect(await isAdvised({ ...better, absent: 'it was not built' })).toBe(false);
  expect(await isAdvised({ ...better, failed: 'memory ran out' })).toBe(false);
  expect(await isAdvised(better, 'mimalloc')).toBe(false);
  expect((await adviceOf(oneCall, facts('fast', better))).list, 'nothing to compare with').toEqual([]);
});

test('a peak that differs by less than a page is the same', async () => {
  const sentenceFor = async (peak: number) => {
    const smaller = facts('fast', { code_bytes: 8000, peak_footprint_bytes: peak });
    return (await adviceOf(oneCall, facts('dlmalloc'), smaller)).list[0]?.sentence;
  };
  for (const less of [0, 65_535, -65_535]) expect(await sentenceFor(kPeak - less)).toContain(': the same peak, ');
  for (const less of [65_536, -65_536]) expect(await sentenceFor(kPeak - less)).toMatch(/: a peak of .* instead of /);
});

test('what runs out of memory when it is replayed is counted and gives no advice', async () => {
  const list = new OperationList();
  for (let id = 0; id < 30_000; ++id) list.add(OperationKind.malloc, id, 20); // from a pool it would be less
  const { list: followed } = await adviceOf(list.words());
  expect(followed.map(({ kind }) => kind)).toEqual(['pool']);
  list.add(OperationKind.malloc, 30_000, 0xfff0_0000);
  const { list: given, without_gain } = await adviceOf(list.words());
  expect(given).toEqual([]);
  expect(without_gain).toBeGreaterThan(0);
});

test('the report says what was advised, and how much more was tried', async () => {
  const { list } = await adviceOf(oneCall, facts('dlmalloc'), facts('fast', { code_bytes: 8000 }));
  const textOf = (advice: AdviceFacts | null) =>
    renderText(replayDocument(reportWith(advice))).replaceAll('\u202f', ' ');
  const [advised = { sentence: '' }] = list;
  expect(textOf({ list, without_gain: 0 })).toContain(`1. ${advised.sentence.replaceAll('\u202f', ' ')}.`);
  expect(textOf({ list, without_gain: 0 })).not.toMatch(/None\.|tried/);
  expect(textOf({ list: [], without_gain: 1 })).toMatch(/None\.\s+1 more was tried and showed no gain\./);
  expect(textOf({ list: [], without_gain: 2 })).toMatch(/None\.\s+2 more were tried and showed no gain\./);
  expect(textOf(null)).not.toMatch(/None\.|tried/);
});

test('the report says of how many rounds a time is the median, and of how many repeats if there are several', () => {
  const textOf = (rounds: number, repeats: number): string => {
    const report = reportWith(null);
    const [about] = replayDocument({ ...report, measured: { ...report.measured, rounds, repeats } }).about;
    return JSON.stringify(about).replaceAll('\u202f', ' ');
  };
  expect(textOf(5, 3)).toContain('median of 5 interleaved rounds of 3 times each;');
  expect(textOf(5, 1)).toContain('median of 5 interleaved rounds;');
  expect(textOf(0, 3)).toContain('no times;');
});

const reportWith = (advice: AdviceFacts | null): ReplayReport => ({
  replay_version: 1,
  trace: { name: 'a', title: 'a', events: 2 },
  notices: [],
  program: {
    operations: 1,
    mallocs: 1,
    aligned: 0,
    reallocs: 0,
    frees: 0,
    peak_live_bytes: 100,
    peak_live_blocks: 1,
    end_live_bytes: 100,
  },
  measured: { compiler: 'a', engine: 'a', rounds: 0, repeats: 1, compared_with: 'dlmalloc' },
  allocators: [facts('dlmalloc', { footprint_bytes: [0, kPeak] }), facts('fast', { footprint_bytes: [0, kPeak] })],
  advice,
  samples: [
    { operations: 0, event: 0, live_bytes: 0 },
    { operations: 1, event: 1, live_bytes: 100 },
  ],
});
