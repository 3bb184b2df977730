// Heaps; free lists and pools of one of them.

import { addr, bytes } from '../../base/brand.ts';
import { GrowingUint32 } from '../../base/growing.ts';
import type { BinChain, BinRow, PoolBlocks, PoolRow } from '../../panels/lists/part.ts';
import { Shape } from '../../protocol/event_layout.ts';
import type { HeapRow } from '../../protocol/frames.ts';
import type { Trace } from '../../trace/trace.ts';
import { chunkContaining } from '../state/chunk_at.ts';
import { kHoldsBlock } from '../state/chunk_table.ts';
import { contradict } from '../state/contradiction.ts';
import type { HeapEntry, PoolEntry } from '../state/entries.ts';
import type { HeapState } from '../state/heap_state.ts';
import { blockAfter, countFreeNodes } from '../state/walk.ts';
import { binRange } from './bin_ranges.ts';
import { looseChunks } from './loose_chunks.ts';

/** 0: the first living heap. undefined when there is none. */
export function chooseHeap(state: HeapState, id: number): HeapEntry | undefined {
  if (id === 0) return state.livingHeaps()[0];
  const heap = state.heapById[id];
  return heap?.living ? heap : undefined;
}

/** Every living heap, by id. O(segments + pools). */
export function queryHeaps(state: HeapState): HeapRow[] {
  const held = new Map<number, { base: number; footprint: number; segments: number }>();
  for (const { heap, base, size } of state.segments) {
    const of = held.get(heap) ?? { base, footprint: 0, segments: 0 };
    held.set(heap, { base: of.base, footprint: of.footprint + size, segments: of.segments + 1 });
  }
  const pools = new Map<number, number>();
  for (const { heap } of state.livingPools()) pools.set(heap, (pools.get(heap) ?? 0) + 1);
  const living = state.livingHeaps().sort((one, two) => one.id - two.id);
  return living.map((heap) => {
    const of = held.get(heap.id) ?? { base: heap.address, footprint: 0, segments: 0 };
    return {
      id: heap.id,
      base: addr(of.base),
      footprint: bytes(of.footprint),
      inUse: bytes(heap.inUse),
      cached: bytes(heap.cached),
      segments: of.segments,
      chunksInUse: heap.chunksInUse,
      chunksCached: heap.chunksCached,
      pools: pools.get(heap.id) ?? 0,
    };
  });
}

export function binRow(state: HeapState, heap: HeapEntry, bin: number): BinRow {
  const { low, high } = binRange(bin, state.wordSize || 4); // no bin of a foreign heap is asked for
  return {
    bin,
    low: bytes(low),
    high: bytes(high),
    count: heap.binCount[bin] ?? 0,
    bytes: bytes(heap.binBytes[bin] ?? 0),
  };
}

/** The bins of one size each, and the others that are not empty. */
export function queryBins(state: HeapState, heap: HeapEntry): BinRow[] {
  const rows: BinRow[] = [];
  if (state.isForeign) return rows;
  for (let bin = 0; bin < heap.binCount.length; ++bin) {
    const row = binRow(state, heap, bin);
    if (row.count !== 0 || row.low === row.high) rows.push(row);
  }
  return rows;
}

export function queryBinChain(state: HeapState, heap: HeapEntry, bin: number): BinChain {
  const address = new GrowingUint32();
  const size = new GrowingUint32();
  forEachInBin(state, heap, bin, (at, bytes) => {
    address.push(at);
    size.push(bytes);
  });
  return { bin, address: address.slice(), size: size.slice() };
}

/** First to last. A list that has more chunks than were put there contradicts itself: no walk goes round for ever. */
export function forEachInBin(
  state: HeapState,
  heap: HeapEntry,
  bin: number,
  visit: (at: number, size: number) => void,
): void {
  let left = heap.binCount[bin] ?? 0;
  for (let at = heap.binFirst[bin] ?? 0; at !== 0; at = state.next[state.granuleAt(at)] ?? 0) {
    if (left-- === 0) contradict(`the list of bin ${bin} is longer than its ${heap.binCount[bin]} chunks`);
    visit(at, state.sizeOf(state.granuleAt(at)));
  }
}

/**
 * The largest free chunk: top, victim, one of the last bin that is not empty, or one that an operation has in its hands.
 * trace: that of the state; without it every chunk is looked at inside an operation.
 */
