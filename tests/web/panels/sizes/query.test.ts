import { expect, it } from 'vitest';
import { chooseHeap, queryHeaps } from '../../../../web/src/model/queries/query_lists.ts';
import { chunkStateOf, forEachChunk, tailOf } from '../../../../web/src/model/state/chunk_at.ts';
import { querySizes } from '../../../../web/src/panels/sizes/query.ts';
import { ChunkState } from '../../../../web/src/protocol/map_frames.ts';
import { Drive } from '../../model/drive.ts';

const drive = await Drive.start(5);
drive.run(3_000, 88);
drive.runMalloc(600, 60, 2);
expect(drive.compare()).toBeUndefined();
const state = drive.history.head;
const heap = chooseHeap(state, 0);
if (heap === undefined) throw new Error('no heap');
const sizes = querySizes(state, heap);
const sum = (rows: readonly { readonly count: number; readonly bytes: number }[], key: 'count' | 'bytes') =>
  rows.reduce((all, row) => all + row[key], 0);

it('what is in use by size is what the heap counts as in use, and so is it by age; what is cached is beside it', () => {
  const row = queryHeaps(state).find(({ id }) => id === heap.id);
  expect(sum(sizes.inUse, 'count')).toBe(row?.chunksInUse);
  expect(sum(sizes.inUse, 'bytes')).toBe(row?.inUse);
  expect(row?.chunksCached).toBeGreaterThan(0);
  expect(sum(sizes.cached, 'count')).toBe(row?.chunksCached);
  expect(sum(sizes.cached, 'bytes')).toBe(row?.cached);
  expect(sum(sizes.ages, 'count')).toBe(sum(sizes.inUse, 'count'));
  expect(sum(sizes.ages, 'bytes')).toBe(sum(sizes.inUse, 'bytes'));
});

it('every chunk is in the class of its size, and the largest of a class is there', () => {
  let free = 0;
  for (const segment of state.segments) {
    if (segment.heap !== heap.id) continue;
    forEachChunk(state, segment, (at, granule) => {
      const size = state.sizeOf(granule);
      const kind = chunkStateOf(state, granule);
      const isFree = kind === ChunkState.free || kind === ChunkState.top || kind === ChunkState.victim;
      if (isFree) free += size;
      const list = isFree ? sizes.free : kind === ChunkState.cached ? sizes.cached : sizes.inUse;
      const row = list.find(({ power }) => power === Math.floor(Math.log2(size)));
      expect(row?.largest).toBeGreaterThanOrEqual(size);
      if (row?.largestAt === at) expect(row.largest).toBe(size);
    });
  }
  expect(sum(sizes.free, 'bytes')).toBe(free);
});

it("a segment's tail is its last chunk when that is free, else its end", () => {
  for (const segment of state.segments) {
    let last = segment.firstChunk;
    forEachChunk(state, segment, (at) => {
      last = at;
    });
    const granule = state.granuleAt(last);
    const kind = chunkStateOf(state, granule);
    const isFree = kind === ChunkState.free || kind === ChunkState.top || kind === ChunkState.victim;
    expect(tailOf(state, segment)).toBe(isFree ? last : last + state.sizeOf(granule));
  }
});
