// The changes that events make, most of them with their inverse: the rules of events take them forward and backward.
//
//   addSegment        <-> removeSegment          insertInBin   <-> removeFromBin       moveTop, moveVictim: swap the two
//   resizeSegmentUp   <-> resizeSegmentDown      insertInTree  <-> removeFromTree      addresses
//   markBlock         <-> unmarkBlock
//
//   Each checks what it is told against the state; what does not fit is a Contradiction.

import { Shape } from '../../protocol/event_layout.ts';
import { lastStartUpTo } from './chunk_at.ts';
import { contradict } from './contradiction.ts';
import { type HeapEntry, kMaxBins, type PoolEntry } from './entries.ts';
import { type HeapState, kHoldsBlock, kInUse, kTreeEnd } from './heap_state.ts';
import { moveBlockNodes } from './thread_caches.ts';
import { countFreeNodes } from './walk.ts';

const kLeastChunk = 16;
const kShapes: ReadonlySet<number> = new Set(Object.values(Shape));
const kSubBlocksPerNode = 64;

export function countTaken(state: HeapState, heap: HeapEntry, bytes: number): void {
  heap.inUse += bytes;
  heap.free -= bytes;
  state.inUse += bytes;
}

/** Chunks that come into the program's hands or leave them; what is free stays. */
export function countInUse(state: HeapState, heap: HeapEntry, bytes: number, chunks: number): void {
  heap.inUse += bytes;
  heap.chunksInUse += chunks;
  state.inUse += bytes;
}

