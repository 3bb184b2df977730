// What a block was asked for, by the calls of its life: the last one that changed it, or else the one that made it.

import { expect, test } from 'vitest';
import { lifeOf } from '../../../../web/src/model/queries/block_life.ts';
import { EventKind, Op, Status } from '../../../../web/src/protocol/event_layout.ts';
import { begin, chunkNumber, kSixChunks, kSize } from '../cached_events.ts';
import { type Line, traceOf } from '../small_events.ts';

const chunk = chunkNumber(1);
const mem = chunk + 4;
const made = kSixChunks.findIndex(([kind, , at]) => kind === EventKind.chunkTaken && at === chunk);

/** The request of the chunk that the event `born` made, behind these events. */
function requestOf(lines: readonly Line[], born: number): number | undefined {
  const trace = traceOf(lines);
  return lifeOf(trace, chunk, 4, born, trace.count, undefined).request;
}
const after = (...lines: readonly Line[]) => requestOf([...kSixChunks, ...lines], made);
const ended = (op: Op, address: number, received: number, status: number = Status.ok): Line => [
  EventKind.opEnded,
  op,
  address,
  received,
  status,
];

test('is what its birth asked for while no call changed it', () => {
  expect(after()).toBe(60);
  expect(after(begin(Op.reallocate, chunkNumber(2) + 4, 40), ended(Op.reallocate, chunkNumber(2) + 4, 64))).toBe(60);
});

test('is what the last call that kept it in place asked for, and a call that failed asked for nothing', () => {
  const shrunk = [begin(Op.reallocate, mem, 40), ended(Op.reallocate, mem, 64)];
  const grown = [begin(Op.reallocate, mem, 50), ended(Op.reallocate, mem, 64)];
  expect(after(...shrunk, ...grown)).toBe(50);
  expect(after(...grown, ...shrunk)).toBe(40);
  const failed = [begin(Op.reallocate, mem, 9000), ended(Op.reallocate, mem, 0, Status.outOfMemory)];
  expect(after(...shrunk, ...failed)).toBe(40);
  expect(after(begin(Op.command, mem, 64), ended(Op.command, mem, 48)), 'a command is content with less').toBe(48);
  expect(after(begin(Op.command, mem, 64), ended(Op.command, mem, 80)), 'and asks for no more').toBe(64);
});

test('is what a call under way asks for as soon as it has cut the chunk, and not before', () => {
  const begun = begin(Op.reallocate, mem, 9);
  expect(after(begun)).toBe(60);
  const cut: Line = [EventKind.chunkSplit, 0, chunk, 16, kSize - 16];
  expect(after(begun, cut)).toBe(9);
  expect(after(begin(Op.command, mem, 64), cut), 'a command is content with what it got').toBe(12);
});

test('is what it was at the copy to which a reset went back, and calls behind that count', () => {
  const asked = [begin(Op.reallocate, mem, 40), ended(Op.reallocate, mem, 64)];
  const kept: Line = [EventKind.stateKept, 0, 1, 0, 0];
  const reset: Line = [EventKind.stateReset, 0, 1, 0, 0];
  expect(after(kept, ...asked, reset)).toBe(60);
  expect(after(...asked, kept, begin(Op.reallocate, mem, 50), ended(Op.reallocate, mem, 64), reset)).toBe(40);
  expect(after(kept, reset, ...asked)).toBe(40);
});

test('is found behind more events than are shown, which are the birth and the newest', () => {
  const asked = [begin(Op.reallocate, mem, 40), ended(Op.reallocate, mem, 64)];
  const failed = [begin(Op.command, mem, 9000), ended(Op.command, mem, 0, Status.outOfMemory)];
  const trace = traceOf([...kSixChunks, ...asked, ...Array.from({ length: 30 }, () => failed).flat()]);
  const { lines, request } = lifeOf(trace, chunk, 4, made, trace.count, undefined);
  expect(request).toBe(40);
  const newest = Array.from({ length: 23 }, (_, nth) => trace.count - 22 + nth); // a line's number counts its event
  expect(lines.map(({ seq }) => seq)).toEqual([made + 1, ...newest]);
});

test('hides no older event once it is known', () => {
  const grown = [begin(Op.reallocate, mem, 50), ended(Op.reallocate, mem, 64)];
  const trace = traceOf([...kSixChunks, ...grown, ...grown, ...grown]);
  expect(
    lifeOf(trace, chunk, 4, made, trace.count, undefined)
      .lines.slice(-6)
      .map(({ seq }) => seq),
  ).toEqual([5, 4, 3, 2, 1, 0].map((before) => trace.count - before));
});

test('of a burst is the size of each, whatever else was carved', () => {
  const sixInUse = kSixChunks.slice(0, made);
  const carved: Line = [EventKind.burstCarved, 0, chunk, kSize, 3];
  const burst: Line = [EventKind.opBegun, Op.burstNodes, 8, 61, 1];
  expect(requestOf([...sixInUse, burst, carved, ended(Op.burstNodes, mem, 8)], made + 1)).toBe(61);
  const arrays: Line = [EventKind.opBegun, Op.burstArrays, 8, 61, 1];
  expect(requestOf([...sixInUse, burst, arrays, carved], made + 2), 'arrays have sizes of their own').toBeUndefined();
});

