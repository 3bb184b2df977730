// Every growth of some thirty traces: what the answer, the report and the question at each moment say, beside a reading of the raw
// events by hand (growth_reading.ts).

import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { answer } from '../../../web/src/answers/answer.ts';
import { formatBytes, formatCount } from '../../../web/src/base/format.ts';
import { ownFrames, spokenFrame } from '../../../web/src/base/frames.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import type { AnswerTo } from '../../../web/src/protocol/answers.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { makeReport } from '../../../web/src/report/report.ts';
import type { Growth } from '../../../web/src/report/report_types.ts';
import { kScenarios } from '../../../web/src/scenarios/index.ts';
import { kSceneScenarios } from '../../../web/src/scenes/index.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';
import { decodeTraceFile, type TraceFile } from '../../../web/src/trace/trace_file.ts';
import { readAvailability } from '../../../web/src/wasm/program_artefacts.ts';
import { someOf } from '../../every.ts';
import { makeEngine } from '../engine/harness.ts';
import { Drive } from '../model/drive.ts';
import { withSites } from '../model/sited_trace.ts';
import { playCounted } from '../report/counted_heap.ts';
import { type ReadGrowth, readGrowths } from './growth_reading.ts';

const kWord = 4;
const kMostCompared = 400; // growths of one trace that a report lists
const counts = {
  traces: 0,
  growths: 0,
  fragmented: 0,
  too_little_free: 0,
  in_place: 0,
  begins: 0,
  unknown: 0,
  refused: 0,
};
afterAll(() => console.log(`growths, as the raw events: ${JSON.stringify(counts)}`));

const fileOf = (trace: Trace): TraceFile => ({
  trace,
  wordSize: kWord,
  traceVersion: trace.version,
  notes: {},
  notice: undefined,
});
const stackOf = (operation: number): readonly string[] =>
  operation % 5 === 0
    ? []
    : ['main@app.cpp:9', `load_${operation % 3}@load.cpp:7`, 'std::vector<int>::push_back', 'malloc'];

async function scenario(id: string): Promise<TraceFile> {
  const { ask, run } = makeEngine();
  await run(id);
  const decoded = decodeTraceFile((await ask({ type: 'exportTrace' }, 'trace')).file);
  if (!decoded.ok) throw new Error(decoded.error.message);
  return decoded.value;
}

async function recorded(path: string): Promise<TraceFile> {
  const decoded = decodeTraceFile(readFileSync(new URL(path, import.meta.url)));
  if (!decoded.ok) throw new Error(decoded.error.message);
  return decoded.value;
}

async function driven(seed: number, kind: 'run' | 'runMalloc' | 'runSmall'): Promise<TraceFile> {
  const drive = await Drive.start(seed);
  if (kind === 'runMalloc') drive.runMalloc(2500, 58, seed % 2 === 0 ? 3 : undefined);
  else drive[kind](2500, 58);
  drive.module.drain();
  return fileOf(withSites(drive.trace, stackOf));
}

/** Whose call it was, from the raw events: the site entered since the call before. */
function siteBefore({ history }: Model, callEvent: number): string {
  const { trace, sites } = history;
  for (let event = callEvent - 1; event >= 0; --event) {
    const kind = trace.kind(event);
    if (kind === EventKind.siteEntered) return ownFrames(sites.stack(trace.a(event)))[0] ?? '';
    if (kind === EventKind.opEnded || kind === EventKind.chunkCached || kind === EventKind.chunkReused) break;
  }
  return '';
}

/** Of all causes that the figures allow. */
function causeOf(read: ReadGrowth, { cause }: Growth): string {
  if (read.begins) return 'begins';
  if (read.free < read.needed) return 'too_little_free';
  if (read.largest < read.needed) return 'fragmented';
  return cause === 'in_place' ? 'in_place' : 'unknown';
}

function compare(read: ReadGrowth, row: Growth, model: Model): void {
  const what = `event ${read.event}: ${row.sentence}`;
  expect(
    [
      row.event - 1,
      row.heap,
      row.request_bytes,
      row.needed_bytes,
      row.footprint_from_bytes,
      row.footprint_to_bytes,
      !row.granted,
    ],
    what,
  ).toEqual([read.event, read.heap, read.request, read.needed, read.from, read.to, read.refused]);
  expect(row.cause, what).toBe(causeOf(read, row));
  counts.growths += 1;
  counts[row.cause] += 1;
  if (read.refused) counts.refused += 1;
  if (read.begins) return;
  expect([row.free_bytes, row.free_pieces, row.largest_free_bytes], what).toEqual([
    read.free,
    read.pieces,
    read.largest,
  ]);
  // The moment that the page goes to, and whose line it lights.
  expect(row.sentence.startsWith(`At event ${formatCount(read.begin + 1)} `), what).toBe(true);
  const grewBy = read.to > read.from ? `the heap grew by ${formatBytes(read.to - read.from)}` : '';
  expect(row.sentence, what).toContain(grewBy);
  if (grewBy === '') expect(row.sentence, what).not.toContain('the heap grew');
  if (row.cause === 'fragmented') {
    expect(row.sentence, what).toContain(
      `${formatBytes(read.free)} were free, but in ${formatCount(read.pieces)} pieces, the largest ${formatBytes(read.largest)}`,
    );
    expect(row.pin_blocks, what).toBe(read.pins ?? 0);
  } else if (row.cause === 'too_little_free') {
    expect(row.sentence, what).toContain(
      read.free === 0 ? 'nothing was free' : `only ${formatBytes(read.free)} were free`,
    );
  } else expect(row.sentence, what).toContain(formatBytes(read.largest));
  const frame = siteBefore(model, row.call_event);
  expect(row.sentence, what).toContain(frame === '' ? ' the program asked for ' : ` ${spokenFrame(frame)} asked for `);
}

