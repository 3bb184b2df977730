// Rule P3 of event.h, event by event: where the nodes of a size class are, back and forth, and what cannot be.

import { describe, expect, test } from 'vitest';
import { addr } from '../../../../web/src/base/brand.ts';
import { queryCaches } from '../../../../web/src/model/queries/query_caches.ts';
import { queryInspect } from '../../../../web/src/model/queries/query_inspect.ts';
import { chooseHeap, queryHeaps, queryPoolBlocks, queryPools } from '../../../../web/src/model/queries/query_lists.ts';
import { HeapState } from '../../../../web/src/model/state/heap_state.ts';
import { captureKeyframe, restoreKeyframe } from '../../../../web/src/model/state/keyframe.ts';
import { walkModel } from '../../../../web/src/model/state/walk.ts';
import { readStateFromWalks } from '../../../../web/src/model/state/walk_read.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { TimeTravel } from '../../../../web/src/model/time/time_travel.ts';
import { explainOperation } from '../../../../web/src/model/words/explain.ts';
import { EventKind, Op, Shape, WalkKind } from '../../../../web/src/protocol/event_layout.ts';
import {
  act,
  fetch,
  giveBack,
  kBlock,
  kOneSpan,
  kPool,
  kRound,
  type Line,
  nodeNumber,
  retire,
  store,
  take,
  traceOf,
} from '../small_events.ts';

function told(lines: readonly Line[]): History {
  const history = new History(traceOf(lines));
  history.fold();
  return history;
}

function cachesAt(history: History, state: HeapState) {
  const heap = chooseHeap(state, 0);
  if (heap === undefined) throw new Error('no heap');
  return queryCaches(history, state, heap);
}

/** central, in use, cached by thread */
function countsOf(history: History, state: HeapState) {
  const { threads, classes } = cachesAt(history, state);
  const row = classes[0];
  if (row === undefined) throw new Error('no class');
  expect(row.nodes).toBe(row.central + row.inUse + row.cached.reduce((sum, count) => sum + count, 0));
  return [row.central, row.inUse, Object.fromEntries([...threads].map((thread, i) => [thread, row.cached[i]]))];
}

test('nodes are found in the block that they are of, whichever block was named last', () => {
  const kSpan = 16 + 60 * 32;
  const second = kBlock + kSpan + 8;
  const top = second + kSpan + 4;
  const inSecond = (n: number) => second + 16 + n * 32;
  const more: readonly Line[] = [
    [EventKind.topChanged, 0, 0, second - 4, 0],
    [EventKind.chunkSplit, 0, second - 4, kSpan + 8, 65_536 - 16 - 2 * (kSpan + 8)],
    [EventKind.chunkTaken, 0, second - 4, kSpan + 8, kSpan],
    [EventKind.topChanged, 0, top, 0, 0],
    [EventKind.blockMade, kPool, second, kSpan, 0],
    fetch(32, 1),
  ];
  const turns = [0, 1, 2, 3].flatMap((n): readonly Line[] => [
    take(n),
    [EventKind.nodeTaken, kPool, inSecond(n), 0, 0],
  ]);
  const history = told([...kOneSpan, ...more, ...turns, ...[...turns].reverse().map(freed)]);
  expect(history.broken).toBeUndefined();
});
const freed = ([, detail, node]: Line): Line => [EventKind.nodeReturned, detail, node, 0, 0];

