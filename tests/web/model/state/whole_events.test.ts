// Every event is checked whole before anything of it is applied (apply.ts, A5): an event that does not fit leaves the state
// behind it exactly as the events before it made it.

import { expect, test } from 'vitest';
import { captureKeyframe } from '../../../../web/src/model/state/keyframe.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { EventKind, Op, Shape } from '../../../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../../../web/src/trace/trace.ts';

type Line = readonly [kind: EventKind, heap: number, detail: number, a: number, b: number, c: number];

const kOne = 0x10000; // base of heap 1
const kTwo = 0x30000;
const kFree = 65_536 - 16;
const first = (base: number) => base + 12;

/** A heap with a chunk of 48 bytes in use, one of 64 in bin 6, one of 144 in use, and a top. */
const heap = (id: number, base: number): readonly Line[] => [
  [EventKind.heapCreated, id, 4, first(base), 8, 0],
  [EventKind.segmentAdded, id, 0, base, 65_536, first(base)],
  [EventKind.chunkSplit, id, 0, first(base), 48, kFree - 48],
  [EventKind.chunkTaken, id, 0, first(base), 48, 40],
  [EventKind.chunkSplit, id, 0, first(base) + 48, 64, kFree - 112],
  [EventKind.chunkSplit, id, 0, first(base) + 112, 144, kFree - 256],
  [EventKind.chunkTaken, id, 0, first(base) + 112, 144, 140],
  [EventKind.topChanged, id, 0, first(base) + 256, 0, 0],
  [EventKind.binInserted, id, 6, first(base) + 48, 64, 0],
];
/** Pool 5 of heap 1 with a block of four nodes of 32 bytes, one of them in use. */
const kPool: readonly Line[] = [
  [EventKind.poolCreated, 1, 5, 0x500, 32, 4],
  [EventKind.poolShaped, 1, 5, 0, 0, Shape.segregated],
  [EventKind.poolRuled, 1, 5, 0, 0, 128],
  [EventKind.blockMade, 1, 5, first(kOne) + 116, 128, 0],
  [EventKind.blockInserted, 1, 5, first(kOne) + 116, 0, 4],
  [EventKind.nodeTaken, 1, 5, first(kOne) + 116, first(kOne) + 116, 3],
];
const kStory = [...heap(1, kOne), ...heap(2, kTwo), ...kPool];

const kForeign: readonly Line[] = [
  [EventKind.heapCreated, 1, 0, 0, 8, 0],
  [EventKind.segmentAdded, 1, 0, 0, 0x20000, 0],
  [EventKind.blockAllocated, 1, 0, 0x1000, 100, 0],
  [EventKind.blockAllocated, 1, 0, 0x18000, 100, 0],
];

function told(lines: readonly Line[]): History {
  const trace = new Trace();
  for (const [kind, id, detail, a, b, c] of lines) trace.appendEvent(headOf(kind, id, detail), a, b, c);
  const history = new History(trace);
  history.fold();
  return history;
}

const block = first(kOne) + 116;
const top = first(kOne) + 256;
const beside = first(kOne) + 48; // the chunk in bin 6
const unkept: readonly Line[] = [[EventKind.binRemoved, 1, 6, beside, 64, 0]];
const sliver: readonly Line[] = [...unkept, [EventKind.chunkSplit, 1, 0, beside, 56, 8]];

