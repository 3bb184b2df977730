// How much of a state is free, and the largest free chunk: what decides whether a request fits.
//
//   N1  A free chunk is in a bin, or is top, or the victim; bins are ordered by size, so the largest chunk in a bin is one of the
//       last bin that is not empty.

import type { HeapEntry } from '../model/entries.ts';
import type { HeapState } from '../model/heap_state.ts';

const kMostSearched = 4096; // chunks of one bin

export interface FreeMemory {
  readonly free: number;
  readonly largest: number;
}

/** Of all living heaps together. */
export function freeMemoryOf(state: HeapState): FreeMemory {
  let free = 0;
  let largest = 0;
  for (const heap of state.heaps) {
    if (!heap.living) continue;
    free += heap.free;
    largest = Math.max(largest, sizeAt(state, heap.top), sizeAt(state, heap.victim), largestInBins(state, heap));
  }
  return { free, largest };
}

/** 1 - largest / free: 0 when all free memory is one chunk, or when there is none. */
export const fragmentationOf = ({ free, largest }: FreeMemory): number => (free === 0 ? 0 : 1 - largest / free);

const sizeAt = (state: HeapState, address: number): number => (address === 0 ? 0 : state.sizeOf(address >>> 4));

function largestInBins(state: HeapState, heap: HeapEntry): number {
  let bin = heap.binCount.length - 1;
  while (bin >= 0 && heap.binCount[bin] === 0) --bin;
  if (bin < 0) return 0;
  let largest = 0;
  let address = heap.binFirst[bin] ?? 0;
  for (let n = 0; address !== 0 && n < kMostSearched; ++n) {
    largest = Math.max(largest, sizeAt(state, address));
    address = state.next[address >>> 4] ?? 0;
  }
  return largest;
}
