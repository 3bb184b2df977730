// What one pass over a trace keeps of its events: which lists they come into, what of them counts while the state is not known, and how
// checkpoints and keyframes lie.

import { expect, test } from 'vitest';
import { hashModelWalk } from '../../../../web/src/model/state/walk_compare.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { EventKind, kTraceVersion, Op } from '../../../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../../../web/src/trace/trace.ts';
import { begin, cache, chunkNumber, done, end, kSixChunks, kSize, release, reuse } from '../cached_events.ts';
import { act, fetch, kBlock, kOneSpan, type Line, store, traceOf } from '../small_events.ts';

function told(lines: readonly Line[], keyframeEvery?: number): History {
  const history = new History(traceOf(lines), keyframeEvery);
  history.fold();
  expect(history.broken).toBeUndefined();
  return history;
}
const events = (list: History['marks']): number[] => [...list.slice()];

const six = told(kSixChunks).head;
const walk = hashModelWalk(six, 1, kTraceVersion);
const checkpoint = (hash: number, records = walk.records): Line => [EventKind.checkpoint, 0, hash, records, 0];
const kFirst = kSixChunks.length; // the event behind them

test('a checkpoint that agrees is a proof, and of those that do not the first is told', () => {
  const history = told([
    ...kSixChunks,
    checkpoint(walk.hash),
    checkpoint(walk.hash ^ 1),
    checkpoint(1),
    checkpoint(walk.hash),
  ]);
  expect(events(history.checkpoints)).toEqual([kFirst, kFirst + 1, kFirst + 2, kFirst + 3]);
  expect(events(history.proofs)).toEqual([kFirst + 1, kFirst + 4]); // behind the event
  expect(history.differs).toEqual({
    seq: kFirst + 1,
    text: `at the checkpoint of event ${kFirst + 1} the hash of heap 1's walk differs from the model's`,
  });
  expect(history.passedOver).toBeUndefined();
});

test('a checkpoint that is passed over neither proves nor differs', () => {
  const large = checkpoint(walk.hash, 2 ** 22);
  const history = told([...kSixChunks, checkpoint(walk.hash), large, checkpoint(walk.hash), checkpoint(walk.hash)]);
  expect(events(history.proofs)).toEqual([kFirst + 1]);
  expect(history.differs?.seq).toBe(kFirst + 1);
  expect(history.passedOver).toBe(kFirst + 3);
});

test('whoever walks the heap himself has checkpoints listed and not compared', () => {
  const history = new History(traceOf([...kSixChunks, checkpoint(1)]));
  history.comparesCheckpoints = false;
  history.fold();
  expect([events(history.checkpoints), events(history.proofs), history.differs]).toEqual([[kFirst], [], undefined]);
});

const kFacts: readonly Line[] = [
  [EventKind.mark, 0, 1, 0, 0],
  act(2, 1),
  [EventKind.memoryGrown, 1, 2, 3, 0],
  cache(0, 2),
  begin(Op.mallocFlush),
  end(0, 2),
  done(Op.mallocFlush),
  checkpoint(1),
];
const listsOf = (history: History) => ({
  marks: events(history.marks),
  threads: events(history.threadChanges),
  growth: events(history.growthSteps),
  flushes: events(history.malloc.flushEnds),
  checkpoints: events(history.checkpoints),
  differs: history.differs?.seq,
});

test('each event comes into the list of its kind', () => {
  const history = told([...kSixChunks, ...kFacts]);
  expect(listsOf(history)).toEqual({
    marks: [kFirst],
    threads: [kFirst + 1],
    growth: [1, kFirst + 2], // the first segment
    flushes: [kFirst + 6],
    checkpoints: [kFirst + 7],
    differs: kFirst + 7,
  });
  expect(events(history.threadsActing)).toEqual([2]);
  const batches = told([...kOneSpan, fetch(8, 1), store(4, 1)]).batches;
  expect(events(batches)).toEqual([kOneSpan.length, kOneSpan.length + 1]);
});

const lost = (count: number): Line => [EventKind.eventsLost, 0, count, 0, 0];

test('behind a loss marks and further losses count, and nothing else does', () => {
  const history = told([...kSixChunks, lost(7), ...kFacts, lost(5), ...kFacts.slice(0, 1)]);
  const first = kFirst + 1;
  const second = first + kFacts.length;
  expect(listsOf(history)).toEqual({
    marks: [first, second + 1],
    threads: [],
    growth: [1],
    flushes: [],
    checkpoints: [],
    differs: undefined,
  });
  expect([history.lostEvents, history.lostAt]).toEqual([12, second + 1]);
  expect([history.head.cached, history.head.inUse]).toEqual([0, 6 * kSize]);
});

