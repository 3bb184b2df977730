// Resets of a traced heap: what its trace says of them is what the heap is.

import { beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { CallKind, type ProgramTable, programTable } from '../../../web/src/convert/program_table.ts';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import type { HeapModule } from '../../../web/src/heap/heap_module.ts';
import type { TracedHeap } from '../../../web/src/heap/heap_types.ts';
import { History } from '../../../web/src/model/time/history.ts';
import { TimeTravel } from '../../../web/src/model/time/time_travel.ts';
import { EventKind, kRingLayout } from '../../../web/src/protocol/event_layout.ts';
import { idOfWord, kindOfWord, OperationKind } from '../../../web/src/replay/operation_list.ts';
import { operationsOfTrace } from '../../../web/src/replay/operations_of_trace.ts';
import { makeReport } from '../../../web/src/report/report.ts';
import { knownPart } from '../../../web/src/report/verdict.ts';
import { Trace } from '../../../web/src/trace/trace.ts';
import { decodeTraceFile, type TraceFile } from '../../../web/src/trace/trace_file.ts';
import { ringNumber } from '../../../web/src/wasm/ring.ts';
import { digestOf } from '../model/state_digest.ts';
import { kSound, RandomCalls } from './random_calls.ts';

const kRounds = 6;
const kMiB = 1 << 20;

function read(heap: TracedHeap): TraceFile {
  const decoded = decodeTraceFile(heap.trace());
  if (!decoded.ok) throw new Error(decoded.error.message);
  return decoded.value;
}

const eventsOf = ({ trace }: TraceFile, kind: EventKind): number[] =>
  Array.from({ length: trace.count }, (_, event) => event).filter((event) => trace.kind(event) === kind);

/** Rounds of random calls from one checkpoint, then from another, which proves what the rounds before it left. */
async function rounds(): Promise<RandomCalls> {
  const calls = new RandomCalls((await createHeap({ trace: true })) as TracedHeap, 4711);
  calls.run(1500);
  let from = calls;
  for (let round = 0; round < kRounds; ++round) {
    if (round % 2 === 0) {
      calls.heap.checkpoint();
      from = from.on(calls.heap);
    }
    from.on(calls.heap).run(300 + 200 * round);
    calls.heap.reset();
  }
  from.run(100);
  calls.heap.checkpoint();
  return from;
}

/** Addresses of the blocks that did not end. */
function liveIn(table: ProgramTable): number[] {
  const ended = new Set(table.unseenEnds.map(({ block }) => block));
  const live = new Map<number, number>();
  for (let row = 0; row < table.count; ++row) {
    const [block = 0, address = 0] = [table.block[row], table.address[row]];
    if (table.call[row] === CallKind.free) live.delete(block);
    else if (block !== 0 && !ended.has(block)) live.set(block, address);
  }
  return [...live.values()].sort((one, other) => one - other);
}

/** Blocks that a replay of these operations leaves. */
function liveAtEnd(words: Uint32Array): number {
  const live = new Set<number>();
  for (let at = 0; at < words.length; at += 2) {
    const what = words[at] ?? 0;
    if (kindOfWord(what) === OperationKind.free) live.delete(idOfWord(what));
    else live.add(idOfWord(what));
  }
  return live.size;
}

describe('a traced heap that is reset again and again', () => {
  let calls: RandomCalls;
  let file: TraceFile;
  let history: History;
  beforeAll(async () => {
    calls = await rounds();
    file = read(calls.heap as TracedHeap);
    history = new History(file.trace, 100);
    history.fold();
  });

  test('has a trace that agrees with the heap at each checkpoint', () => {
    expect([history.broken, history.differs, history.passedOver]).toEqual([undefined, undefined, undefined]);
    expect(history.proofs.count).toBe(kRounds / 2 + 1);
    expect(eventsOf(file, EventKind.stateReset)).toHaveLength(kRounds);
    expect(eventsOf(file, EventKind.eventsLost)).toEqual([]);
  });

  test('has behind each reset the state behind its copy, births included', () => {
    const kept = eventsOf(file, EventKind.stateKept);
    const at = (seq: number): number => {
      const travel = new TimeTravel(history);
      travel.seek(seq);
      travel.state.seq = 0;
      return digestOf(travel.state);
    };
    for (const [nth, reset] of eventsOf(file, EventKind.stateReset).entries()) {
      const copy = kept[Math.floor(nth / 2)] ?? 0;
      expect(at(reset + 1)).toBe(at(copy + 1));
      expect(at(reset)).not.toBe(at(copy + 1));
    }
  });

  test('has the same state at n whichever way n was reached', () => {
    const { below } = createRandom(5);
    const travel = new TimeTravel(history);
    for (let i = 0; i < 60; ++i) {
      const seq = below(file.trace.count + 1);
      const folded = new History(file.trace);
      folded.fold(seq);
      travel.seek(seq);
      expect(digestOf(travel.state)).toBe(digestOf(folded.head));
    }
  });

  test('has live blocks as a heap has that made the last calls alone: in the report, the export and the replay', async () => {
    const alone = new RandomCalls((await createHeap({ trace: true })) as TracedHeap, 4711);
    alone.run(1500 + 100);
    const twin = read(alone.heap as TracedHeap);
    expect(calls.addresses()).toEqual(alone.addresses());
    const [leaks, expected] = [file, twin].map((each) => makeReport(each, { name: '' }).leaks);
    expect(leaks?.by_size).toEqual(expected?.by_size);
    expect([leaks?.blocks, leaks?.bytes]).toEqual([expected?.blocks, expected?.bytes]);
    const table = programTable(file);
    expect(liveIn(table)).toEqual(calls.addresses());
    expect([table.liveBlocks[table.count - 1], table.liveBytes[table.count - 1]]).toEqual([
      leaks?.blocks,
      leaks?.bytes,
    ]);
    const { notices, words } = operationsOfTrace(file);
    expect([notices, liveAtEnd(words)]).toEqual([[], leaks?.blocks]);
  });

  test('ends sound and empty', () => {
    expect(calls.end()).toEqual(kSound);
  });
});

test('the footprint falls at a reset, and memory keeps its length', async () => {
  const heap = (await createHeap({ trace: true })) as TracedHeap;
  heap.checkpoint();
  heap.allocate(20 * kMiB);
  const { byteLength } = heap.buffer;
  heap.reset();
  const file = read(heap);
  const [reset = 0] = eventsOf(file, EventKind.stateReset);
  const history = new History(file.trace);
  history.fold();
  expect(history.footprint.at(reset)).toBeGreaterThan(20 * kMiB);
  expect(history.footprint.at(reset + 1)).toBeLessThan(kMiB);
  expect(history.memoryBytes.at(reset + 1)).toBe(byteLength);
  expect(makeReport(file, { name: '' }).marks.list.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^reset: \d+ pages written back$/),
  ]);
});

