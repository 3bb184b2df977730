// Where a free chunk is kept: in a list of a bin, as top, or as the victim. insertInBin <-> removeFromBin; moveTop and moveVictim swap
// the two addresses.

import { kInUse } from './chunk_table.ts';
import { contradict } from './contradiction.ts';
import { type HeapEntry, haveBins, kMaxBins } from './entries.ts';
import type { HeapState } from './heap_state.ts';

/** A free chunk's place in the list of a bin: behind its predecessor, 0 for the first. */
type PlaceInBin = (
  state: HeapState,
  heap: HeapEntry,
  bin: number,
  address: number,
  size: number,
  predecessor: number,
) => void;

export const insertInBin: PlaceInBin = (state, heap, bin, address, size, predecessor) => {
  if (bin >= kMaxBins) contradict(`there is no bin ${bin}`);
  const granule = state.detachedGranuleOf(address, size, heap);
  haveBins(heap);
  if (predecessor === 0) {
    state.next[granule] = heap.binFirst[bin] ?? 0;
    heap.binFirst[bin] = address;
  } else {
    const before = state.granuleOf(predecessor);
    checkInBin(state, heap, bin, predecessor);
    state.next[granule] = state.next[before] ?? 0;
    state.next[before] = address;
  }
  state.tag[granule] = bin + 1;
  heap.binCount[bin] = (heap.binCount[bin] ?? 0) + 1;
  heap.binBytes[bin] = (heap.binBytes[bin] ?? 0) + size;
};

export const removeFromBin: PlaceInBin = (state, heap, bin, address, size, predecessor) => {
  const granule = state.freeGranuleOf(address, size);
  checkInBin(state, heap, bin, address);
  const after = state.next[granule] ?? 0;
  if (predecessor === 0) {
    if (heap.binFirst[bin] !== address) contradict(`the chunk at ${address} is not the first of bin ${bin}`);
    heap.binFirst[bin] = after;
  } else {
    checkInBin(state, heap, bin, predecessor);
    const before = state.granuleOf(predecessor);
    if (state.next[before] !== address) contradict(`${predecessor} is not before ${address} in bin ${bin}`);
    state.next[before] = after;
  }
  state.next[granule] = 0;
  state.tag[granule] = 0;
  heap.binCount[bin] = (heap.binCount[bin] ?? 0) - 1;
  heap.binBytes[bin] = (heap.binBytes[bin] ?? 0) - size;
};

function checkInBin(state: HeapState, heap: HeapEntry, bin: number, address: number): void {
  const granule = state.granuleOf(address);
  const isFree = ((state.chunks[granule] ?? 0) & kInUse) === 0;
  if (!isFree || state.tag[granule] !== bin + 1) contradict(`the chunk at ${address} is not in bin ${bin}`);
  state.checkOwner(heap.id, address);
}

export function moveTop(state: HeapState, heap: HeapEntry, to: number, from: number): void {
  if (heap.top !== from) contradict(`top was not at ${from}`);
  if (to !== 0) state.detachedGranuleOf(to, state.sizeOf(state.granuleOf(to)), heap);
  heap.top = to;
  touchBoth(state, to, from);
}

export function moveVictim(state: HeapState, heap: HeapEntry, to: number, from: number): void {
  if (heap.victim !== from) contradict(`the victim was not at ${from}`);
  if (to !== 0) state.detachedGranuleOf(to, state.sizeOf(state.granuleOf(to)), heap);
  heap.victim = to;
  touchBoth(state, to, from);
}

function touchBoth(state: HeapState, to: number, from: number): void {
  if (to !== 0) state.touch(to);
  if (from !== 0) state.touch(from);
}
