// A slab as one thing: all its parts, from an address in any of them (slabs.ts has the parts).
//
//   AR1  To the heap a slab is one chunk in use. It goes back when none of its blocks is in use, and not before.
//   AR2  Found from a part by going back to the own words: at most 65 parts. A map of where slabs lie is own words alone, with no blocks.

import { forEachChunk, lastStartUpTo } from './chunk_at.ts';
import type { SegmentEntry } from './entries.ts';
import type { HeapState } from './heap_state.ts';
import { beginOf, isHeadless, isSlabPart, slabListOf } from './slabs.ts';

export interface SlabAround {
  readonly chunk: number; // of the heap
  readonly size: number;
  readonly list: number | undefined; // undefined: it says where slabs lie
  readonly blockBytes: number;
  readonly blocks: number;
  readonly free: number; // of the blocks
}

/** pre: a chunk begins at `part`. undefined: it is of no slab. */
export function slabAround(state: HeapState, part: number): SlabAround | undefined {
  let at = part;
  if (!isSlabPart(state, state.granuleAt(at))) return undefined;
  while (!isOwn(state, at)) {
    const before = lastStartUpTo(state, at - 1);
    if (before === undefined || !isSlabPart(state, state.granuleAt(before))) return undefined;
    at = before;
  }
  return slabFrom(state, at);
}

/** Where the slab's own words lie: neither a block nor the rest. */
const isOwn = (state: HeapState, at: number): boolean => !isHeadless(state, state.granuleAt(at));

function slabFrom(state: HeapState, chunk: number): SlabAround {
  let at = chunk + state.sizeOf(state.granuleAt(chunk));
  const list = startsAt(state, at) ? slabListOf(state, state.granuleAt(at)) : undefined;
  const blockBytes = list === undefined ? 0 : state.sizeOf(state.granuleAt(at));
  let [blocks, free] = [0, 0];
  for (; list !== undefined && startsAt(state, at) && slabListOf(state, state.granuleAt(at)) === list; ++blocks) {
    if (state.isCached(state.granuleAt(at))) ++free;
    at += blockBytes;
  }
  if (list !== undefined) at += state.sizeOf(state.granuleAt(at)); // the rest
  return { chunk, size: at - chunk, list, blockBytes, blocks, free };
}

function startsAt(state: HeapState, address: number): boolean {
  const granule = state.granuleAt(address);
  return (state.chunks[granule] ?? 0) !== 0 && state.addressOf(granule) === address;
}

/** The blocks of a slab that the program has: where each begins, and its granule. */
export function blocksInUse(
  state: HeapState,
  { chunk, blockBytes, blocks }: SlabAround,
): readonly [begin: number, granule: number][] {
  const first = chunk + state.sizeOf(state.granuleAt(chunk));
  const inUse: [number, number][] = [];
  for (let i = 0; i < blocks; ++i) {
    const at = first + i * blockBytes;
    const granule = state.granuleAt(at);
    if (!state.isCached(granule)) inUse.push([beginOf(state, at, granule), granule]);
  }
  return inUse;
}

/** In address order, each slab once as the chunk that it is to the heap (AR1). O(chunks). */
export function forEachWhole(
  state: HeapState,
  segment: SegmentEntry,
  visit: (at: number, granule: number, size: number, slab: SlabAround | undefined) => void,
): void {
  let end = 0;
  forEachChunk(state, segment, (at, granule) => {
    if (at < end) return;
    const slab = isSlabPart(state, granule) ? slabFrom(state, at) : undefined;
    const size = slab?.size ?? state.sizeOf(granule);
    visit(at, granule, size, slab);
    end = at + size;
  });
}
