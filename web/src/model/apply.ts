// state = apply(state, event): what each kind of event changes, and nothing it does not say.
//
//   A1  Every event is checked against the state; one that does not fit is a Contradiction, and the fold ends before it.
//   A2  What an event overwrites and does not tell goes into the lost column, one word an event, for undo:
//         6, 7, 22, 23, 24   born of the chunk that is gone, or was freed or taken
//         21                 born of the part that is gone; of two free parts the older, bit 31 telling that the right
//                            part was the younger (the whole is as young as its youngest part)
//   A3  A chunk in use keeps its birth when it is cut or expanded, backward too.

import { assertUnreachable } from '../base/assert.ts';
import type { PagedUint32 } from '../base/growing.ts';
import { EventKind, type Shape } from '../protocol/event_layout.ts';
import { detailOf, heapOf, kindOf } from '../trace/trace.ts';
import { contradict } from './contradiction.ts';
import { emptyBins, type HeapEntry, kMaxBins, kNoBins, makeHeap, makePool, type PoolEntry } from './entries.ts';
import { type HeapState, kHoldsBlock, kInUse, kSliverBytes } from './heap_state.ts';

export const kRightWasYounger = 0x8000_0000;

/** One event, given as its words. pre: seq == state.seq */
export function applyEvent(state: HeapState, lost: PagedUint32, head: number, a: number, b: number, c: number): void {
  const kind = kindOf(head);
  const seq = state.seq;
  switch (kind) {
    case EventKind.heapCreated:
      applyHeapCreated(state, heapOf(head), detailOf(head), a, b, c);
      break;
    case EventKind.heapDestroyed:
      applyHeapDestroyed(state, heapOf(head), a);
      break;
    case EventKind.segmentAdded:
      addSegment(state, heapOf(head), a, b, c, seq);
      break;
    case EventKind.segmentExtended:
      resizeSegmentUp(state, heapOf(head), a, b, c, seq);
      break;
    case EventKind.segmentTrimmed:
      lost.set(seq, resizeSegmentDown(state, heapOf(head), a, b, c));
      break;
    case EventKind.segmentRemoved:
      lost.set(seq, removeSegment(state, heapOf(head), a, b, c));
      break;
    case EventKind.chunkSplit: {
      const heap = state.heap(heapOf(head));
      const granule = state.granuleOf(a);
      if (state.sizeOf(granule) !== b + c) contradict(`the chunk at ${a} does not have ${b} + ${c} bytes`);
      const flags = (state.chunks[granule] ?? 0) & (kInUse | kHoldsBlock);
      if (flags === 0) state.detachedGranuleOf(a, b + c, heap);
      if (b < 16) contradict(`a chunk of ${b} bytes is impossible`);
      if (c === kSliverBytes) state.setSliver(a + b, seq);
      else state.addStart(a + b, c, 0, seq);
      state.setChunk(granule, b, flags);
      if (flags !== 0) countTaken(state, heap, -c);
      break;
    }
    case EventKind.chunksMerged:
      lost.set(seq, mergeChunks(state, state.heap(heapOf(head)), detailOf(head), a, b, c));
      break;
    case EventKind.chunkTaken: {
      const heap = state.heap(heapOf(head));
      const granule = state.detachedGranuleOf(a, b, heap);
      state.setChunk(granule, b, kInUse);
      countTaken(state, heap, b);
      lost.set(seq, state.born[granule] ?? 0);
      state.born[granule] = seq;
      break;
    }
    case EventKind.chunkReleased: {
      const granule = inUseGranuleOf(state, a, b);
      state.setChunk(granule, b, 0);
      countTaken(state, state.heap(heapOf(head)), -b);
      lost.set(seq, state.born[granule] ?? 0);
      state.born[granule] = seq;
      break;
    }
    case EventKind.burstCarved: {
      const heap = state.heap(heapOf(head));
      const granule = state.detachedGranuleOf(a, b * c, heap);
      lost.set(seq, state.born[granule] ?? 0);
      state.setChunk(granule, b, kInUse);
      state.born[granule] = seq;
      for (let i = 1; i < c; ++i) state.addStart(a + i * b, b, kInUse, seq);
      countTaken(state, heap, b * c);
      break;
    }
    case EventKind.binInserted:
      insertInBin(state, state.heap(heapOf(head)), detailOf(head), a, b, c);
      break;
    case EventKind.binRemoved:
      removeFromBin(state, state.heap(heapOf(head)), detailOf(head), a, b, c);
      break;
    case EventKind.topChanged:
      moveTop(state, state.heap(heapOf(head)), a, b);
      break;
    case EventKind.victimChanged:
      moveVictim(state, state.heap(heapOf(head)), a, b);
      break;
    case EventKind.poolCreated:
      applyPoolCreated(state, heapOf(head), detailOf(head), a, b, c);
      break;
    case EventKind.poolShaped: {
      const pool = state.pool(detailOf(head));
      if (b !== 0 && a === 0) contradict('sub-blocks of 0 bytes are impossible');
      pool.subBlockBytes = a;
      pool.subBlocks = b;
      pool.shape = (c & 0xff) as Shape;
      pool.maxFreeBlocks = c >>> 8;
      break;
    }
    case EventKind.poolRuled: {
      const pool = state.pool(detailOf(head));
      pool.firstNode = a;
      pool.laterNode = b;
      pool.blockBytes = c;
      break;
    }
    case EventKind.poolDestroyed: {
      const pool = state.pool(detailOf(head));
      if (pool.address !== a || pool.blocks !== 0) contradict(`pool ${pool.id} at ${a} still has blocks`);
      pool.living = false;
      break;
    }
    case EventKind.blockMade:
      markBlock(state, state.pool(detailOf(head)), a);
      break;
    case EventKind.blockRetired:
      unmarkBlock(state, state.pool(detailOf(head)), a);
      break;
    case EventKind.blockInserted:
      insertInTree(state, state.pool(detailOf(head)), a, b);
      break;
    case EventKind.blockRemoved:
      removeFromTree(state, state.pool(detailOf(head)), a, b);
      break;
    case EventKind.blockMoved: {
      const pool = state.pool(detailOf(head));
      removeFromTree(state, pool, a, b);
      insertInTree(state, pool, a, c);
      break;
    }
    case EventKind.nodeTaken: {
      const pool = state.pool(detailOf(head));
      state.setNode(a, true);
      pool.nodesInUse += 1;
      break;
    }
    case EventKind.nodeReturned: {
      const pool = state.pool(detailOf(head));
      state.setNode(a, false);
      pool.nodesInUse -= 1;
      break;
    }
    case EventKind.memoryGrown: // facts beside the heap: told by the history's own lists
    case EventKind.opBegun:
    case EventKind.opEnded:
    case EventKind.binSearched:
    case EventKind.commandTried:
    case EventKind.mark:
    case EventKind.checkpoint:
    case EventKind.eventsLost:
      break;
    default:
      assertUnreachable(kind);
  }
  state.seq = seq + 1;
}