describe('a size class', () => {
  test('has its nodes in the central list, in the caches and in use, as the events say', () => {
    const history = told([...kOneSpan, ...kRound]);
    expect(history.broken).toBeUndefined();
    const travel = new TimeTravel(history);
    const counts = (events: number) => {
      travel.seek(kOneSpan.length + events);
      return countsOf(history, travel.state);
    };
    expect(counts(0)).toEqual([60, 0, { 1: 0 }]);
    expect(counts(1)).toEqual([28, 0, { 1: 32 }]);
    expect(counts(4)).toEqual([28, 3, { 1: 29 }]);
    expect(counts(7)).toEqual([28, 1, { 1: 29, 2: 2 }]);
    expect(counts(8)).toEqual([30, 1, { 1: 29, 2: 0 }]);
    expect(counts(11)).toEqual([22, 2, { 1: 29, 2: 0, 3: 7 }]);
    expect(counts(4)).toEqual([28, 3, { 1: 29 }]); // and back, by undo
  });

  test('undone to zero nothing is left, and a keyframe holds all of it', () => {
    const history = told([...kOneSpan, ...kRound]);
    const end = captureKeyframe(history.head);
    const restored = new HeapState();
    restoreKeyframe(restored, end);
    expect(captureKeyframe(restored)).toEqual(end);
    expect(countsOf(history, restored)).toEqual(countsOf(history, history.head));
    history.keyframes.splice(0); // only events lead the way
    const travel = new TimeTravel(history);
    travel.seek(history.head.seq);
    expect(captureKeyframe(travel.state)).toEqual(end);
    travel.seek(0);
    const empty = new HeapState();
    expect(captureKeyframe(travel.state)).toEqual(captureKeyframe(empty));
  });

  test('is walked like any pool: free is free, whoever has it', () => {
    const { head } = told([...kOneSpan, ...kRound]);
    const kinds: number[] = [];
    let freeNodes = -1;
    walkModel(head, 1, (word, _, __, extra) => {
      kinds.push(word & 0xff);
      if ((word & 0xff) === WalkKind.block) freeNodes = extra;
    });
    expect(kinds.filter((kind) => kind === WalkKind.nodeInUse).length).toBe(2);
    expect([kinds.filter((kind) => kind === WalkKind.nodeFree).length, freeNodes]).toEqual([58, 58]);
  });

  test('is told by the lists: shape, blocks, the last move, the heap beside it', () => {
    const history = told([...kOneSpan, ...kRound]);
    const heap = chooseHeap(history.head, 0);
    if (heap === undefined) throw new Error('no heap');
    expect(queryPools(history.head, heap).pools).toMatchObject([
      { pool: kPool, shape: 'size_class', blocks: 1, nodesInUse: 2, nodesFree: 58 },
    ]);
    const blocks = queryPoolBlocks(history.head, history.head.pool(kPool));
    expect([blocks.treeCount, [...blocks.address], [...blocks.freeNodes]]).toEqual([0, [kBlock], [58]]);
    const { acting, lastMove, undividedSince } = cachesAt(history, history.head);
    expect([acting, undividedSince]).toEqual([3, undefined]);
    const fetched = kOneSpan.length + 9;
    expect(lastMove).toEqual({ seq: fetched + 1, pool: kPool, thread: 3, count: 8, direction: 'fetched' });
    const travel = new TimeTravel(history);
    travel.seek(fetched);
    expect(cachesAt(history, travel.state).lastMove).toMatchObject({ thread: 2, direction: 'stored' });
    expect(queryHeaps(history.head)).toEqual([
      {
        id: 1,
        base: 0x10000,
        footprint: 65_536,
        inUse: 1944,
        cached: 0,
        segments: 1,
        chunksInUse: 1,
        chunksCached: 0,
        pools: 1,
      },
    ]);
  });

  test('a node of it knows its class and who had it last', () => {
    const history = told([...kOneSpan, ...kRound]);
    const inspect = (n: number) => queryInspect(history, history.head, addr(nodeNumber(n) + 5), undefined);
    const [zero, one, two, other] = [inspect(0), inspect(1), inspect(2), inspect(40)];
    expect([zero.small?.lastThread, one.small?.lastThread, two.small?.lastThread]).toEqual([3, 2, 1]);
    expect(other.small).toMatchObject({ lastThread: undefined, row: { pool: kPool, central: 22, inUse: 2 } });
    expect([zero.what, zero.node?.inUse, one.node?.inUse]).toEqual(['node', true, false]);
    const kinds = zero.life.map((line) => line.kind);
    expect(kinds.filter((kind) => kind === EventKind.nodeTaken).length).toBe(2);
    expect(kinds.filter((kind) => kind === EventKind.nodeReturned).length).toBe(1);
  });

  const wrong: readonly (readonly [string, readonly Line[], RegExp])[] = [
    ['more fetched than there is', [fetch(61, 1)], /central list of pool 7 has 60 nodes, not 61/],
    ['more stored than a cache has', [fetch(5, 1), store(6, 1)], /cache of thread 1 has 5 nodes of pool 7, not 6/],
    ["stored from another thread's cache", [fetch(5, 1), store(5, 2)], /cache of thread 2 has 0/],
    ['a node taken past the cache', [take(0)], /cache of thread 1 has 0 nodes of pool 7, not 1/],
    ["a node taken from another thread's cache", [fetch(5, 1), act(2, 1), take(0)], /cache of thread 2 has 0/],
    [
      'a span given back while nodes are cached',
      [fetch(5, 1), retire],
      /central list of pool 7 has 55 nodes, not the 60/,
    ],
    [
      'a span given back while a node is in use',
      [fetch(1, 1), take(0), store(0, 1), retire],
      /1 nodes .* still in use/,
    ],
    ['a node in use twice', [fetch(5, 1), take(0), take(0)], /in use already/],
    ['a thread that did not act', [act(3, 2)], /thread 1 acted, not 2/],
    ['thread 0', [act(0, 1)], /no thread 0/],
  ];
  test.each(wrong)('%s is a contradiction, and the state stays before it', (_, lines, text) => {
    const all = [...kOneSpan, ...lines];
    const history = told(all);
    expect(history.broken?.text).toMatch(text);
    expect(history.broken?.seq).toBe(all.length - 1);
    expect(captureKeyframe(history.head)).toEqual(captureKeyframe(told(all.slice(0, -1)).head));
  });

  test('a batch of a pool that has no caches is a contradiction', () => {
    const segregated = kOneSpan.map((line) =>
      line[0] === EventKind.poolShaped ? ([...line.slice(0, 4), Shape.segregated] as unknown as Line) : line,
    );
    expect(told([...segregated, take(0), giveBack(0)]).broken).toBeUndefined();
    expect(told([...segregated, fetch(1, 1)]).broken?.text).toMatch(/pool 7 is no size class/);
  });
});

