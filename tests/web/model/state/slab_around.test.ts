// A slab as one thing, found from any of its parts: its chunk, its blocks, and which of them the program has.

import { expect, test } from 'vitest';
import { blocksInUse, forEachWhole, slabAround } from '../../../../web/src/model/state/slab_around.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { EventKind, kSlabLists, kSlabWords } from '../../../../web/src/protocol/event_layout.ts';
import { chunkNumber, kChunks, kFree, kSixChunks, kSize } from '../cached_events.ts';
import { type Line, traceOf } from '../small_events.ts';

const kList = kSlabLists + 2;
const kBytes = 16;
const kBlocks = 2;
/** Chunks 1 and 2 are slabs of two blocks each, 3 is a map of slabs; the second block of the one and the first of the other are in use. */
const kSlabs: readonly Line[] = [
  ...kSixChunks,
  [EventKind.slabMade, kList, chunkNumber(1), kBytes, kBlocks],
  [EventKind.slabMade, kList, chunkNumber(2), kBytes, kBlocks],
  [EventKind.slabMade, kSlabWords, chunkNumber(3), 0, 0],
  [EventKind.chunkReused, kList, chunkNumber(1) + 16 + kBytes, kBytes, 9],
  [EventKind.chunkReused, kList, chunkNumber(2) + 16, kBytes, 9],
];
const history = new History(traceOf(kSlabs));
history.fold();
const { head: state } = history;
const parts = (n: number) => [0, 16, 16 + kBytes, 16 + 2 * kBytes].map((at) => chunkNumber(n) + at);
const slab = (n: number) => ({
  chunk: chunkNumber(n),
  size: kSize,
  list: kList,
  blockBytes: kBytes,
  blocks: kBlocks,
  free: 1,
});

test('from each of its parts the same slab is found, and from other chunks none', () => {
  expect(history.broken).toBeUndefined();
  for (const n of [1, 2]) for (const part of parts(n)) expect(slabAround(state, part), `${part}`).toEqual(slab(n));
  expect(slabAround(state, chunkNumber(3))).toEqual({
    ...slab(3),
    ...{ list: undefined, blockBytes: 0, blocks: 0, free: 0 },
  });
  for (const n of [0, 4, 5, kChunks]) expect(slabAround(state, chunkNumber(n))).toBeUndefined();
});

test('the blocks that the program has are those that were given out, each where it begins', () => {
  const begins = (n: number) => blocksInUse(state, slab(n)).map(([begin]) => begin);
  expect(begins(1)).toEqual([chunkNumber(1) + 16 + kBytes + 4]);
  expect(begins(2)).toEqual([chunkNumber(2) + 16 + 4]);
  for (const [, granule] of blocksInUse(state, slab(1))) expect(state.isCached(granule)).toBe(false);
});

test('chunk by chunk each slab comes once, as what it is to the heap', () => {
  const found: unknown[] = [];
  for (const segment of state.segments)
    forEachWhole(state, segment, (at, granule, size, around) => {
      expect(granule).toBe(state.granuleAt(at));
      found.push([at, size, around?.blocks]);
    });
  expect(found).toEqual([
    ...[undefined, kBlocks, kBlocks, 0, undefined, undefined].map((blocks, n) => [chunkNumber(n), kSize, blocks]),
    [chunkNumber(kChunks), kFree - kChunks * kSize, undefined],
  ]);
});