// ---- the changes, each with its inverse, for apply and undo to choose from ----

export function countTaken(state: HeapState, heap: HeapEntry, bytes: number): void {
  heap.inUse += bytes;
  heap.free -= bytes;
  state.inUse += bytes;
}

function applyHeapCreated(state: HeapState, id: number, word: number, a: number, b: number, c: number): void {
  const before = state.heapById[id];
  if (before?.living) contradict(`heap ${id} exists already`);
  if (word !== 4 && word !== 8) contradict(`a word of ${word} bytes is impossible`);
  if (state.heaps.length !== 0 && word !== state.wordSize) contradict('heaps of different word sizes');
  const heap = makeHeap(id, a, word, b, c, before);
  state.wordSize = word;
  state.heaps.push(heap);
  state.heapById[id] = heap;
}

function applyHeapDestroyed(state: HeapState, id: number, address: number): void {
  const heap = state.heap(id);
  const segments = state.segments.some((segment) => segment.heap === id);
  if (heap.address !== address || segments) contradict(`heap ${id} at ${address} still has segments`);
  heap.living = false;
  Object.assign(heap, kNoBins);
}

export function reviveHeap(heap: HeapEntry): void {
  heap.living = true;
  Object.assign(heap, emptyBins());
}

function applyPoolCreated(state: HeapState, heap: number, id: number, a: number, b: number, c: number): void {
  const before = state.poolById.get(id);
  if (before?.living) contradict(`pool ${id} exists already`);
  if (b < 4) contradict(`nodes of ${b} bytes are impossible`);
  const pool = makePool(id, heap, a, b, c, before);
  state.pools.push(pool);
  state.poolById.set(id, pool);
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
  const below = state.segments[at];
  const above = state.segments[at + 1];
  if (end > 2 ** 32 || firstChunk < base || firstChunk >= end) contradict(`a segment at ${base} is impossible`);
  if ((below !== undefined && below.base + below.size > base) || (above !== undefined && end > above.base)) {
    contradict(`the segment at ${base} overlaps another`);
  }
  state.reserve(end);
  const free = end - state.wordSize - firstChunk;
  state.addStart(firstChunk, free, 0, born);
  state.segments.splice(at + 1, 0, { heap: heapId, base, size, firstChunk });
  heap.free += free;
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
  const segment = state.segmentWithBase(base, heapId);
  if (segment.size !== size) contradict(`the segment at ${base} does not have ${size} bytes`);
  const free = base + size - state.wordSize - firstChunk;
  const granule = state.detachedGranuleOf(firstChunk, free, heap);
  const born = state.born[granule] ?? 0;
  state.removeStart(granule);
  state.segments.splice(state.segmentIndexAt(base), 1);
  heap.free -= free;
  state.footprint -= size;
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
  if (segment.size !== oldSize || growth <= 0 || base + newSize > 2 ** 32) {
    contradict(`the segment at ${base} cannot grow from ${oldSize} to ${newSize} bytes`);
  }
  state.reserve(base + newSize);
  state.addStart(base + oldSize - state.wordSize, growth, 0, born);
  segment.size = newSize;
  heap.free += growth;
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
  const segment = state.segmentWithBase(base, heapId);
  if (segment.size !== oldSize) contradict(`the segment at ${base} does not have ${oldSize} bytes`);
  const shrink = oldSize - newSize;
  const granule = state.detachedGranuleOf(base + newSize - state.wordSize, shrink, heap);
  const born = state.born[granule] ?? 0;
  state.removeStart(granule);
  segment.size = newSize;
  heap.free -= shrink;
  state.footprint -= shrink;
  return born;
}

