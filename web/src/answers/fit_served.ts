// Where a request would be served from at one moment, without growth: malloc's slabs and cache, then the heap (fit_policy.ts). The rules
// are fit.W1 to fit.W4, fit.W6 and fit.W7 of will_fit.ts.

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
  mapBytes,
  type Served,
  search,
  searchAtStep,
  slabBytes,
  slabClassOf,
} from './fit_policy.ts';
import { kFree } from './pins.ts';

export interface FoundChunk {
  readonly from: FitsFigures['from']; // none: the trace does not decide it (W4)
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
  readonly map: number; // bytes of the chunk that says where slabs lie
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
  const { ofClass, map } = bytesOfSlabs(state, heap, list);
  const size = slabBytes(list - kSlabLists, wordSize, ofClass);
  const alone = chunkOfSlabClass(list - kSlabLists, wordSize);
  const slab = { list, size, hadOne, isOfThreads, map };
  return { size: hadOne && !isOfThreads ? size : alone.size, cached: alone, slab };
}

/** Of those of a class, and of the chunk that says where all slabs lie. */
function bytesOfSlabs(state: HeapState, heap: HeapEntry, list: number): { ofClass: number; map: number } {
  const bytes = { ofClass: 0, map: 0 };
  for (const segment of state.segments) {
    if (segment.heap !== heap.id) continue;
    forEachWhole(state, segment, (_, __, size, slab) => {
      if (slab?.list === list) bytes.ofClass += size;
      else if (slab !== undefined && slab.list === undefined) bytes.map = size;
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
  if (slab?.isOfThreads === true && cached.length === 0)
    return blocks.length > 0 ? 'perhaps' : servedToThread(state, heap, own.size, slab);
  if (blocks.length > 0 && cached.length > 0) return { from: 'none', chunk: undefined };
  if (blocks.length > 0) return { from: 'slab', chunk: blocks.length === 1 ? blocks[0]?.at : undefined };
  const near = own.isListed && cached.length === 0 ? nearOn(state, heap, own) : cached;
  if (slab !== undefined && cached.length === 0) return servedByNew(state, heap, own, slab, near.length > 0);
  if (near.length > 0 && (own.isListed || isSpareless(near[0]?.size ?? 0, own.size, heap)))
    return { from: 'cache', chunk: near.length === 1 ? near[0]?.at : undefined };
  const found = search(state, heap, own.size);
  const mayAge = own.isListed ? heap.cached > 0 : cached.length > 0;
  return found === undefined || !mayAge ? found : { ...found, chunk: undefined };
}

/** The chunks of the first list that has one and serves the class, behind its own. */
function nearOn(state: HeapState, heap: HeapEntry, { list, near }: ClassSize): readonly CachedChunk[] {
  for (let later = list + 1; later <= near; ++later) {
    const found = cachedOn(state, heap, later, state.acting);
    if (found.length > 0) return found;
  }
  return [];
}

/** W6. No slab has a free block, and the thread has no chunk. */
function servedToThread(
  state: HeapState,
  heap: HeapEntry,
  size: number,
  slab: SlabWanted,
): FoundChunk | 'perhaps' | undefined {
  const alone = search(state, heap, size);
  if (alone === undefined) return undefined;
  return placeForSlab(state, heap, kLargestSlab, slab) === undefined
    ? 'perhaps'
    : { from: alone.from, chunk: undefined };
}

/** W4. No slab has a free block, and no chunk of the class is cached. isNear: but a chunk that serves. */
function servedByNew(
  state: HeapState,
  heap: HeapEntry,
  own: ClassSize,
  slab: SlabWanted,
  isNear: boolean,
): FoundChunk | 'perhaps' | undefined {
  const inSlab = placeForSlab(state, heap, slab.size, slab);
  const alone = isNear ? 'cache' : search(state, heap, own.size)?.from;
  if (inSlab === undefined) {
    const isPossible = slab.hadOne ? hasHole(state, heap, own.size) : alone !== undefined;
    return isPossible ? 'perhaps' : undefined;
  }
  if (slab.hadOne || alone === inSlab.from) return { from: inSlab.from, chunk: undefined };
  return alone === undefined ? 'perhaps' : { from: 'none', chunk: undefined };
}

/** W7 */
function placeForSlab(state: HeapState, heap: HeapEntry, size: number, slab: SlabWanted): Served | undefined {
  const place = searchAtStep(state, heap, size);
  if (place === undefined) return undefined;
  const end = place.chunk + Math.min(place.size, size + 2 * 1024);
  const map = mapBytes(heap, slab.map, end, slab.isOfThreads);
  if (map === 0) return place;
  const placeForMap = search(state, heap, map);
  return placeForMap === undefined || placeForMap.chunk === place.chunk ? undefined : place;
}

/** The chunk that waits serves what leaves no chunk over. */
const isSpareless = (has: number, size: number, { wordSize }: HeapEntry): boolean =>
  has >= size && has - size < 4 * wordSize;

interface CachedChunk {
  readonly at: number;
  readonly size: number;
}

/** The chunks of one cache list. */
function cachedOn(state: HeapState, heap: HeapEntry, list: number, holder: number): readonly CachedChunk[] {
  const found: CachedChunk[] = [];
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

/** The bytes of what the acting thread caches, of chunks and of blocks in slabs; each size once, largest first. */
export function cachedSizes(state: HeapState, heap: HeapEntry): readonly number[] {
  const sizes = new Set<number>();
  for (const segment of state.segments) {
    if (segment.heap !== heap.id || heap.cached === 0) continue;
    forEachChunk(state, segment, (_, granule) => {
      if (!state.isCached(granule)) return;
      const [holder, list] = [state.holderOf(granule), listOf(state, granule)];
      if (holder === (list < kSlabLists ? state.acting : kSlabHolder)) sizes.add(state.sizeOf(granule));
    });
  }
  return [...sizes].sort((one, two) => two - one);
}
