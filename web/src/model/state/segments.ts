// Segments come, go, grow and shrink; their free memory with them. addSegment <-> removeSegment, resizeSegmentUp <-> resizeSegmentDown.

import { lastStartUpTo } from './chunk_at.ts';
import { contradict } from './contradiction.ts';
import type { HeapEntry, SegmentEntry } from './entries.ts';
import type { HeapState } from './heap_state.ts';

const kLeastChunk = 16;

/** Of a segment that is to come behind segment `at`: it fits in the address space, holds a chunk, and overlaps none. */
export function checkSegmentPlace(state: HeapState, at: number, base: number, size: number, firstChunk: number): void {
  const end = base + size;
  const below = state.segments[at];
  const above = state.segments[at + 1];
  const space = end - state.wordSize - firstChunk;
  if ((below !== undefined && below.base + below.size > base) || (above !== undefined && end > above.base)) {
    contradict(`the segment at ${base} overlaps another`);
  }
  const least = state.isForeign ? 0 : kLeastChunk;
  if (end > 2 ** 32 || firstChunk < base || space < least || (space & 7) !== 0) {
    contradict(`a segment at ${base} is impossible`);
  }
}

export function addSegment(
  state: HeapState,
  heapId: number,
  base: number,
  size: number,
  firstChunk: number,
  born: number,
): void {
  const heap = state.heap(heapId);
  const end = base + size;
  const at = state.segmentIndexAt(base);
  checkSegmentPlace(state, at, base, size, firstChunk);
  const free = end - state.wordSize - firstChunk;
  state.reserve(end);
  if (!state.isForeign) {
    state.addStart(firstChunk, free, 0, born); // refuses before anything else is changed
    heap.free += free;
  }
  state.insertSegment(at + 1, { heap: heapId, base, size, firstChunk });
  state.footprint += size;
}

/** Returns the birth of the free chunk that is gone with it. */
export function removeSegment(
  state: HeapState,
  heapId: number,
  base: number,
  size: number,
  firstChunk: number,
): number {
  const heap = state.heap(heapId);
  const segment = segmentOf(state, heapId, base, size);
  if (segment.firstChunk !== firstChunk) contradict(`the segment at ${base} does not begin with ${firstChunk}`);
  if (state.isForeign) {
    if (heap.chunksInUse !== 0) contradict(`the segment at ${base} still has blocks`);
    state.segments.splice(state.segmentIndexAt(base), 1);
    state.footprint -= size;
    return 0;
  }
  const free = base + size - state.wordSize - firstChunk;
  const born = removeFree(state, heap, firstChunk, free);
  state.segments.splice(state.segmentIndexAt(base), 1);
  state.footprint -= size;
  return born;
}

function segmentOf(state: HeapState, heapId: number, base: number, size: number): SegmentEntry {
  const segment = state.segmentWithBase(base, heapId);
  if (segment.size !== size) contradict(`the segment at ${base} does not have ${size} bytes`);
  return segment;
}

/** The free chunk that goes with memory given back. Returns its birth. */
function removeFree(state: HeapState, heap: HeapEntry, address: number, size: number): number {
  const granule = state.detachedGranuleOf(address, size, heap);
  const born = state.born[granule] ?? 0;
  state.removeStart(granule);
  heap.free -= size;
  return born;
}

export function resizeSegmentUp(
  state: HeapState,
  heapId: number,
  base: number,
  oldSize: number,
  newSize: number,
  born: number,
): void {
  const heap = state.heap(heapId);
  const segment = state.segmentWithBase(base, heapId);
  const growth = newSize - oldSize;
  const end = base + newSize;
  const above = state.segments[state.segmentIndexAt(base) + 1]?.base ?? 2 ** 32;
  if (segment.size !== oldSize || growth < kLeastChunk || (growth & 7) !== 0 || end > above) {
    contradict(`the segment at ${base} cannot grow from ${oldSize} to ${newSize} bytes`);
  }
  state.reserve(end);
  if (!state.isForeign) {
    state.addStart(base + oldSize - state.wordSize, growth, 0, born);
    heap.free += growth;
  }
  segment.size = newSize;
  state.footprint += growth;
}

/** Returns the birth of the free chunk that is gone with it. */
export function resizeSegmentDown(
  state: HeapState,
  heapId: number,
  base: number,
  oldSize: number,
  newSize: number,
): number {
  const heap = state.heap(heapId);
  const segment = segmentOf(state, heapId, base, oldSize);
  const shrink = oldSize - newSize;
  if (shrink < kLeastChunk || (shrink & 7) !== 0 || base + newSize < segment.firstChunk)
    contradict(`the segment at ${base} cannot shrink from ${oldSize} to ${newSize} bytes`);
  if (state.isForeign) {
    const last = lastStartUpTo(state, base + oldSize - 1);
    if (last !== undefined && last + state.sizeOf(state.granuleAt(last)) > base + newSize)
      contradict(`the segment at ${base} still has blocks`);
    segment.size = newSize;
    state.footprint -= shrink;
    return 0;
  }
  const born = removeFree(state, heap, base + newSize - state.wordSize, shrink);
  segment.size = newSize;
  state.footprint -= shrink;
  return born;
}
