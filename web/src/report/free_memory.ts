// How much of a state is free, and the largest free chunk: what decides whether a request fits.

import { queryLargestFree } from '../model/queries/query_lists.ts';
import type { HeapState } from '../model/state/heap_state.ts';

export interface FreeMemory {
  readonly free: number;
  readonly largest: number;
}

/** Of all living heaps together. */
export function freeMemoryOf(state: HeapState): FreeMemory {
  const living = state.heaps.filter((heap) => heap.living);
  return {
    free: living.reduce((sum, heap) => sum + heap.free, 0),
    largest: living.reduce((largest, heap) => Math.max(largest, queryLargestFree(state, heap)), 0),
  };
}

/** 1 - largest / free: 0 when all free memory is one chunk, or when there is none. */
export const fragmentationOf = ({ free, largest }: FreeMemory): number => (free === 0 ? 0 : 1 - largest / free);