test('a call is found where the trace begins with it', () => {
  const burst: Line = [EventKind.opBegun, Op.burstNodes, 8, 61, 1];
  expect(requestOf([burst, [EventKind.burstCarved, 0, chunk, kSize, 3]], 1)).toBe(61);
  expect(requestOf([begin(Op.reallocate, mem, 40), ended(Op.reallocate, mem, 64)], 0)).toBe(40);
});

test('a call is looked for 64 events before its end, and a burst 4095 before what it carved, and no farther', () => {
  const others = (count: number) => Array.from({ length: count }, (): Line => [EventKind.topChanged, 0, 0, 0, 0]);
  const call = (between: number) =>
    after(begin(Op.reallocate, mem, 40), ...others(between), ended(Op.reallocate, mem, 64));
  expect([call(62), call(63), call(64)]).toEqual([40, 40, 60]);
  const carved = (between: number) =>
    requestOf(
      [
        ...others(3),
        [EventKind.opBegun, Op.burstNodes, 8, 61, 1],
        ...others(between),
        [EventKind.burstCarved, 0, chunk, kSize, 3],
      ],
      between + 4,
    );
  expect([carved(4094), carved(4095)]).toEqual([61, undefined]);
});

test('of a node are the events that name it and those of its block, and which last took or returned it', () => {
  const node = mem + 32;
  const named: Line[] = [
    [EventKind.nodeTaken, 7, node, mem, 3],
    [EventKind.nodeTaken, 7, node + 16, mem, 2],
    [EventKind.nodeReturned, 7, node, mem, 3],
    [EventKind.batchFetched, 7, node, 2, 1],
    [EventKind.batchStored, 7, node + 16, 2, 1],
    [EventKind.topChanged, 0, node, 0, 0],
  ];
  const trace = traceOf([...kSixChunks, [EventKind.blockMade, 7, mem, 64, 0], ...named]);
  const { lines, nodeEvent } = lifeOf(trace, chunk, 4, made, trace.count, node);
  const first = kSixChunks.length;
  expect(lines.map(({ seq }) => seq)).toEqual([made, first, first + 1, first + 3, first + 4].map((event) => event + 1));
  expect(nodeEvent).toBe(first + 3);
});

const { opBegun, opEnded, blockMade, blockRetired, blockInserted, blockRemoved, blockMoved } = EventKind;
const { chunksMerged, chunkTaken, chunkReleased, burstCarved, binInserted, binRemoved, topChanged, victimChanged } =
  EventKind;
const { commandTried, chunkCached, chunkReused, cachedMoved, cachedEnded, chunkSplit } = EventKind;
const kOfChunk = [
  ...[chunksMerged, chunkTaken, chunkReleased, burstCarved, binInserted, binRemoved, topChanged, victimChanged],
  ...[commandTried, chunkCached, chunkReused, cachedMoved, cachedEnded, chunkSplit],
];
const kOfMem = [opBegun, opEnded, blockMade, blockRetired, blockInserted, blockRemoved, blockMoved];

test('the life of a chunk has what names the chunk, and the calls and pools that name its first byte', () => {
  const listed = (at: number, kinds: readonly EventKind[]) => {
    const lines = kinds.map((kind): Line => [kind, 1, at, 16, 0]);
    const trace = traceOf([...kSixChunks, ...lines]);
    const found = lifeOf(trace, chunk, 4, made, trace.count, undefined).lines.slice(1); // behind its birth
    return found.map(({ kind }) => kind);
  };
  expect(listed(chunk, [...kOfChunk, ...kOfMem])).toEqual(kOfChunk);
  expect(listed(mem, [...kOfChunk, ...kOfMem])).toEqual(kOfMem);
  expect(listed(chunk - 16, [...kOfChunk, ...kOfMem]), 'a cut makes a chunk behind it').toEqual([chunkSplit]);
  expect(listed(chunk + 16, [...kOfChunk, ...kOfMem])).toEqual([]);
  const others = [EventKind.mark, EventKind.memoryGrown, EventKind.pagesDiscarded, EventKind.nodeTaken];
  for (const at of [chunk, mem]) expect(listed(at, others)).toEqual([]);
});

test('the life of a block of a foreign heap has its allocation and its free', () => {
  const lines: readonly Line[] = [
    [EventKind.heapCreated, 0, 0, 8, 0],
    [EventKind.segmentAdded, 0, 0, 0x20000, 0],
    [EventKind.blockAllocated, 0, 0x1000, 100, 0],
    [EventKind.blockAllocated, 0, 0x2000, 100, 0],
    [EventKind.blockFreed, 0, 0x1000, 0, 0],
  ];
  const { lines: found, request } = lifeOf(traceOf(lines), 0x1000, 0, 2, lines.length, undefined);
  expect([found.map(({ seq }) => seq), request]).toEqual([[3, 5], 100]);
});