export function inUseGranuleOf(state: HeapState, address: number, size: number): number {
  const granule = state.granuleOf(address);
  const flags = (state.chunks[granule] ?? 0) & (kInUse | kHoldsBlock);
  if (flags !== kInUse || state.sizeOf(granule) !== size) {
    contradict(`the chunk at ${address} is not in use with ${size} bytes`);
  }
  return granule;
}

/** detail: 0 both parts are free, 1 the left is in use, 2 the right. Returns the lost word (A2). */
function mergeChunks(state: HeapState, heap: HeapEntry, inUse: number, a: number, b: number, c: number): number {
  if (inUse === 2 && b === kSliverBytes && a === state.sliver) return mergeSliver(state, heap, a, c);
  const left = inUse === 1 ? inUseGranuleOf(state, a, b) : state.detachedGranuleOf(a, b, heap);
  const right = inUse === 2 ? inUseGranuleOf(state, a + b, c) : state.detachedGranuleOf(a + b, c, heap);
  const leftBorn = state.born[left] ?? 0;
  const rightBorn = state.born[right] ?? 0;
  state.removeStart(right);
  state.setChunk(left, b + c, inUse === 0 ? 0 : kInUse);
  if (inUse === 1) {
    countTaken(state, heap, c);
    return rightBorn;
  }
  if (inUse === 2) {
    countTaken(state, heap, b);
    state.born[left] = rightBorn;
    return leftBorn;
  }
  if (leftBorn >= rightBorn) return rightBorn;
  state.born[left] = rightBorn;
  return (leftBorn | kRightWasYounger) >>> 0;
}

function mergeSliver(state: HeapState, heap: HeapEntry, address: number, size: number): number {
  const right = inUseGranuleOf(state, address + kSliverBytes, size);
  const born = state.born[right] ?? 0;
  state.sliver = 0;
  state.removeStart(right);
  state.addStart(address, kSliverBytes + size, kInUse, born);
  countTaken(state, heap, kSliverBytes);
  return state.sliverBorn;
}

