// Which threads the tables of caches have columns for.

import type { HeapState } from '../state/heap_state.ts';

const kMostThreads = 128;

/**
 * Ascending; a thread that holds a cache has acted. Of more threads than a screen has room for, the one that acts and those that came
 * last.
 */
export function threadsOf({ threads, acting }: HeapState): Uint32Array<ArrayBuffer> {
  if (threads.length <= kMostThreads) return Uint32Array.from(threads).sort();
  const others = threads.filter((thread) => thread !== acting).slice(1 - kMostThreads);
  return Uint32Array.from([...others, acting]).sort();
}