test('who reads the state from the heap itself has the fold wait behind each loss', () => {
  const history = new History(traceOf([...kSixChunks, lost(7), lost(2), cache(0)]));
  history.stopsAtLoss = true;
  for (const behind of [1, 2]) {
    expect([history.fold(), history.head.seq, history.awaitsResync]).toEqual([false, kFirst + behind, true]);
    history.addBarrier();
  }
  expect([history.fold(), history.head.seq, history.head.cached]).toEqual([true, kFirst + 3, kSize]);
  expect(events(history.barriers)).toEqual([kFirst + 1, kFirst + 2]);
});

test('as many events are folded as are asked for, and the calls are known to the end of the trace all the same', () => {
  const history = new History(traceOf([...kSixChunks, begin(Op.trim), done(Op.trim)]));
  expect([history.fold(3), history.head.seq, history.operations.total]).toEqual([false, 3, 1]);
  expect([history.fold(kFirst - 3 + 1), history.head.seq]).toEqual([false, kFirst + 1]);
  expect([history.fold(1), history.head.seq]).toEqual([true, kFirst + 2]);
  expect([history.fold(), history.inUse.count]).toEqual([true, told(kSixChunks).inUse.count + 2]);
});

test('keyframes lie as far apart as is asked, but not where a free part is shorter than a chunk', () => {
  const keyframes = ({ keyframes: all }: History) => all.map(({ seq }) => seq);
  expect(keyframes(told(kSixChunks, 5))).toEqual([0, 5, 10, 15]);
  const join: readonly Line[] = [
    release(1),
    [EventKind.chunkSplit, 0, chunkNumber(1), kSize - 8, 8],
    [EventKind.chunksMerged, 2, chunkNumber(1) + kSize - 8, 8, kSize],
  ];
  expect(kFirst).toBe(15);
  expect(keyframes(told([...kSixChunks, ...join], kFirst + 1))).toEqual([0, kFirst + 1]);
  expect(keyframes(told([...kSixChunks, ...join], kFirst + 2))).toEqual([0, kFirst + 3]);
});

test('keyframes of many pools lie farther apart than those of few: they take more bytes', () => {
  const [kPools, kMarks] = [65_000, 80_000];
  const words = new Uint32Array((1 + kPools + kMarks) * 4);
  words.set([headOf(EventKind.heapCreated, 1, 4), 0x1000c, 8, 0]);
  for (let pool = 1; pool <= kPools; ++pool)
    words.set([headOf(EventKind.poolCreated, 1, pool), 0x500, 32, 4], pool * 4);
  for (let mark = 1 + kPools; mark < words.length / 4; ++mark) words[mark * 4] = headOf(EventKind.binSearched, 1);
  const trace = new Trace();
  trace.append(words);
  const history = new History(trace);
  history.fold();
  const [first = 0, second = 0, third = 0, ...more] = history.keyframes.map(({ seq }) => seq);
  expect([first, second, more.length]).toEqual([0, 32_768, 1]); // of little: the least distance
  expect((more[0] ?? 0) - third).toBeGreaterThan(60_000); // 8 bytes a pool, and as many an event
});

test('what cannot be ends the fold before it for good, though the calls behind it are known', () => {
  const lines = [...kSixChunks, reuse(0), cache(1), begin(Op.trim), done(Op.trim)];
  const history = new History(traceOf(lines));
  expect([history.fold(), history.head.seq, history.broken?.seq]).toEqual([false, kFirst, kFirst]);
  expect([history.fold(), history.head.seq, history.operations.total]).toEqual([false, kFirst, 3]); // what malloc caches is a call, too
  expect(history.broken?.text).toMatch(/is not cached/);
  expect(history.head.heap(1)).toMatchObject({ chunksCached: 0, chunksInUse: 6 });
});

test('a part of a snapshot that was not begun cannot be, except behind a loss', () => {
  const part: Line = [EventKind.snapshotHeap, 8, kBlock, 0, 12];
  const history = new History(traceOf([...kSixChunks, part]));
  history.fold();
  expect(history.broken).toMatchObject({ seq: kFirst, text: expect.stringContaining('was not begun') });
  expect(told([...kSixChunks, lost(1), part]).head.seq).toBe(kFirst + 2);
});