export function insertInBin(
  state: HeapState,
  heap: HeapEntry,
  bin: number,
  address: number,
  size: number,
  predecessor: number,
): void {
  if (bin >= kMaxBins) contradict(`there is no bin ${bin}`);
  const granule = state.detachedGranuleOf(address, size, heap);
  if (predecessor === 0) {
    state.next[granule] = heap.binFirst[bin] ?? 0;
    heap.binFirst[bin] = address;
  } else {
    const before = state.granuleOf(predecessor);
    if (state.tag[before] !== bin + 1) contradict(`the chunk at ${predecessor} is not in bin ${bin}`);
    state.next[granule] = state.next[before] ?? 0;
    state.next[before] = address;
  }
  state.tag[granule] = bin + 1;
  heap.binCount[bin] = (heap.binCount[bin] ?? 0) + 1;
  heap.binBytes[bin] = (heap.binBytes[bin] ?? 0) + size;
}

export function removeFromBin(
  state: HeapState,
  heap: HeapEntry,
  bin: number,
  address: number,
  size: number,
  predecessor: number,
): void {
  const granule = state.freeGranuleOf(address, size);
  if (state.tag[granule] !== bin + 1) contradict(`the chunk at ${address} is not in bin ${bin}`);
  const after = state.next[granule] ?? 0;
  if (predecessor === 0) {
    if (heap.binFirst[bin] !== address) contradict(`the chunk at ${address} is not the first of bin ${bin}`);
    heap.binFirst[bin] = after;
  } else {
    const before = state.granuleOf(predecessor);
    if (state.next[before] !== address) contradict(`${predecessor} is not before ${address} in bin ${bin}`);
    state.next[before] = after;
  }
  state.next[granule] = 0;
  state.tag[granule] = 0;
  heap.binCount[bin] = (heap.binCount[bin] ?? 0) - 1;
  heap.binBytes[bin] = (heap.binBytes[bin] ?? 0) - size;
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

export function markBlock(state: HeapState, pool: PoolEntry, block: number): void {
  const chunk = block - state.wordSize;
  const granule = state.granuleOf(chunk);
  const size = state.sizeOf(granule);
  inUseGranuleOf(state, chunk, size);
  if (size < pool.blockBytes + state.wordSize) contradict(`the chunk at ${chunk} is too small for a block`);
  state.setChunk(granule, size, kInUse | kHoldsBlock);
  state.tag[granule] = pool.id;
  state.next[granule] = 0;
  pool.blocks += 1;
}

export function unmarkBlock(state: HeapState, pool: PoolEntry, block: number): void {
  const granule = blockGranuleOf(state, pool, block);
  if (state.next[granule] !== 0 || pool.treeFirst === block) contradict(`the block at ${block} is still in the tree`);
  state.setChunk(granule, state.sizeOf(granule), kInUse);
  state.tag[granule] = 0;
  pool.blocks -= 1;
}

export function blockGranuleOf(state: HeapState, pool: PoolEntry, block: number): number {
  const granule = state.granuleOf(block - state.wordSize);
  const marked = ((state.chunks[granule] ?? 0) & kHoldsBlock) !== 0;
  if (!marked || state.tag[granule] !== pool.id) contradict(`pool ${pool.id} has no block at ${block}`);
  return granule;
}

export function insertInTree(state: HeapState, pool: PoolEntry, block: number, predecessor: number): void {
  const granule = blockGranuleOf(state, pool, block);
  if (predecessor === 0) {
    state.next[granule] = pool.treeFirst;
    pool.treeFirst = block;
  } else {
    const before = blockGranuleOf(state, pool, predecessor);
    state.next[granule] = state.next[before] ?? 0;
    state.next[before] = block;
  }
  pool.treeCount += 1;
}

export function removeFromTree(state: HeapState, pool: PoolEntry, block: number, predecessor: number): void {
  const granule = blockGranuleOf(state, pool, block);
  const after = state.next[granule] ?? 0;
  if (predecessor === 0) {
    if (pool.treeFirst !== block) contradict(`the block at ${block} is not the first of pool ${pool.id}`);
    pool.treeFirst = after;
  } else {
    const before = blockGranuleOf(state, pool, predecessor);
    if (state.next[before] !== block) contradict(`${predecessor} is not before ${block} in pool ${pool.id}`);
    state.next[before] = after;
  }
  state.next[granule] = 0;
  pool.treeCount -= 1;
}
