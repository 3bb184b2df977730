// Rule P4 of event.h, event by event: who holds which chunk, back and forth, and what cannot be.

import { describe, expect, test } from 'vitest';
import { addr, bytes } from '../../../web/src/base/brand.ts';
import { HeapState } from '../../../web/src/model/heap_state.ts';
import { History } from '../../../web/src/model/history.ts';
import { captureKeyframe, restoreKeyframe } from '../../../web/src/model/keyframe.ts';
import { PageSummary } from '../../../web/src/model/page_summary.ts';
import { queryCaches } from '../../../web/src/model/query_caches.ts';
import { queryInspect } from '../../../web/src/model/query_inspect.ts';
import { chooseHeap, queryHeaps } from '../../../web/src/model/query_lists.ts';
import { queryMap } from '../../../web/src/model/query_map.ts';
import { queryTimeline } from '../../../web/src/model/query_timeline.ts';
import { TimeTravel } from '../../../web/src/model/time_travel.ts';
import { walkModel } from '../../../web/src/model/walk.ts';
import { readStateFromWalks } from '../../../web/src/model/walk_read.ts';
import { EventKind, WalkKind } from '../../../web/src/protocol/event_layout.ts';
import { ChunkState } from '../../../web/src/protocol/frames.ts';
import { chunkNumber, end, hold, kList, kSixChunks, kSize, kTour, move, release, reuse } from './held_events.ts';
import { act, type Line, traceOf } from './small_events.ts';

function told(lines: readonly Line[]): History {
  const history = new History(traceOf(lines));
  history.fold();
  return history;
}

function quickAt(history: History, state: HeapState) {
  const heap = chooseHeap(state, 0);
  if (heap === undefined) throw new Error('no heap');
  return queryCaches(history, state, heap).quick;
}

/** Chunks by holder, of the one list; and what is in use and held. */
function countsOf(history: History, state: HeapState) {
  const quick = quickAt(history, state);
  const chunks = quick?.rows[0]?.chunks ?? [];
  const held = Object.fromEntries([...(quick?.holders ?? [])].map((holder, i) => [holder, chunks[i] ?? 0]));
  const sum = Object.values(held).reduce((all, count) => all + count, 0);
  const heap = state.heap(1);
  expect([quick?.chunks, quick?.bytes]).toEqual([sum, sum * kSize]);
  expect([heap.chunksHeld, heap.held, state.held]).toEqual([sum, sum * kSize, sum * kSize]);
  return [heap.chunksInUse, held];
}

