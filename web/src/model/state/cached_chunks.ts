// Chunks that malloc caches: rule P4 of event.h. A cached chunk is in use for the heap and its neighbours, and belongs
// to no caller; it is in the cache of a thread (holder: the thread's number) or on a central list (holder 0).
//
//            ──chunk_cached──▶  cached  ──cached_moved──▶  cached by another
//     in use ◀─chunk_reused──           ──cached_ended──▶  in use for a moment: the heap frees it next
//
//   K1  A cached chunk has the model's flag C and a tag: its list + 1; next is its holder (heap_state.ts). So a keyframe
//       has both. Its real header has B without C (walk.ts).
//   K2  Bytes and chunks are counted once: in use, cached, or free. The chunks on a heap's lists add up to its cached.
//   K4  Bytes are all that malloc keeps, as hg_malloc_get_stats counts them. A heap's number of cached chunks is of those that serve a
//       request: what a slab has for itself (slabs.ts, B2) is none.
//   K3  A walk names a chunk's holder, not its list: after a loss the list is kUnknownList, and any list fits it.

import { isSlabList } from '../../protocol/slab_lists.ts';
import { kHoldsBlock, kInSlab, kInUse } from './chunk_table.ts';
import { contradict } from './contradiction.ts';
import { cacheListKey, type HeapEntry } from './entries.ts';
import type { HeapState } from './heap_state.ts';
import { countInUse, inUseGranuleOf } from './in_use.ts';
import { isOfSlab, kSlabHolder, servesRequests } from './slabs.ts';

export const kCentralHolder = 0;
/** K3; its tag is the greatest there is. */
export const kUnknownList = 0xfffe;

/** Of the lost word, when a chunk is taken off a list: the list was not known. */
export const kListWasUnknown = 0x8000_0000;

/** pre: the chunk is cached */
export const listOf = (state: HeapState, granule: number): number => (state.tag[granule] ?? 0) - 1;

export const holderText = (holder: number): string =>
  holder === kCentralHolder ? 'a central list' : `thread ${holder}`;

/** The program freed it. Returns its granule. */
export function cacheChunk(
  state: HeapState,
  heap: HeapEntry,
  list: number,
  address: number,
  size: number,
  thread: number,
): number {
  const granule = state.granuleOf(address);
  if (state.isCached(granule)) contradict(`the chunk at ${address} is cached already`);
  if (isSlabList(list)) checkSlabBlock(state, granule, list, size);
  else inUseGranuleOf(state, address, size);
  if (list >= kInSlab || (isOfSlab(list) && !isSlabList(list))) contradict(`there is no cache list ${list}`);
  if (thread !== state.acting && !state.actingAssumed) contradict(`thread ${state.acting} acted, not ${thread}`);
  markCached(state, heap, granule, list, holderOn(list, thread));
  return granule;
}

/** Who holds a chunk on this list when `thread` acts. */
export const holderOn = (list: number, thread: number): number => (isOfSlab(list) ? kSlabHolder : thread);

function checkSlabBlock(state: HeapState, granule: number, list: number, size: number): void {
  const flags = (state.chunks[granule] ?? 0) & (kInUse | kHoldsBlock);
  if (flags !== kInUse || state.tag[granule] !== list + kInSlab || state.sizeOf(granule) !== size)
    contradict(`the block at ${state.addressOf(granule) + state.wordSize} is none of ${size} bytes in a slab`);
}

/** Of a chunk that must be cached so; its granule. size: as told, undefined when no event tells it. */
export function cachedGranuleOf(
  state: HeapState,
  list: number,
  address: number,
  size: number | undefined,
  holder: number,
): number {
  const granule = state.granuleOf(address);
  if (!state.isCached(granule)) contradict(`the chunk at ${address} is not cached`);
  if (size !== undefined && state.sizeOf(granule) !== size)
    contradict(`the chunk at ${address} does not have ${size} bytes`);
  const known = listOf(state, granule);
  if (known !== list && known !== kUnknownList) {
    contradict(`the chunk at ${address} is on cache list ${known}, not on ${list}`);
  }
  const has = state.holderOf(granule);
  if (has !== holder)
    contradict(`the chunk at ${address} is cached by ${holderText(has)}, not by ${holderText(holder)}`);
  return granule;
}

/** From holder to holder. */
export function moveCached(
  state: HeapState,
  heap: HeapEntry,
  list: number,
  address: number,
  from: number,
  to: number,
): void {
  if (isOfSlab(list)) contradict('blocks of slabs have no other holder');
  if (to !== kCentralHolder && !state.hasThread(to)) contradict(`there is no thread ${to}`);
  const granule = cachedGranuleOf(state, list, address, undefined, from);
  const known = listOf(state, granule);
  unmarkCached(state, heap, granule);
  markCached(state, heap, granule, known, to);
}

export function markCached(state: HeapState, heap: HeapEntry, granule: number, list: number, holder: number): void {
  const size = state.sizeOf(granule);
  state.tag[granule] = list + 1;
  state.next[granule] = holder;
  state.touch(state.addressOf(granule));
  countCached(state, heap, list, holder, size, 1);
}

export function unmarkCached(state: HeapState, heap: HeapEntry, granule: number): void {
  const size = state.sizeOf(granule);
  countCached(state, heap, listOf(state, granule), state.holderOf(granule), -size, -1);
  const list = listOf(state, granule);
  state.tag[granule] = isSlabList(list) ? list + kInSlab : 0;
  state.next[granule] = 0;
  state.touch(state.addressOf(granule));
}

/** K2: from in use to cached, or back when negative. */
function countCached(
  state: HeapState,
  heap: HeapEntry,
  list: number,
  holder: number,
  bytes: number,
  chunks: 1 | -1,
): void {
  countInUse(state, heap, -bytes, -chunks);
  state.cached += bytes;
  heap.cached += bytes;
  if (servesRequests(list)) heap.chunksCached += chunks; // K4
  const key = cacheListKey(holder, list);
  const known = heap.cacheLists.get(key);
  if (known === undefined) heap.cacheLists.set(key, { holder, list, chunks, bytes });
  else if (known.chunks + chunks === 0) heap.cacheLists.delete(key);
  else {
    known.chunks += chunks;
    known.bytes += bytes;
  }
}
