// The few things of a model that are objects: heaps, segments, pools. There are as many as the program made, not as many
// as events.

import { Shape } from '../../protocol/event_layout.ts';
import type { WordSize } from './frame_table.ts';

export const kMaxBins = 512; // event.h numbers bins from 0; the allocator has 414 on wasm32

//   entry.E1  An entry that has ended does not change any more: states and keyframes share it. Whoever revives it takes a copy
//             (reviveHeap, revivePool), so a trace in which 100,000 heaps ended holds them once.

export interface HeapEntry {
  readonly id: number;
  /** How many heaps were made before it. */
  readonly nth: number;
  readonly address: number;
  readonly wordSize: WordSize;
  readonly alignment: number;
  readonly stateBytes: number;
  /** The heap that had this id before, ended. */
  readonly before: HeapEntry | undefined;
  living: boolean;
  top: number; // 0: none
  victim: number; // 0: none
  inUse: number; // bytes of chunks
  free: number;
  chunksInUse: number;
  // what malloc caches: neither in use nor free (cached_chunks.ts)
  cached: number; // bytes of chunks, those that slabs have for themselves with them
  chunksCached: number; // that serve a request: K4
  cacheLists: Map<number, CacheListEntry>; // by cacheListKey; those that have a chunk
  // by bin; of length 0 before the first chunk is in a bin, and when the heap has ended: then all are empty
  binFirst: Uint32Array;
  binCount: Uint32Array;
  binBytes: Float64Array;
}

/** What one holder has on one of its cache lists. */
export interface CacheListEntry {
  readonly holder: number; // a thread's number, 0: central list
  readonly list: number;
  chunks: number;
  bytes: number;
}
export const cacheListKey = (holder: number, list: number): number => holder * 0x10000 + list;

/** Bins in which nothing is free. */
const emptyBins = () => ({
  binFirst: new Uint32Array(kMaxBins),
  binCount: new Uint32Array(kMaxBins),
  binBytes: new Float64Array(kMaxBins),
});
const kNoWords = new Uint32Array(0);
const kNoDoubles = new Float64Array(0);
/** The bins of a heap that has none yet, or has ended. */
export const kNoBins = { binFirst: kNoWords, binCount: kNoWords, binBytes: kNoDoubles } as const;

/** Before a chunk comes into a bin: most heaps of a trace of many never have one. */
export function haveBins(heap: HeapEntry): void {
  if (heap.binFirst.length === 0) Object.assign(heap, emptyBins());
}

export interface SegmentEntry {
  readonly heap: number;
  readonly base: number;
  size: number;
  readonly firstChunk: number;
}

export interface PoolEntry {
  readonly id: number;
  readonly heap: number;
  readonly address: number;
  nodeSize: number;
  nodesPerBlock: number;
  readonly before: PoolEntry | undefined;
  living: boolean;
  // told by pool_shaped
  subBlockBytes: number;
  subBlocks: number;
  shape: Shape | 0;
  maxFreeBlocks: number;
  // told by pool_ruled
  firstNode: number;
  laterNode: number;
  blockBytes: number;
  // counted
  blocks: number;
  nodesInUse: number;
  treeFirst: number; // first block in tree order, 0: none
  treeCount: number;
  // counted, shape size_class only (thread_caches.ts)
  central: number; // nodes in the central list
  cached: Map<number, number> | undefined; // nodes in the cache of a thread; a thread without any has no entry
  divided: boolean; // false: events were lost, and which free nodes are where is not known
}

/** Whether the pool is one class of the small front (event.h, P3). */
export const isSizeClass = (pool: PoolEntry): boolean => pool.shape === Shape.sizeClass;

export function makeHeap(
  nth: number,
  id: number,
  address: number,
  wordSize: WordSize,
  alignment: number,
  stateBytes: number,
  before: HeapEntry | undefined,
): HeapEntry {
  return {
    id,
    nth,
    address,
    wordSize,
    alignment,
    stateBytes,
    before,
    living: true,
    top: 0,
    victim: 0,
    inUse: 0,
    free: 0,
    chunksInUse: 0,
    cached: 0,
    chunksCached: 0,
    cacheLists: new Map(),
    ...kNoBins,
  };
}

export function makePool(
  id: number,
  heap: number,
  address: number,
  nodeSize: number,
  nodesPerBlock: number,
  before: PoolEntry | undefined,
): PoolEntry {
  return {
    id,
    heap,
    address,
    nodeSize,
    nodesPerBlock,
    before,
    living: true,
    subBlockBytes: 0,
    subBlocks: 0,
    shape: 0,
    maxFreeBlocks: 0,
    firstNode: 0,
    laterNode: 0,
    blockBytes: 0,
    blocks: 0,
    nodesInUse: 0,
    treeFirst: 0,
    treeCount: 0,
    central: 0,
    cached: undefined,
    divided: true,
  };
}

/** Copies for a keyframe and back (entry.E1). */
export const copyHeaps = (heaps: readonly HeapEntry[]): HeapEntry[] =>
  heaps.map((heap) => (heap.living ? copyHeap(heap) : heap));
export const copyPools = (pools: readonly PoolEntry[]): PoolEntry[] =>
  pools.map((pool) => (pool.living ? copyPool(pool) : pool));

const copyHeap = (heap: HeapEntry): HeapEntry => ({
  ...heap,
  cacheLists: new Map([...heap.cacheLists].map(([key, list]) => [key, { ...list }])),
  ...(heap.binCount.some((count) => count !== 0) ? copyBins(heap) : kNoBins),
});
const copyBins = ({ binFirst, binCount, binBytes }: HeapEntry) => ({
  binFirst: binFirst.slice(),
  binCount: binCount.slice(),
  binBytes: binBytes.slice(),
});
const copyPool = (pool: PoolEntry): PoolEntry => ({
  ...pool,
  cached: pool.cached === undefined || pool.cached.size === 0 ? undefined : new Map(pool.cached),
});

/** entry.E1. The copy takes the place of the one that had ended. */
export function reviveHeap(heaps: HeapEntry[], ended: HeapEntry): HeapEntry {
  const heap: HeapEntry = { ...copyHeap(ended), living: true };
  heaps[heaps.lastIndexOf(ended)] = heap;
  return heap;
}

export function revivePool(pools: PoolEntry[], ended: PoolEntry): PoolEntry {
  const pool: PoolEntry = { ...copyPool(ended), living: true };
  pools[pools.lastIndexOf(ended)] = pool;
  return pool;
}