const kWrong: readonly (readonly [string, readonly Line[], Line, RegExp])[] = [
  ['a burst of 8 bytes each', [], [EventKind.burstCarved, 1, 0, top, 8, (kFree - 256) / 8], /still kept|impossible/],
  [
    'a burst of 8 bytes each of what is kept nowhere',
    unkept,
    [EventKind.burstCarved, 1, 0, beside, 8, 8],
    /impossible/,
  ],
  ['a burst of nothing', unkept, [EventKind.burstCarved, 1, 0, beside, 64, 0], /is not free/],
  [
    'a removal of a segment from its last chunk on',
    [[EventKind.topChanged, 1, 0, 0, top, 0]],
    [EventKind.segmentRemoved, 1, 0, kOne, 65_536, top],
    /does not begin/,
  ],
  ["a cut of another heap's chunk", [], [EventKind.chunkSplit, 2, 0, first(kOne), 16, 32], /heap 2 has nothing at/],
  ["a free of another heap's chunk", [], [EventKind.chunkReleased, 2, 0, first(kOne), 48, 0], /heap 2 has nothing/],
  ["top at another heap's chunk", [], [EventKind.topChanged, 2, 0, top, first(kTwo) + 256, 0], /heap 2 has nothing/],
  [
    "a list behind another heap's chunk",
    unkept,
    [EventKind.binInserted, 1, 6, beside, 64, first(kTwo) + 48],
    /nothing/,
  ],
  ["a node of another heap's pool", [], [EventKind.nodeTaken, 2, 5, block + 32, block, 2], /pool 5 is of heap 1/],
  ["a node back to another heap's pool", [], [EventKind.nodeReturned, 2, 5, block, block, 4], /pool 5 is of heap 1/],
  ["a block of another heap's pool", [], [EventKind.blockRemoved, 2, 5, block, 0, 3], /pool 5 is of heap 1/],
  ["the end of another heap's pool", [], [EventKind.poolDestroyed, 2, 5, 0x500, 0, 0], /pool 5 is of heap 1/],
  ["another heap's pool shaped", [], [EventKind.poolShaped, 2, 5, 0, 0, Shape.segregated], /pool 5 is of heap 1/],
  ['a batch to a thread that never acted', [], [EventKind.batchFetched, 1, 5, 0, 1, 9], /no size class|no thread 9/],
  ['a pool shaped a second time', [], [EventKind.poolShaped, 1, 5, 0, 0, Shape.segregated], /shape already/],
  ['a pool ruled a second time', [], [EventKind.poolRuled, 1, 5, 0, 0, 128], /ruled already/],
  [
    'a pool ruled a second time, at first with blocks of 0 bytes',
    [
      [EventKind.poolCreated, 1, 6, 0x600, 32, 4],
      [EventKind.poolRuled, 1, 6, 4, 0, 0],
    ],
    [EventKind.poolRuled, 1, 6, 4, 0, 40],
    /ruled already/,
  ],
  [
    'a shape that is none',
    [[EventKind.poolCreated, 1, 6, 0x600, 32, 4]],
    [EventKind.poolShaped, 1, 6, 0, 0, 99],
    /no shape 99/,
  ],
  ['a pool of number 0', [], [EventKind.poolCreated, 1, 0, 0x600, 32, 4], /no pool 0/],
  [
    'sub-blocks without number',
    [
      [EventKind.topChanged, 1, 0, 0, top, 0],
      [EventKind.chunkTaken, 1, 0, top, kFree - 256, 4],
      [EventKind.poolCreated, 1, 6, 0x600, 8, 1],
      [EventKind.poolShaped, 1, 6, 8, 8000, Shape.adaptive],
      [EventKind.poolRuled, 1, 6, 0, 0, kFree - 272],
    ],
    [EventKind.blockMade, 1, 6, top + 4, kFree - 272, 0],
    /too many sub-blocks/,
  ],
  ['a heap of number 0', [], [EventKind.heapCreated, 0, 4, 0x80000, 8, 0], /no heap 0/],
  ['a cut while 8 bytes are left', sliver, [EventKind.chunkSplit, 1, 0, first(kOne), 16, 32], /of 8 bytes .* is left/],
  ['a join of others while 8 bytes are left', sliver, [EventKind.chunksMerged, 1, 1, beside, 56, 144], /of 8 bytes/],
  ['a node while 8 bytes are left', sliver, [EventKind.nodeTaken, 1, 5, block + 32, block, 2], /of 8 bytes .* is left/],
  [
    'a pool in the words of the join while 8 bytes are left',
    sliver,
    [EventKind.poolCreated, 1, 2, beside + 56, 8, 4],
    /of 8 bytes/,
  ],
  ['a join of 16 bytes while 8 are left', sliver, [EventKind.chunksMerged, 1, 2, beside + 56, 16, 144], /of 8 bytes/],
  ['a join of 8 other bytes', sliver, [EventKind.chunksMerged, 1, 2, beside, 8, 144], /of 8 bytes/],
  [
    'a join of free parts while 8 bytes are left',
    sliver,
    [EventKind.chunksMerged, 1, 0, beside + 56, 8, 144],
    /of 8 bytes/,
  ],
  ['a segment while 8 bytes are left', sliver, [EventKind.segmentAdded, 2, 0, 0x90000, 4096, 0x9000c], /of 8 bytes/],
  ['an end of a heap while 8 bytes are left', sliver, [EventKind.heapDestroyed, 2, 0, first(kTwo), 0, 0], /of 8 bytes/],
  ['an event that nobody knows', [], [99 as EventKind, 1, 0, 1, 2, 3], /no event of kind 99/],
  ['an operation that nobody knows', [], [EventKind.opBegun, 1, 999, 0, 0, 0], /no operation 999/],
  ['the end of one that nobody knows', [], [EventKind.opEnded, 1, 999, 0, 0, 0], /operation 999/],
  ['a block of a foreign heap', [], [EventKind.blockAllocated, 1, 0, first(kOne), 8, 0], /of a foreign heap only/],
  ['a place that goes from nowhere to nowhere', [], [EventKind.victimChanged, 1, 0, 0, 0, 0], /nowhere goes nowhere/],
  ['memory of more than 4 GiB', [], [EventKind.memoryGrown, 1, 1, 16, 70_000, 4], /70000 pages/],
  ['memory that shrinks', [], [EventKind.memoryGrown, 1, 1, 16, 8, 4], /from 16 to 8 pages/],
];

