import { expect, test } from 'vitest';
import { forEachChunk } from '../../../../web/src/model/state/chunk_at.ts';
import { kChunkRules } from '../../../../web/src/model/state/rules_chunks.ts';
import { kHeapRules } from '../../../../web/src/model/state/rules_heaps.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { EventKind, Op } from '../../../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../../../web/src/trace/trace.ts';

type Line = readonly [kind: EventKind, detail: number, a: number, b: number, c: number];

const kBase = 0x10000;
const kFirst = kBase + 12;
const kFree = 65_536 - 16;

// One heap: a chunk of 48 bytes in use, one of 64 in bin 6, one of 2,096 in use that holds a block of pool 5, then top.
const kStory: readonly Line[] = [
  [EventKind.heapCreated, 4, kBase + 12, 8, 0],
  [EventKind.segmentAdded, 0, kBase, 65_536, kFirst],
  [EventKind.chunkSplit, 0, kFirst, 48, kFree - 48],
  [EventKind.chunkTaken, 0, kFirst, 48, 40],
  [EventKind.chunkSplit, 0, kFirst + 48, 64, kFree - 112],
  [EventKind.chunkSplit, 0, kFirst + 112, 2096, kFree - 112 - 2096],
  [EventKind.chunkTaken, 0, kFirst + 112, 2096, 2090],
  [EventKind.topChanged, 0, kFirst + 112 + 2096, 0, 0],
  [EventKind.binInserted, 6, kFirst + 48, 64, 0],
  [EventKind.poolCreated, 5, 0x500, 32, 64],
  [EventKind.poolShaped, 5, 2048, 1, 3],
  [EventKind.poolRuled, 5, 16, 0, 2080],
  [EventKind.blockMade, 5, kFirst + 116, 2080, 0],
  [EventKind.blockInserted, 5, kFirst + 116, 0, 64],
  [EventKind.nodeTaken, 5, kFirst + 132, kFirst + 116, 63],
];

function told(lines: readonly Line[]): History {
  const trace = new Trace();
  for (const [kind, detail, a, b, c] of lines) trace.appendEvent(headOf(kind, 1, detail), a, b, c);
  const history = new History(trace);
  history.fold();
  return history;
}

test('heaps are undone in the reverse order, and no other way', () => {
  const { head } = told(kStory);
  const undo = (heap: number) =>
    kHeapRules.heapCreated.undo(head, undefined as never, 0 as never, headOf(EventKind.heapCreated, heap));
  expect(() => undo(2)).toThrow(/heaps are a stack/);
});

test('a burst that is undone leaves one free chunk, and what lies behind it', () => {
  const { head } = told([
    ...kStory.slice(0, 2),
    [EventKind.chunkSplit, 0, kFirst, 144, kFree - 144],
    [EventKind.burstCarved, 0, kFirst, 48, 3],
  ]);
  const chunks = () => {
    const found: number[][] = [];
    for (const segment of head.segments)
      forEachChunk(head, segment, (at, granule) => found.push([at - kFirst, head.sizeOf(granule)]));
    return found;
  };
  const behind = [144, kFree - 144];
  expect(chunks()).toEqual([[0, 48], [48, 48], [96, 48], behind]);
  const lost = { at: () => 2 } as never; // the birth of what was carved
  kChunkRules.burstCarved.undo(head, lost, 3 as never, headOf(EventKind.burstCarved, 1), kFirst, 48, 3);
  expect(chunks()).toEqual([[0, 144], behind]);
  expect([head.burstChunks, head.heap(1).chunksInUse]).toEqual([0, 0]);
});

test('the story itself fits', () => {
  expect(told(kStory).broken).toBeUndefined();
});