describe.each([Shape.fixedBlock, Shape.lockFree, Shape.fixedSize])('a pool of shape %i', (shape) => {
  const owned = kOneSpan.map((line) =>
    line[0] === EventKind.poolShaped ? ([...line.slice(0, 4), shape] as unknown as Line) : line,
  );

  test('counts like a segregated one: no central list, no caches, any thread', () => {
    const history = told([...owned, take(0), take(1), act(2, 1), giveBack(0), take(5)]);
    expect(history.broken).toBeUndefined();
    expect(history.head.pool(kPool)).toMatchObject({ nodesInUse: 2, blocks: 1, central: 0 });
    expect(cachesAt(history, history.head).classes).toEqual([]);
    const back = told([...owned, take(0), giveBack(0), retire, [EventKind.poolDestroyed, kPool, 0x500, 0, 0]]);
    expect(back.broken).toBeUndefined();
  });

  test('has its own name in the list of pools', () => {
    const { head } = told(owned);
    const names = { [Shape.fixedBlock]: 'fixed_block', [Shape.lockFree]: 'lock_free', [Shape.fixedSize]: 'fixed_size' };
    const heap = chooseHeap(head, 0);
    expect(heap === undefined ? [] : queryPools(head, heap).pools.map((row) => row.shape)).toEqual([names[shape]]);
  });
});

test('a node handed out without a call is explained by itself', () => {
  const owned = kOneSpan.map((line) =>
    line[0] === EventKind.poolShaped ? ([...line.slice(0, 4), Shape.fixedBlock] as unknown as Line) : line,
  );
  const history = told([...owned, take(0), take(1), giveBack(0)]);
  const explain = explainOperation(history, owned.length + 3);
  expect(explain?.title).toMatch(/^the node at 0x.* of pool 7 is free$/);
  expect(explain?.lines.map((line) => line.kind)).toEqual([EventKind.nodeReturned]);
  expect(explain?.prose.map((part) => part.text).join('')).toMatch(/taken back the node at 0x.*own list of free nodes/);
});