const programs = await readAvailability();
const traces: readonly (readonly [string, () => Promise<TraceFile>])[] = [
  ...kScenarios
    .filter(({ info }) => info.experiment === undefined && !['by_hand', 'script'].includes(info.id))
    .filter(({ info }) => !(info.id in programs) || programs[info.id as keyof typeof programs] === null)
    .map(({ info }) => [info.id, () => scenario(info.id)] as const),
  ...kSceneScenarios.map(({ info }) => [info.id, () => scenario(info.id)] as const),
  ...someOf([1, 2, 3]).map((seed) => [`heap, seed ${seed}`, () => driven(seed, 'run')] as const),
  ...someOf([4, 5, 6], 2).map((seed) => [`malloc, seed ${seed}`, () => driven(seed, 'runMalloc')] as const),
  ...someOf([7, 8]).map((seed) => [`small, seed ${seed}`, () => driven(seed, 'runSmall')] as const),
  ['a recorded program', () => recorded('../../../web/public/traces/words.hgtrace')],
  ...someOf([9, 10]).map(
    (seed) => [`exports, seed ${seed}`, async () => (await playCounted(seed, 1500)).file] as const,
  ),
];

it.each(traces)('the growths of %s are those of its events, in report and answer', async (_, make) => {
  const file = await make();
  const read = readGrowths(file.trace, kWord);
  const { growths } = makeReport(file, { name: 'x' });
  expect(growths.of_heaps).toBe(read.length);
  expect(growths.list.length).toBe(Math.min(read.length, kMostCompared));
  const model = new Model(file.trace);
  model.history.fold();
  counts.traces += 1;
  for (const [nth, row] of growths.list.entries()) {
    compare(read[nth] as ReadGrowth, row, model);
    const asked = answer({ model, event: row.event, heap: 0 }, { ask: 'grew' }) as AnswerTo<'grew'>;
    expect(asked.sentence).toBe(row.sentence);
    expect(asked.figures).toMatchObject({ growths: nth + 1, latest: { event: row.event, pin_blocks: row.pin_blocks } });
    expect([row.from_bytes, row.to_bytes], row.sentence).toEqual([
      asked.figures.latest?.memory_from_bytes,
      asked.figures.latest?.memory_to_bytes,
    ]);
    expect(asked.figures.later_growths).toBe(read.length - nth - 1);
    if (nth + 1 < growths.list.length) expect(asked.figures.next_event).toBe(growths.list[nth + 1]?.event);
    // The moment that is lit: the call has begun, and nothing else has happened since it was asked.
    const begun = file.trace.kind(row.call_event) === EventKind.opBegun;
    expect(asked.evidence.event).toBe(row.call_event + (begun ? 1 : 0));
  }
  const [first, ...others] = growths.list;
  if (first !== undefined && growths.of_heaps === growths.list.length) {
    const earliest = answer({ model, event: file.trace.count, heap: 0 }, { ask: 'grew', nth: others.length });
    expect(earliest.sentence).toBe(first.sentence);
  }
});

it('of a program with an allocator of its own, what was asked is said, and what recording would say the rest', () => {
  const model = new Model(foreignTrace());
  model.history.fold();
  const { sentence, answered, missing } = answer({ model, event: model.trace.count, heap: 0 }, { ask: 'grew' });
  expect(sentence.replaceAll('\u202f', ' ')).toBe(
    'At event 3 the program asked for 68.4 KiB; how much was free is not known, as the trace has no free lists; the heap grew by 64 KiB.',
  );
  expect(answered).toBe(false);
  expect(missing).toMatch(/linked with heapglass --ldflags --profile trace, it does\. Call stacks say who/);
});

it('a program whose memory never grew is not said to have grown: what it had when it was first seen is its beginning', () => {
  const model = new Model(foreignTrace());
  model.history.fold();
  const made = answer({ model, event: 2, heap: 0 }, { ask: 'grew' }) as AnswerTo<'grew'>;
  expect(made.sentence.replaceAll('\u202f', ' ')).toBe('At event 2 heap 1 begins, with 64 KiB.');
  expect(made.figures).toMatchObject({ growths: 1, later_growths: 1, latest: { cause: 'begins' } });
  expect(makeReport(fileOf(model.trace), { name: 'x' }).growths.list[0]?.sentence).toBe(made.sentence);
});

/** What an instrumented module records: one page of memory, and an allocation that makes it two. */
function foreignTrace(): Trace {
  const trace = new Trace();
  const put = (kind: EventKind, detail: number, a: number, b: number, c: number) =>
    trace.appendEvent(headOf(kind, 1, detail), a, b, c);
  put(EventKind.heapCreated, 0, 0, 8, 0);
  put(EventKind.segmentAdded, 0, 0, 65_536, 0);
  put(EventKind.opBegun, 1, 0, 70_000, 0);
  put(EventKind.mark, 0, 0, 0, 0);
  put(EventKind.mark, 0, 0, 0, 0);
  put(EventKind.memoryGrown, 1, 1, 2, 65_536);
  put(EventKind.segmentExtended, 0, 0, 65_536, 131_072);
  put(EventKind.blockAllocated, 0, 4096, 70_000, 0);
  put(EventKind.opEnded, 1, 4096, 70_000, 0);
  return trace;
}