const block = kFirst + 116;
const top = kFirst + 112 + 2096;
const topSize = kFree - 112 - 2096;
const wrong: readonly (readonly [string, Line, RegExp])[] = [
  ['a second heap of the same id', [EventKind.heapCreated, 4, 0x200, 8, 0], /heap 1 exists already/],
  ['an end of a heap with segments', [EventKind.heapDestroyed, 0, kBase + 12, 0, 0], /still has segments/],
  ['an overlapping segment', [EventKind.segmentAdded, 0, kBase + 4096, 65_536, kBase + 5000], /overlaps/],
  ['a removal of a segment in use', [EventKind.segmentRemoved, 0, kBase, 65_536, kFirst], /is not free/],
  ['growth from another size', [EventKind.segmentExtended, 0, kBase, 4096, 8192], /cannot grow/],
  ['trimming what is top', [EventKind.segmentTrimmed, 0, kBase, 65_536, top - kBase + 4], /still kept/],
  ['a cut of other sizes', [EventKind.chunkSplit, 0, kFirst, 16, 16], /does not have 16 \+ 16/],
  ['a cut of what is kept in a bin', [EventKind.chunkSplit, 0, kFirst + 48, 32, 32], /still kept/],
  ['a join with a chunk in use', [EventKind.chunksMerged, 0, kFirst + 48, 64, 2096], /still kept|not free/],
  ['a chunk taken that is in use', [EventKind.chunkTaken, 0, kFirst, 48, 4], /is not free with 48/],
  ['a chunk taken while it is top', [EventKind.chunkTaken, 0, top, topSize, 4], /still kept/],
  ['a double free', [EventKind.chunkReleased, 0, kFirst + 48, 64, 0], /is not in use with 64/],
  ['freeing the chunk of a block', [EventKind.chunkReleased, 0, kFirst + 112, 2096, 0], /is not in use with 2096/],
  ['a chunk between granules', [EventKind.chunkReleased, 0, kFirst + 8, 48, 0], /no chunk begins/],
  ['a carving of other size', [EventKind.burstCarved, 0, top, 32, 3], /is not free with 96/],
  ['a chunk in two bins', [EventKind.binInserted, 7, kFirst + 48, 64, 0], /still kept/],
  ['a bin that cannot be', [EventKind.binInserted, 5000, kFirst + 48, 64, 0], /no bin 5000/],
  ['leaving another bin', [EventKind.binRemoved, 7, kFirst + 48, 64, 0], /is not in bin 7/],
  ['leaving behind another', [EventKind.binRemoved, 6, kFirst + 48, 64, kFirst], /is not in bin 6/],
  ['top from elsewhere', [EventKind.topChanged, 0, 0, kFirst, 0], /top was not at/],
  ['a victim from elsewhere', [EventKind.victimChanged, 0, 0, kFirst + 48, 0], /the victim was not at/],
  ['a victim that is in use', [EventKind.victimChanged, 0, kFirst, 0, 0], /is not free/],
  ['a second pool of the same id', [EventKind.poolCreated, 5, 0x600, 32, 8], /pool 5 exists already/],
  ['an end of a pool with blocks', [EventKind.poolDestroyed, 5, 0x500, 0, 0], /still has blocks/],
  ['a pool that is not', [EventKind.blockMade, 9, kFirst + 4, 40, 0], /no pool 9/],
  ['a block larger than its chunk', [EventKind.blockMade, 5, kFirst + 4, 2080, 0], /too small for a block/],
  ['a block given back from the tree', [EventKind.blockRetired, 5, block, 2080, 0], /still in the tree/],
  ['a block behind what is none', [EventKind.blockMoved, 5, block, 0, kFirst + 4], /no block at/],
  ['a node taken twice', [EventKind.nodeTaken, 5, kFirst + 132, block, 62], /in use already/],
  ['a node returned twice', [EventKind.nodeReturned, 5, kFirst + 164, block, 64], /free already/],
  ['a node of a block that is none', [EventKind.nodeTaken, 5, kFirst + 164, kFirst + 4, 62], /no block at/],
  ['an end of a snapshot that was not begun', [EventKind.snapshotEnded, 0, 0, 0, 0], /was not begun/],
  ['a heap of a snapshot that was not begun', [EventKind.snapshotHeap, 8, kBase, 0, 12], /was not begun/],
  ['a node at an odd address', [EventKind.nodeTaken, 5, kFirst + 133, block, 62], /no node of pool 5 begins/],
];

// A refused event changes nothing: what the segment's first chunk is asked for comes before the segment itself.
test('a segment whose chunk cannot begin where it says is refused whole', () => {
  const history = told([...kStory, [EventKind.segmentAdded, 0, 0x40000, 4100, 0x40000]]);
  expect(history.broken?.text).toMatch(/a chunk of \d+ bytes at 262144 is impossible/);
  expect(history.head.segments.length).toBe(1);
  expect(history.head.footprint).toBe(65_536);
});

test.each(wrong)('%s is a contradiction', (_, line, text) => {
  const history = told([...kStory, line, [EventKind.opBegun, Op.trim, 0, 0, 0]]);
  expect(history.broken?.seq).toBe(kStory.length);
  expect(history.broken?.text).toMatch(text);
  expect(history.head.seq).toBe(kStory.length);
});

// Without a rule a pool of no nodes may have blocks of any size; a rule that came later would not fit them when it is undone.
test.each([
  ['shaped', [EventKind.poolShaped, 5, 2048, 1, 3]],
  ['ruled', [EventKind.poolRuled, 5, 16, 0, 4000]],
] as const)('a pool that has blocks is not %s any more', (_, line) => {
  const created: Line = [EventKind.poolCreated, 5, 0x500, 32, 0];
  const story = [...kStory.slice(0, 9), created, [EventKind.blockMade, 5, kFirst + 116, 2080, 0] as Line];
  const history = told([...story, line]);
  expect(history.broken?.seq).toBe(story.length);
  expect(history.broken?.text).toMatch(/pool 5 has blocks already/);
});