test('the ring counts every event, also behind a reset', async () => {
  const heap = (await createHeap({ trace: true })) as TracedHeap;
  heap.checkpoint();
  for (let i = 0; i < 30_000; ++i) heap.deallocate(heap.allocate(100)); // more than twice around
  heap.reset();
  heap.allocate(100);
  const { functions, views } = (heap as TracedHeap & { readonly module: HeapModule }).module;
  const { trace } = read(heap);
  const written = Array.from({ length: trace.count }, (_, event) => trace.kind(event));
  const byHost = written.filter((kind) => kind === EventKind.text || kind === EventKind.mark).length;
  const head = ringNumber(views.views.u32, functions.hg_trace_ring() >>> 0, kRingLayout.headLow);
  expect(head).toBe(trace.count - byHost);
  expect(head).toBeGreaterThan(2 * 16_384);
});

test('a reader that begins behind the copy waits for a snapshot', async () => {
  const heap = (await createHeap({ trace: true })) as TracedHeap;
  heap.checkpoint();
  heap.allocate(100);
  heap.reset();
  const { trace } = read(heap);
  const [kept = 0] = eventsOf(read(heap), EventKind.stateKept);
  const late = new History(trace);
  const words = (trace.segment(0) ?? new Uint32Array(0)).slice(0, trace.count * 4);
  words[kept * 4 + 1] = 77; // it saw another copy
  const other = new Trace();
  other.append(words);
  const lost = new History(other);
  for (const history of [late, lost]) history.fold();
  expect([late.head.awaiting, lost.head.awaiting, lost.broken]).toEqual([false, true, undefined]);
  const [reset = 0] = eventsOf(read(heap), EventKind.stateReset);
  const { verdict } = knownPart({ ...read(heap), trace: other });
  expect(verdict.sentences).toEqual([
    `the heap is known only up to event ${reset}: memory was set back there to a copy that the trace does not have, and no snapshot follows`,
  ]);
});