describe('a held chunk', () => {
  test('is in use for nobody: it waits with its holder, as the events say', () => {
    const history = told([...kSixChunks, ...kTour]);
    expect(history.broken).toBeUndefined();
    const travel = new TimeTravel(history);
    const counts = (events: number) => {
      travel.seek(kSixChunks.length + events);
      return countsOf(history, travel.state);
    };
    expect(counts(0)).toEqual([6, { 0: 0, 1: 0 }]);
    expect(counts(2)).toEqual([4, { 0: 0, 1: 2 }]);
    expect(counts(5)).toEqual([2, { 0: 0, 1: 2, 2: 2 }]);
    expect(counts(6)).toEqual([3, { 0: 0, 1: 2, 2: 1 }]);
    expect(counts(7)).toEqual([3, { 0: 1, 1: 2, 2: 0 }]);
    expect(counts(10)).toEqual([3, { 0: 3, 1: 0, 2: 0 }]);
    expect(counts(11)).toEqual([3, { 0: 2, 1: 1, 2: 0 }]);
    expect(counts(kTour.length)).toEqual([3, { 0: 1, 1: 0, 2: 0 }]);
    expect(counts(5)).toEqual([2, { 0: 0, 1: 2, 2: 2 }]); // and back, by undo
  });

  test('undone to zero nothing is left, and a keyframe holds all of it', () => {
    const history = told([...kSixChunks, ...kTour]);
    const last = captureKeyframe(history.head);
    const restored = new HeapState();
    restoreKeyframe(restored, last);
    expect(captureKeyframe(restored)).toEqual(last);
    expect(countsOf(history, restored)).toEqual(countsOf(history, history.head));
    history.keyframes.splice(0); // only events lead the way
    const travel = new TimeTravel(history);
    for (let at = history.head.seq; at >= 0; --at) {
      travel.seek(at);
      const replay = told([...kSixChunks, ...kTour].slice(0, at)).head;
      expect(captureKeyframe(travel.state), `at ${at}`).toEqual(captureKeyframe(replay));
    }
  });

  test('is walked with its holder in place of a chunk in use, and its neighbours take it as in use', () => {
    const { head } = told([...kSixChunks, ...kTour.slice(0, 7)]);
    const records: number[][] = [];
    walkModel(head, 1, (...record) => records.push(record));
    const held = records.filter(([word = 0]) => (word & 0xff) === WalkKind.chunkHeld);
    expect(held).toEqual([
      [WalkKind.chunkHeld | 0x100 | (1 << 16), chunkNumber(0), kSize, kSize | 3],
      [WalkKind.chunkHeld | 0x100 | (1 << 16), chunkNumber(1), kSize, kSize | 3],
      [WalkKind.chunkHeld | 0x100, chunkNumber(2), kSize, kSize | 3],
    ]);
  });

  test('is told by inspector, map, heaps and time: list, holder, and since when', () => {
    const history = told([...kSixChunks, ...kTour.slice(0, 7)]);
    const { head } = history;
    const inspect = queryInspect(history, head, addr(chunkNumber(1) + 8), undefined);
    expect(inspect).toMatchObject({
      state: ChunkState.held,
      inUse: true,
      request: undefined,
      bornAt: kSixChunks.length + 1,
    });
    expect(inspect.held).toEqual({ list: kList, low: kSize, high: kSize, holder: 1 });
    expect(inspect.previous?.state).toBe(ChunkState.held);
    expect(inspect.life.map(({ kind }) => kind)).toEqual([EventKind.chunkHeld]);
    const reused = queryInspect(history, head, addr(chunkNumber(3)), undefined);
    expect([reused.state, reused.request, reused.held]).toEqual([ChunkState.inUse, 50, undefined]);
    const view = { origin: addr(0x10000), bytesPerRow: bytes(4096), rows: 1, columns: 512 };
    const { chunks } = queryMap(head, new PageSummary(), view, { memoryBytes: 0x20000, touchedNode: undefined });
    const { held, inUse, top } = ChunkState;
    expect([...(chunks?.state ?? [])]).toEqual([held, held, held, inUse, inUse, inUse, top]);
    expect(queryHeaps(head)).toMatchObject([{ chunksInUse: 3, inUse: 3 * kSize, chunksHeld: 3, held: 3 * kSize }]);
    const timeline = queryTimeline(history, 0, head.seq, 1, [], () => undefined);
    expect([timeline.inUseMax[0], timeline.occupiedMax[0]]).toEqual([6 * kSize, 6 * kSize]);
    const late = queryTimeline(history, head.seq - 1, head.seq, 1, [], () => undefined);
    expect([late.inUseMax[0], late.occupiedMax[0]]).toEqual([3 * kSize, 6 * kSize]);
  });

  test('from far the bytes of held chunks are counted by pages and by chunks alike', () => {
    const { head } = told([...kSixChunks, hold(0), hold(4)]);
    const pages = new PageSummary();
    pages.refresh(head, 0, 32);
    expect([pages.inUse[16], pages.held[16]]).toEqual([4 * kSize, 2 * kSize]);
  });

  test('the last move and the last emptying are found, and the emptying counts when it ends', () => {
    const history = told([...kSixChunks, ...kTour]);
    const quick = quickAt(history, history.head);
    const first = kSixChunks.length;
    expect(quick?.lastMove).toEqual({ seq: first + 10, list: kList, from: 0, to: 1, chunks: 1 });
    expect(quick).toMatchObject({
      flushes: 1,
      lastFlush: { seq: first + 11, bytes: 2 * kSize, chunks: 2, forced: false },
    });
    const travel = new TimeTravel(history);
    travel.seek(first + 10);
    expect(quickAt(history, travel.state)).toMatchObject({ lastMove: { from: 1, to: 0, chunks: 2 }, flushes: 0 });
  });

  const held = [hold(0)];
  const wrong: readonly (readonly [string, readonly Line[], RegExp])[] = [
    ['held twice', [...held, hold(0)], /is held already/],
    ['held though it is free', [...held, end(0, 1), release(0), hold(0)], /not in use with 72 bytes/],
    ['held with another size', [[EventKind.chunkHeld, kList, chunkNumber(0), 64, 1]], /not in use with 64 bytes/],
    ['held by a thread that does not act', [hold(0, 2)], /thread 1 acted, not 2/],
    ['reused though it is not held', [reuse(0)], /is not held/],
    ['reused by another thread', [...held, act(2, 1), reuse(0)], /is held by thread 1, not by thread 2/],
    ['reused from a central list', [...held, move(0, 1, 0), reuse(0)], /is held by a central list, not by thread 1/],
    [
      'reused from another list',
      [...held, [EventKind.chunkReused, 8, chunkNumber(0), kSize, 9]],
      /quick list 9, not on 8/,
    ],
    ['moved by one who does not hold it', [...held, act(2, 1), move(0, 2, 0)], /held by thread 1, not by thread 2/],
    ['moved to a thread that never acted', [...held, move(0, 1, 7)], /there is no thread 7/],
    ['ended though it is not held', [end(0, 1)], /is not held/],
    ['freed while held', [...held, release(0)], /is held, so it belongs to no caller/],
    ['cut while held', [...held, [EventKind.chunkSplit, 0, chunkNumber(0), 32, 40]], /belongs to no caller/],
    ['joined while held', [...held, [EventKind.chunksMerged, 1, chunkNumber(0), kSize, kSize]], /belongs to no caller/],
  ];
  test.each(wrong)('%s is a contradiction, and the state stays before it', (_, lines, text) => {
    const all = [...kSixChunks, ...lines];
    const history = told(all);
    expect(history.broken?.text).toMatch(text);
    expect(history.broken?.seq).toBe(all.length - 1);
    expect(captureKeyframe(history.head)).toEqual(captureKeyframe(told(all.slice(0, -1)).head));
  });
});

