// Whole free pages: what could go back (core/src/heap/free_pages.cpp says the same of the real heap).
//
// Only the lists of large bins are walked, and what an operation has in its hands: O(free chunks of a page and more).

import type { Trace } from '../../trace/trace.ts';
import type { HeapEntry } from '../state/entries.ts';
import type { HeapState } from '../state/heap_state.ts';
import { binRange } from './bin_ranges.ts';
import { looseChunks } from './loose_chunks.ts';
import { forEachInBin } from './query_lists.ts';

const kHeadWords = 3; // size, next, previous

/**
 * Bytes of the whole free pages of all living heaps; 0 for a foreign heap, of whose free memory nothing is known.
 * trace: that of the state; without it every chunk is looked at inside an operation.
 */
export function queryFreePages(state: HeapState, pageBytes: number, trace?: Trace): number {
  if (state.isForeign) return 0;
  let sum = 0;
  for (const heap of state.livingHeaps()) sum += freePagesOf(state, heap, pageBytes, trace);
  return sum;
}

function freePagesOf(state: HeapState, heap: HeapEntry, pageBytes: number, trace?: Trace): number {
  const { wordSize } = state;
  if (wordSize === 0) return 0;
  let sum = 0;
  const add = (at: number, size: number): void => {
    const first = Math.ceil((at + kHeadWords * wordSize) / pageBytes) * pageBytes;
    const end = Math.floor((at + size - wordSize) / pageBytes) * pageBytes;
    sum += Math.max(0, end - first);
  };
  for (let bin = heap.binCount.length - 1; bin >= 0; --bin) {
    if (heap.binCount[bin] !== 0 && binRange(bin, wordSize).high > pageBytes) forEachInBin(state, heap, bin, add);
  }
  for (const at of [heap.top, heap.victim]) if (at !== 0) add(at, state.sizeOf(state.granuleAt(at)));
  for (const [at, size] of looseChunks(state, heap, trace).chunks) add(at, size);
  return sum;
}
