// Where a request would be served from at one moment, without growth: malloc's slabs and cache, then the heap (fit_policy.ts). The rules
// are fit.W1 to fit.W4 and fit.W6 of will_fit.ts.

import { listOf } from '../model/state/cached_chunks.ts';
import { chunkStateOf, forEachChunk } from '../model/state/chunk_at.ts';
import { cacheListKey, type HeapEntry } from '../model/state/entries.ts';
import type { HeapState } from '../model/state/heap_state.ts';
import { forEachWhole } from '../model/state/slab_around.ts';
import { kSlabHolder } from '../model/state/slabs.ts';
import type { FitsFigures } from '../protocol/answers.ts';
import { kSlabLists } from '../protocol/event_layout.ts';
import { ChunkState } from '../protocol/map_frames.ts';
import type { Known } from './ask.ts';
import {
  type ClassSize,
  chunkBytes,
  chunkOfSlabClass,
  classBytes,
  hasHole,
  kLargestSlab,
  kMostInSlab,
  kMostInSlabOfThread,
  search,
  searchAtStep,
  slabBytes,
  slabClassOf,
} from './fit_policy.ts';
import { kFree } from './pins.ts';

export interface FoundChunk {
  readonly from: FitsFigures['from'];
  readonly chunk: number | undefined; // W3
}

/** What the heap must have for it; of malloc also where the block may come from without it. */
export interface Wanted {
  readonly size: number;
  readonly cached?: ClassSize;
  readonly slab?: SlabWanted;
}

/** W4 */
interface SlabWanted {
  readonly list: number;
  readonly size: number; // of the chunk for another one
  readonly hadOne: boolean;
  readonly isOfThreads: boolean; // W6
}

/** W1, W4 */
export function wantedOf({ history, state }: Known, heap: HeapEntry, request: number): Wanted {
  const { malloc } = history;
  const wordSize = heap.wordSize || 4;
  if (malloc.heap !== heap.id) return { size: chunkBytes(request, wordSize) };
  const lists = [...malloc.sizes.keys()].filter((list) => list < kSlabLists);
  const cached = classBytes(request, wordSize, Math.max(0, ...lists));
  const isOfThreads = malloc.hasCentral || history.threadChanges.countBelow(state.seq) > 0;
  const most = isOfThreads ? kMostInSlabOfThread : kMostInSlab;
  if (request > most || (isOfThreads && malloc.firstSlabs.size === 0)) return { size: cached.size, cached };
  const list = kSlabLists + slabClassOf(request, wordSize);
  const hadOne = (malloc.firstSlabs.get(list) ?? state.seq) < state.seq;
  const size = slabBytes(list - kSlabLists, wordSize, bytesOfSlabs(state, heap, list));
  const alone = chunkOfSlabClass(list - kSlabLists, wordSize);
  return { size: hadOne && !isOfThreads ? size : alone.size, cached: alone, slab: { list, size, hadOne, isOfThreads } };
}

function bytesOfSlabs(state: HeapState, heap: HeapEntry, list: number): number {
  let bytes = 0;
  for (const segment of state.segments) {
    if (segment.heap !== heap.id) continue;
    forEachWhole(state, segment, (_, __, size, slab) => {
      if (slab?.list === list) bytes += size;
    });
  }
  return bytes;
}

/** From the acting thread's cache, else as the heap searches. */
export function servedBy(state: HeapState, heap: HeapEntry, wanted: Wanted): FoundChunk | 'perhaps' | undefined {
  const { cached: own, slab } = wanted;
  if (own === undefined) return search(state, heap, wanted.size);
  const blocks = slab === undefined ? [] : cachedOn(state, heap, slab.list, kSlabHolder);
  const cached = cachedOn(state, heap, own.list, state.acting);
  if (slab?.isOfThreads === true && (blocks.length > 0 || cached.length === 0))
    return blocks.length > 0 ? 'perhaps' : servedToThread(state, heap, own.size);
  if (blocks.length > 0 && cached.length > 0) return { from: 'cache', chunk: undefined };
  if (blocks.length > 0) return { from: 'slab', chunk: blocks.length === 1 ? blocks[0]?.at : undefined };
  if (slab !== undefined && cached.length === 0) return servedByNew(state, heap, own, slab);
  if (cached.length > 0 && (own.isListed || isSpareless(cached[0]?.size ?? 0, own.size, heap)))
    return { from: 'cache', chunk: cached.length === 1 ? cached[0]?.at : undefined };
  const found = search(state, heap, own.size);
  const mayAge = own.isListed ? heap.cached > 0 : cached.length > 0;
  return found === undefined || !mayAge ? found : { ...found, chunk: undefined };
}

/** W6. No slab has a free block, and the thread has no chunk. */
function servedToThread(state: HeapState, heap: HeapEntry, size: number): FoundChunk | 'perhaps' | undefined {
  const alone = search(state, heap, size);
  if (alone === undefined) return undefined;
  return searchAtStep(state, heap, kLargestSlab) === undefined ? 'perhaps' : { from: alone.from, chunk: undefined };
}

/** W4. No slab has a free block, and no chunk is cached. */
function servedByNew(
  state: HeapState,
  heap: HeapEntry,
  own: ClassSize,
  slab: SlabWanted,
): FoundChunk | 'perhaps' | undefined {
  const inSlab = searchAtStep(state, heap, slab.size);
  const isAlone = hasHole(state, heap, own.size);
  if (slab.hadOne)
    return inSlab !== undefined ? { from: inSlab.from, chunk: undefined } : isAlone ? 'perhaps' : undefined;
  const alone = search(state, heap, own.size);
  if (inSlab === undefined && alone === undefined) return undefined;
  if (inSlab === undefined || alone === undefined) return 'perhaps';
  return { from: inSlab.from, chunk: undefined };
}

/** The chunk that waits serves what leaves no chunk over. */
const isSpareless = (has: number, size: number, { wordSize }: HeapEntry): boolean =>
  has >= size && has - size < 4 * wordSize;

/** The chunks of one cache list of the acting thread. */
function cachedOn(
  state: HeapState,
  heap: HeapEntry,
  list: number,
  holder: number,
): { readonly at: number; readonly size: number }[] {
  const found: { readonly at: number; readonly size: number }[] = [];
  const cached = heap.cacheLists.get(cacheListKey(holder, list));
  if (cached === undefined || cached.chunks === 0) return found;
  for (const segment of state.segments) {
    if (segment.heap !== heap.id) continue;
    forEachChunk(state, segment, (at, granule) => {
      if (state.isCached(granule) && listOf(state, granule) === list && state.holderOf(granule) === holder)
        found.push({ at, size: state.sizeOf(granule) });
    });
  }
  return found;
}

/** W2. Whether the cached chunks, given back and joined with what is free, make a piece as large. */
export function fitsWhenFlushed(state: HeapState, heap: HeapEntry, wanted: number): boolean {
  if (heap.cached === 0) return false;
  let largest = 0;
  for (const segment of state.segments) {
    if (segment.heap !== heap.id) continue;
    let run = 0;
    forEachWhole(state, segment, (_, granule, size, slab) => {
      const kind = chunkStateOf(state, granule);
      const isBack = slab === undefined ? kind === ChunkState.cached : slab.free === slab.blocks;
      run = kFree.has(kind) || isBack ? run + size : 0;
      largest = Math.max(largest, run);
    });
  }
  return largest >= wanted;
}