export function queryLargestFree(state: HeapState, heap: HeapEntry, trace?: Trace): number {
  let { largest } = looseChunks(state, heap, trace);
  for (const at of [heap.top, heap.victim])
    if (at !== 0) largest = Math.max(largest, state.sizeOf(state.granuleAt(at)));
  let bin = heap.binCount.length - 1;
  while (bin >= 0 && heap.binCount[bin] === 0) --bin;
  if (bin < 0) return largest;
  forEachInBin(state, heap, bin, (_, size) => {
    largest = Math.max(largest, size);
  });
  return largest;
}

/**
 * All free chunks of the heap: those in bins, top, victim, and what an operation has in its hands. Between two calls no two of them
 * touch, so they are the pieces that free memory is in.
 */
export function queryFreeChunks(state: HeapState, heap: HeapEntry, trace?: Trace): number {
  if (state.isForeign) return 0;
  const binned = heap.binCount.reduce((sum, count) => sum + count, 0);
  const kept = [heap.top, heap.victim].filter((at) => at !== 0).length;
  return binned + kept + looseChunks(state, heap, trace).chunks.size;
}

const kMostPools = 512;

/** The living pools of a heap, by id: the first of them, and `chosen` with them. */
export function queryPools(
  state: HeapState,
  heap: HeapEntry,
  chosen?: number,
): { readonly pools: PoolRow[]; readonly poolsTotal: number } {
  const pools = state.livingPools().filter((pool) => pool.heap === heap.id);
  const first = pools.slice(0, kMostPools);
  const other = pools.slice(kMostPools).find((pool) => pool.id === chosen);
  return { pools: [...first, ...(other === undefined ? [] : [other])].map(poolRow), poolsTotal: pools.length };
}

const kShapes: Readonly<Record<Shape, PoolRow['shape']>> = {
  [Shape.segregated]: 'segregated',
  [Shape.adaptive]: 'adaptive',
  [Shape.alignedOnly]: 'aligned_only',
  [Shape.sizeClass]: 'size_class',
  [Shape.fixedBlock]: 'fixed_block',
  [Shape.lockFree]: 'lock_free',
  [Shape.fixedSize]: 'fixed_size',
};

function poolRow(pool: PoolEntry): PoolRow {
  return {
    pool: pool.id,
    heap: pool.heap,
    address: addr(pool.address),
    shape: kShapes[pool.shape === 0 ? Shape.segregated : pool.shape], // 0: before pool_shaped
    nodeSize: bytes(pool.nodeSize),
    nodesPerBlock: pool.nodesPerBlock,
    subBlockBytes: bytes(pool.subBlockBytes),
    subBlocks: pool.subBlocks,
    maxFreeBlocks: pool.maxFreeBlocks,
    blocks: pool.blocks,
    nodesInUse: pool.nodesInUse,
    nodesFree: pool.blocks * pool.nodesPerBlock - pool.nodesInUse,
  };
}

/** The blocks of a pool: those in the tree in its order, then the others by address. */
export function queryPoolBlocks(state: HeapState, pool: PoolEntry): PoolBlocks {
  const blocks: number[] = [];
  for (let at = pool.treeFirst; at !== 0; at = blockAfter(state, at)) {
    if (blocks.length >= pool.treeCount) contradict(`the tree of pool ${pool.id} is longer than its blocks`);
    blocks.push(at);
  }
  const treeCount = blocks.length;
  if (treeCount < pool.blocks) {
    const inTree = new Set(blocks);
    forEachBlock(state, pool, (block) => {
      if (!inTree.has(block)) blocks.push(block);
    });
  }
  const freeNodes = blocks.map((block) => countFreeNodes(state, pool, block));
  return { pool: pool.id, treeCount, address: Uint32Array.from(blocks), freeNodes: Uint32Array.from(freeNodes) };
}

/** In address order. O(chunks of the heap): blocks outside the tree are in no list. */
function forEachBlock(state: HeapState, pool: PoolEntry, visit: (block: number) => void): void {
  for (const segment of state.segments) {
    if (segment.heap !== pool.heap) continue;
    const sentinel = segment.base + segment.size - state.wordSize;
    for (let at = segment.firstChunk; at < sentinel; at = state.after(at, state.sizeOf(state.granuleAt(at)))) {
      const granule = state.granuleAt(at);
      const marked = ((state.chunks[granule] ?? 0) & kHoldsBlock) !== 0;
      if (marked && state.tag[granule] === pool.id) visit(at + state.wordSize);
    }
  }
}

/** The pool whose block lies in the chunk around an address. */
export function poolAround(state: HeapState, address: number): PoolEntry | undefined {
  const chunk = chunkContaining(state, address);
  if (chunk === undefined || ((state.chunks[state.granuleAt(chunk)] ?? 0) & kHoldsBlock) === 0) return undefined;
  return state.poolById[state.tag[state.granuleAt(chunk)] ?? 0];
}
