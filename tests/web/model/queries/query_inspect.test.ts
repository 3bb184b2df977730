// What the inspector says of an address in a slab: which part of it that is, the number of its block, and where each part begins.

import { expect, test } from 'vitest';
import { addr } from '../../../../web/src/base/brand.ts';
import { queryInspect } from '../../../../web/src/model/queries/query_inspect.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { EventKind, kSlabLists } from '../../../../web/src/protocol/event_layout.ts';
import { ChunkState } from '../../../../web/src/protocol/map_frames.ts';
import { chunkNumber, kChunks, kFree, kSixChunks, kSize } from '../cached_events.ts';
import { type Line, traceOf } from '../small_events.ts';

const kList = kSlabLists + 2;
const kBytes = 32;
const kBlocks = 5;
const kOwn = 16;
const kChunk = chunkNumber(kChunks);
const kChunkBytes = kOwn + kBlocks * kBytes + 24;
const block = (n: number): number => kChunk + kOwn + n * kBytes;
/** A slab of five blocks, of which the second and the fourth are in use, behind six chunks. */
const kSlab: readonly Line[] = [
  ...kSixChunks,
  [EventKind.topChanged, 0, 0, kChunk, 0],
  [EventKind.chunkSplit, 0, kChunk, kChunkBytes, kFree - kChunks * kSize - kChunkBytes],
  [EventKind.chunkTaken, 0, kChunk, kChunkBytes, kChunkBytes],
  [EventKind.topChanged, 0, kChunk + kChunkBytes, 0, 0],
  [EventKind.slabMade, kList, kChunk, kBytes, kBlocks],
  [EventKind.chunkReused, kList, block(1), kBytes, 30],
  [EventKind.chunkReused, kList, block(3), kBytes, 20],
];

function inspector() {
  const history = new History(traceOf(kSlab));
  history.fold();
  expect(history.broken).toBeUndefined();
  return (at: number) => queryInspect(history, history.head, addr(at), undefined);
}

test('each block of a slab has its number, from its first byte to its last', () => {
  const inspect = inspector();
  for (let n = 0; n < kBlocks; ++n) {
    const begin = block(n) + 4;
    for (const at of [begin, begin + 1, begin + kBytes - 5]) {
      const { slab, state } = inspect(at);
      expect(slab, `block ${n} at ${at - begin}`).toMatchObject({
        part: 'block',
        nth: n,
        chunk: kChunk,
        blocks: kBlocks,
        blockBytes: kBytes,
        free: 3,
      });
      expect(state).toBe(n === 1 || n === 3 ? ChunkState.inUse : ChunkState.cached);
    }
  }
  expect([inspect(block(1) + 4).request, inspect(block(3) + 4).request]).toEqual([30, 20]);
});

test("a slab's own words and its rest are parts of it, and no blocks", () => {
  const inspect = inspector();
  const common = { nth: 0, chunk: kChunk, blocks: kBlocks, blockBytes: kBytes, free: 3 };
  expect(inspect(kChunk).slab).toEqual({ part: 'own', ...common });
  expect(inspect(kChunk + kChunkBytes - 4).slab).toEqual({ part: 'rest', ...common });
  expect(inspect(chunkNumber(2) + 8).slab).toBeUndefined();
});

test('what lies beside a block is the block or the part before it and behind it', () => {
  const inspect = inspector();
  const sides = (at: number) => {
    const { previous, next } = inspect(at);
    return [previous?.address, next?.address];
  };
  expect(sides(block(2) + 4)).toEqual([block(1) + 4, block(3) + 4]);
  expect(sides(block(0) + 4)).toEqual([kChunk, block(1) + 4]);
  expect(sides(kChunk + kChunkBytes - 4)).toEqual([block(4) + 4, kChunk + kChunkBytes]);
});