describe('after a loss', () => {
  const before = [...kSixChunks, ...kTour.slice(0, 7)];

  function resynced(then: readonly Line[]): History {
    const known = told(before);
    const history = new History(traceOf([...before, [EventKind.eventsLost, 0, 9, 0, 0], ...then]));
    history.fold();
    readStateFromWalks(history.head, 4, [{ id: 1, address: kSixChunks[0]?.[2] ?? 0 }], 2, (_, visit) => {
      walkModel(known.head, 1, (...record) => visit(Uint32Array.from(record)));
    });
    history.addBarrier();
    history.fold();
    return history;
  }

  test('who holds what is known from the walk, on which list is not', () => {
    const history = resynced([]);
    const quick = quickAt(history, history.head);
    const unknown = quick?.rows.find(({ list }) => list === undefined);
    expect([[...(quick?.holders ?? [])], [...(unknown?.chunks ?? [])]]).toEqual([
      [0, 1, 2],
      [1, 2, 0],
    ]);
    const { held } = queryInspect(history, history.head, addr(chunkNumber(0)), undefined);
    expect(held).toMatchObject({ list: undefined, holder: 1 });
  });

  test('events go on: any list fits a chunk whose list is not known, and undo makes it unknown again', () => {
    const history = resynced([move(2, 0, 2), reuse(2), hold(2, 2), act(1, 2), end(0, 1), release(0)]);
    expect(history.broken).toBeUndefined();
    expect(history.head.heap(1)).toMatchObject({ chunksHeld: 2, chunksInUse: 3 });
    const travel = new TimeTravel(history);
    travel.seek(history.head.seq);
    travel.seek(before.length + 1);
    expect(captureKeyframe(travel.state)).toEqual(captureKeyframe(resynced([]).head));
  });
});