describe('after a loss', () => {
  /** A history whose head was read from a walk of `lines`' heap, then went on. */
  function resynced(lines: readonly Line[], acting: number, then: readonly Line[]): History {
    const known = told(lines);
    const history = new History(traceOf([...lines, [EventKind.eventsLost, 0, 9, 0, 0], ...then]));
    history.stopsAtLoss = true;
    history.fold();
    expect(history.awaitsResync).toBe(true);
    readStateFromWalks(history.head, 4, [{ id: 1, address: 0x1000c }], acting, (_, visit) => {
      walkModel(known.head, 1, (...record) => visit(Uint32Array.from(record)));
    });
    history.addBarrier();
    history.fold();
    return history;
  }

  test('the class is known again, its free nodes count as central, and the frame says since when', () => {
    const lines = [...kOneSpan, ...kRound];
    const history = resynced(lines, 3, []);
    expect(countsOf(history, history.head)).toEqual([58, 2, { 1: 0, 2: 0, 3: 0 }]);
    const { undividedSince, acting } = cachesAt(history, history.head);
    expect([undividedSince, acting]).toEqual([lines.length + 1, 3]);
    const heap = chooseHeap(history.head, 0);
    expect(heap === undefined ? [] : queryPools(history.head, heap).pools.map((row) => row.shape)).toEqual([
      'size_class',
    ]);
  });

  test('events go on without contradiction, and in use stays right', () => {
    const lines = [...kOneSpan, ...kRound];
    const then = [act(1, 3), take(10), giveBack(0), act(2, 1), store(20, 2), fetch(50, 2), take(0)];
    const history = resynced(lines, 3, then);
    expect(history.broken).toBeUndefined();
    expect(countsOf(history, history.head)).toEqual([57, 3, { 1: 0, 2: 0, 3: 0 }]);
    const travel = new TimeTravel(history);
    travel.seek(lines.length + 2);
    expect(countsOf(history, travel.state)).toEqual([58, 2, { 1: 0, 2: 0, 3: 0 }]);
    travel.seek(lines.length - 1);
    expect(countsOf(history, travel.state)[1]).toBe(1);
    expect(queryInspect(history, history.head, addr(nodeNumber(0)), undefined).small?.lastThread).toBe(2);
    expect(queryInspect(history, history.head, addr(nodeNumber(2)), undefined).small?.lastThread).toBeUndefined();
  });

  test('who acts is asked anew: the first change of thread may name another', () => {
    expect(resynced([...kOneSpan, ...kRound], 2, [act(1, 3)]).broken).toBeUndefined();
    expect(resynced([...kOneSpan, ...kRound], 2, [act(1, 3), act(2, 3)]).broken?.text).toMatch(/thread 1 acted/);
  });
});

test('an operation of the small front is told with what decided', () => {
  const story = (lines: readonly Line[]) => {
    const history = told(lines);
    expect(history.broken).toBeUndefined();
    const explain = explainOperation(history, lines.length);
    return `${explain?.title}. ${explain?.prose.map((part) => part.text).join('')}`.replaceAll('\u202f', ' ');
  };
  const begin = (op: Op, a: number, b: number): Line => [EventKind.opBegun, op, a, b, 0];
  const end = (op: Op, a: number, b: number): Line => [EventKind.opEnded, op, a, b, 0];
  const fetched = [...kOneSpan, begin(Op.smallAllocate, 0, 30), fetch(32, 1), take(0)];
  expect(story([...fetched, end(Op.smallAllocate, nodeNumber(0), 32)])).toMatch(
    /^small front: allocate 30 B: 0x.*The cache of thread 1 had no node of pool 7; it fetched 32 from the central list\..* is one of the nodes fetched; 32 B are usable\.$/,
  );
  const flushed = [...kOneSpan, fetch(32, 1), begin(Op.smallFlush, 0, 0), store(32, 1), end(Op.smallFlush, 0, 0)];
  expect(story(flushed)).toMatch(/cache of the thread goes to the central lists\. Of pool 7 it stored 32 nodes\./);
  const squeezed = [...kOneSpan, begin(Op.smallSqueeze, 0, 0), retire, end(Op.smallSqueeze, 0, 1936)];
  expect(story(squeezed)).toMatch(/were in the central list: its 1.89 KiB went back\. In all 1.89 KiB went back\.$/);
});
