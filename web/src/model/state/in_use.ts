// What is counted when chunks come into the program's hands or leave them. Each change that an event makes is checked against the state;
// what does not fit is a Contradiction. Most have their inverse beside them: segments.ts, bins.ts, blocks.ts, cached_chunks.ts.

import { kHoldsBlock, kInUse } from './chunk_table.ts';
import { contradict } from './contradiction.ts';
import type { HeapEntry } from './entries.ts';
import type { HeapState } from './heap_state.ts';

export function countTaken(state: HeapState, heap: HeapEntry, bytes: number): void {
  heap.inUse += bytes;
  heap.free -= bytes;
  state.inUse += bytes;
}

/** Chunks that come into the program's hands or leave them; what is free stays. */
export function countInUse(state: HeapState, heap: HeapEntry, bytes: number, chunks: number): void {
  heap.inUse += bytes;
  heap.chunksInUse += chunks;
  state.inUse += bytes;
}

/** A chunk of `size` bytes is given out for a request. */
export function checkRequest(address: number, size: number, request: number): void {
  if (request > size)
    contradict(`the chunk at ${address} has ${size} bytes, which are too few for a request of ${request}`);
}

export function inUseGranuleOf(state: HeapState, address: number, size: number): number {
  const granule = state.granuleOf(address);
  const flags = (state.chunks[granule] ?? 0) & (kInUse | kHoldsBlock);
  if (flags !== kInUse || state.sizeOf(granule) !== size) {
    contradict(`the chunk at ${address} is not in use with ${size} bytes`);
  }
  if (state.isCached(granule)) contradict(`the chunk at ${address} is cached, so it belongs to no caller`);
  if (state.tag[granule] !== 0)
    contradict(`the block before ${address + size + state.wordSize} is in a slab, and no chunk`);
  return granule;
}
