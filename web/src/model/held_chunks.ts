// Chunks that the malloc front holds: rule P4 of event.h. A held chunk is in use for the heap and its neighbours, and
// free for the program; it waits in the cache of a thread (holder: the thread's number) or on a central list (holder 0).
//
//            ──chunk_held──▶  held   ──held_moved──▶  held by another
//     in use ◀─chunk_reused─         ──held_ended──▶  in use for a moment: the heap frees it next
//
//   H1  A held chunk has flags C and a tag: its list + 1; next is its holder (heap_state.ts). So a keyframe has both.
//   H2  Bytes and chunks are counted once: in use, held, or free. What a heap's lists hold adds up to its held.
//   H3  A walk names a chunk's holder, not its list: after a loss the list is kUnknownList, and any list fits it.

import { countInUse, inUseGranuleOf } from './changes.ts';
import { contradict } from './contradiction.ts';
import { type HeapEntry, quickListKey } from './entries.ts';
import type { HeapState } from './heap_state.ts';

export const kCentralHolder = 0;
/** H3; its tag is the greatest there is. */
export const kUnknownList = 0xfffe;

/** Of the lost word, when a chunk is taken off a list: the list was not known. */
export const kListWasUnknown = 0x8000_0000;

/** pre: the chunk is held */
export const listOf = (state: HeapState, granule: number): number => (state.tag[granule] ?? 0) - 1;

export const holderText = (holder: number): string =>
  holder === kCentralHolder ? 'a central list' : `thread ${holder}`;

/** The program freed it. Returns its granule. */
export function holdChunk(
  state: HeapState,
  heap: HeapEntry,
  list: number,
  address: number,
  size: number,
  thread: number,
): number {
  const granule = state.granuleOf(address);
  if (state.isHeld(granule)) contradict(`the chunk at ${address} is held already`);
  inUseGranuleOf(state, address, size);
  if (list >= kUnknownList) contradict(`there is no quick list ${list}`);
  if (thread !== state.acting && !state.actingAssumed) contradict(`thread ${state.acting} acted, not ${thread}`);
  markHeld(state, heap, granule, list, thread);
  return granule;
}

/** Of a chunk that must be held so; its granule. size: as told, undefined when no event tells it. */
export function heldGranuleOf(
  state: HeapState,
  list: number,
  address: number,
  size: number | undefined,
  holder: number,
): number {
  const granule = state.granuleOf(address);
  if (!state.isHeld(granule)) contradict(`the chunk at ${address} is not held`);
  if (size !== undefined && state.sizeOf(granule) !== size)
    contradict(`the chunk at ${address} does not have ${size} bytes`);
  const known = listOf(state, granule);
  if (known !== list && known !== kUnknownList) {
    contradict(`the chunk at ${address} waits on quick list ${known}, not on ${list}`);
  }
  const has = state.holderOf(granule);
  if (has !== holder) contradict(`the chunk at ${address} is held by ${holderText(has)}, not by ${holderText(holder)}`);
  return granule;
}

/** From holder to holder. */
export function moveHeld(
  state: HeapState,
  heap: HeapEntry,
  list: number,
  address: number,
  from: number,
  to: number,
): void {
  if (to !== kCentralHolder && !state.threads.includes(to)) contradict(`there is no thread ${to}`);
  const granule = heldGranuleOf(state, list, address, undefined, from);
  const known = listOf(state, granule);
  unmarkHeld(state, heap, granule);
  markHeld(state, heap, granule, known, to);
}

export function markHeld(state: HeapState, heap: HeapEntry, granule: number, list: number, holder: number): void {
  const size = state.sizeOf(granule);
  state.tag[granule] = list + 1;
  state.next[granule] = holder;
  state.touch(state.addressOf(granule));
  countHeld(state, heap, list, holder, size, 1);
}

export function unmarkHeld(state: HeapState, heap: HeapEntry, granule: number): void {
  const size = state.sizeOf(granule);
  countHeld(state, heap, listOf(state, granule), state.holderOf(granule), -size, -1);
  state.tag[granule] = 0;
  state.next[granule] = 0;
  state.touch(state.addressOf(granule));
}

/** H2: from in use to held, or back when negative. */
function countHeld(
  state: HeapState,
  heap: HeapEntry,
  list: number,
  holder: number,
  bytes: number,
  chunks: 1 | -1,
): void {
  countInUse(state, heap, -bytes, -chunks);
  state.held += bytes;
  heap.held += bytes;
  heap.chunksHeld += chunks;
  const key = quickListKey(holder, list);
  const known = heap.quickLists.get(key);
  if (known === undefined) heap.quickLists.set(key, { holder, list, chunks, bytes });
  else if (known.chunks + chunks === 0) heap.quickLists.delete(key);
  else {
    known.chunks += chunks;
    known.bytes += bytes;
  }
}