/** Of a segment that is to come behind segment `at`: it fits in the address space, holds a chunk, and overlaps none. */
export function checkSegmentPlace(state: HeapState, at: number, base: number, size: number, firstChunk: number): void {
  const end = base + size;
  const below = state.segments[at];
  const above = state.segments[at + 1];
  const room = end - state.wordSize - firstChunk;
  if ((below !== undefined && below.base + below.size > base) || (above !== undefined && end > above.base)) {
    contradict(`the segment at ${base} overlaps another`);
  }
  const least = state.isForeign ? 0 : kLeastChunk;
  if (end > 2 ** 32 || firstChunk < base || room < least || (room & 7) !== 0) {
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
  state.insertSegment(at + 1, { heap: heapId, base, size, firstChunk });
  state.footprint += size;
  if (state.isForeign) return;
  state.addStart(firstChunk, free, 0, born);
  heap.free += free;
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
  if (segment.firstChunk !== firstChunk) contradict(`the segment at ${base} does not begin with ${firstChunk}`);
  if (state.isForeign) {
    if (heap.chunksInUse !== 0) contradict(`the segment at ${base} still has blocks`);
    state.segments.splice(state.segmentIndexAt(base), 1);
    state.footprint -= size;
    return 0;
  }
  const free = base + size - state.wordSize - firstChunk;
  const granule = state.detachedGranuleOf(firstChunk, free, heap);
  const born = state.born[granule] ?? 0;
  state.removeStart(granule);
  state.segments.splice(state.segmentIndexAt(base), 1);
  state.footprint -= size;
  heap.free -= free;
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
  segment.size = newSize;
  state.footprint += growth;
  if (state.isForeign) return;
  state.addStart(base + oldSize - state.wordSize, growth, 0, born);
  heap.free += growth;
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
  if (state.isCached(granule)) contradict(`the chunk at ${address} is cached, so it belongs to no caller`);
  return granule;
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
    checkInBin(state, heap, bin, predecessor);
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
}

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

export function shapePool(pool: PoolEntry, subBlockBytes: number, subBlocks: number, shape: number): void {
  if (pool.shape !== 0) contradict(`pool ${pool.id} has a shape already`);
  if (subBlocks !== 0 && subBlockBytes === 0) contradict('sub-blocks of 0 bytes are impossible');
  if (!kShapes.has(shape & 0xff)) contradict(`there is no shape ${shape & 0xff}`);
  pool.subBlockBytes = subBlockBytes;
  pool.subBlocks = subBlocks;
  pool.shape = (shape & 0xff) as Shape;
  pool.maxFreeBlocks = shape >>> 8;
}

export function rulePool(pool: PoolEntry, firstNode: number, laterNode: number, blockBytes: number): void {
  if (pool.firstNode + pool.laterNode + pool.blockBytes !== 0) contradict(`pool ${pool.id} is ruled already`);
  pool.firstNode = firstNode;
  pool.laterNode = laterNode;
  pool.blockBytes = blockBytes;
}

export function markBlock(state: HeapState, pool: PoolEntry, block: number): void {
  const chunk = block - state.wordSize;
  const granule = state.granuleOf(chunk);
  const size = state.sizeOf(granule);
  inUseGranuleOf(state, chunk, size);
  state.checkOwner(pool.heap, chunk);
  if (size < pool.blockBytes + state.wordSize) contradict(`the chunk at ${chunk} is too small for a block`);
  checkNodesFit(pool);
  state.countNodes(pool.nodesPerBlock);
  state.setChunk(granule, size, kInUse | kHoldsBlock);
  state.tag[granule] = pool.id;
  state.next[granule] = 0;
  pool.blocks += 1;
  moveBlockNodes(pool, pool.nodesPerBlock);
}

/** event.P1: the nodes lie inside the block. */
function checkNodesFit({
  id,
  nodeSize,
  nodesPerBlock,
  firstNode,
  laterNode,
  blockBytes,
  subBlocks,
  subBlockBytes,
}: PoolEntry): void {
  if (subBlocks > (nodesPerBlock + 1) * kSubBlocksPerNode) contradict(`pool ${id} has too many sub-blocks`); // M8
  const room = (bytes: number) => Math.max(0, Math.floor(bytes / nodeSize));
  const last = blockBytes - (subBlocks - 1) * subBlockBytes; // of several sub-blocks
  let nodes = room(blockBytes - firstNode);
  if (subBlocks > 1)
    nodes =
      room(subBlockBytes - firstNode) + (subBlocks - 2) * room(subBlockBytes - laterNode) + room(last - laterNode);
  const apart = firstNode % 4 !== 0 || laterNode % 4 !== 0 || nodeSize % 4 !== 0 || (subBlocks > 1 && last < 1);
  if (nodes < nodesPerBlock || apart)
    contradict(`a block of ${blockBytes} bytes of pool ${id} cannot have ${nodesPerBlock} nodes`);
}

export function unmarkBlock(state: HeapState, pool: PoolEntry, block: number): void {
  const granule = blockGranuleOf(state, pool, block);
  if (state.next[granule] !== 0) contradict(`the block at ${block} is still in the tree`);
  const used = pool.nodesPerBlock - countFreeNodes(state, pool, block);
  if (used !== 0) contradict(`${used} nodes of the block at ${block} are still in use`);
  moveBlockNodes(pool, -pool.nodesPerBlock);
  state.countNodes(-pool.nodesPerBlock);
  state.setChunk(granule, state.sizeOf(granule), kInUse);
  state.tag[granule] = 0;
  pool.blocks -= 1;
}

export function isBlock(state: HeapState, pool: PoolEntry, block: number): boolean {
  const granule = state.granuleAt(block - state.wordSize);
  const marked = ((state.chunks[granule] ?? 0) & kHoldsBlock) !== 0;
  return marked && state.tag[granule] === pool.id && state.addressOf(granule) === block - state.wordSize;
}

export function blockGranuleOf(state: HeapState, pool: PoolEntry, block: number): number {
  const granule = state.granuleOf(block - state.wordSize);
  if (!isBlock(state, pool, block)) contradict(`pool ${pool.id} has no block at ${block}`);
  return granule;
}

/** Its granule. */
export function checkInTree(state: HeapState, pool: PoolEntry, block: number): number {
  const granule = blockGranuleOf(state, pool, block);
  if (state.next[granule] === 0) contradict(`the block at ${block} is not in the tree`);
  return granule;
}

export function insertInTree(state: HeapState, pool: PoolEntry, block: number, predecessor: number): void {
  const granule = blockGranuleOf(state, pool, block);
  if (state.next[granule] !== 0) contradict(`the block at ${block} is in the tree already`);
  if (predecessor === 0) {
    state.next[granule] = pool.treeFirst === 0 ? kTreeEnd : pool.treeFirst;
    pool.treeFirst = block;
  } else {
    const before = checkInTree(state, pool, predecessor);
    state.next[granule] = state.next[before] ?? 0;
    state.next[before] = block;
  }
  pool.treeCount += 1;
}

export function removeFromTree(state: HeapState, pool: PoolEntry, block: number, predecessor: number): void {
  const granule = blockGranuleOf(state, pool, block);
  const after = state.next[granule] ?? 0;
  if (after === 0) contradict(`the block at ${block} is not in the tree`);
  if (predecessor === 0) {
    if (pool.treeFirst !== block) contradict(`the block at ${block} is not the first of pool ${pool.id}`);
    pool.treeFirst = after === kTreeEnd ? 0 : after;
  } else {
    const before = blockGranuleOf(state, pool, predecessor);
    if (state.next[before] !== block) contradict(`${predecessor} is not before ${block} in pool ${pool.id}`);
    state.next[before] = after;
  }
  state.next[granule] = 0;
  pool.treeCount -= 1;
}