test.each(kWrong)('%s changes nothing', (_, before, line, text) => {
  const lines = [...kStory, ...before];
  const history = told([...lines, line, [EventKind.opBegun, 1, Op.trim, 0, 0, 0]]);
  expect(history.broken?.text).toMatch(text);
  expect(history.broken?.seq).toBe(lines.length);
  expectSame(history, told(lines));
});

const kWrongForeign: readonly (readonly [string, Line, RegExp])[] = [
  ['a block in the place of another, too large', [EventKind.blockAllocated, 1, 0, 0x1000, 0x20000, 0], /impossible/],
  [
    'a segment cut off before its last block',
    [EventKind.segmentTrimmed, 1, 0, 0, 0x20000, 0x10000],
    /still has blocks/,
  ],
  ['a cut that makes the segment larger', [EventKind.segmentTrimmed, 1, 0, 0, 0x20000, 0x40000], /cannot shrink/],
  ['a chunk', [EventKind.chunkTaken, 1, 0, 0x1000, 104, 100], /of a foreign heap only blocks are told/],
  ['a segment removed as one that begins elsewhere', [EventKind.segmentRemoved, 1, 0, 0, 0x20000, 8], /does not begin/],
];

test.each(kWrongForeign)('of a foreign heap %s changes nothing', (_, line, text) => {
  const history = told([...kForeign, line]);
  expect(history.broken?.text).toMatch(text);
  expectSame(history, told(kForeign));
});

function expectSame(history: History, before: History): void {
  expect(before.broken).toBeUndefined();
  expect(captureKeyframe(history.head)).toEqual(captureKeyframe(before.head));
  expect(history.head.sliver).toBe(before.head.sliver);
  expect(history.head.pageStarts).toEqual(before.head.pageStarts);
  expect(history.head.largePageStarts).toEqual(before.head.largePageStarts);
  expect(history.inUse.count).toBe(before.inUse.count);
}
