// The few things of a model that are objects: heaps, segments, pools. There are as many as the program made, not as many
// as events.

import { Shape } from '../protocol/event_layout.ts';
import type { WordSize } from './heap_state.ts';

export const kMaxBins = 512; // event.h numbers bins from 0; the allocator has 414 on wasm32

export interface HeapEntry {
  readonly id: number;
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
  cached: number; // bytes of chunks
  chunksCached: number;
  cacheLists: Map<number, CacheListEntry>; // by cacheListKey; those that have a chunk
  // by bin; of length 0 when the heap has ended, for then all were empty
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

/** The bins of a heap in which nothing is free. */
export const emptyBins = () => ({
  binFirst: new Uint32Array(kMaxBins),
  binCount: new Uint32Array(kMaxBins),
  binBytes: new Float64Array(kMaxBins),
});
const kNoWords = new Uint32Array(0);
const kNoDoubles = new Float64Array(0);
/** The bins of a heap that has ended. */
export const kNoBins = { binFirst: kNoWords, binCount: kNoWords, binBytes: kNoDoubles } as const;

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
  cached: Map<number, number>; // nodes in the cache of a thread; a thread without any has no entry
  divided: boolean; // false: events were lost, and which free nodes are where is not known
}

/** Whether the pool is one class of the small front (event.h, P3). */
export const isSizeClass = (pool: PoolEntry): boolean => pool.shape === Shape.sizeClass;

export function makeHeap(
  id: number,
  address: number,
  wordSize: WordSize,
  alignment: number,
  stateBytes: number,
  before: HeapEntry | undefined,
): HeapEntry {
  return {
    id,
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
    ...emptyBins(),
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
    cached: new Map(),
    divided: true,
  };
}

/** Copies for a keyframe and back: `before` chains are copied too, for they are restored as a whole. */
export function copyHeaps(heaps: readonly HeapEntry[]): HeapEntry[] {
  const copies: HeapEntry[] = [];
  const latest = new Map<number, HeapEntry>();
  for (const heap of heaps) {
    const copy: HeapEntry = {
      ...heap,
      before: latest.get(heap.id),
      cacheLists: new Map([...heap.cacheLists].map(([key, list]) => [key, { ...list }])),
      binFirst: heap.binFirst.slice(),
      binCount: heap.binCount.slice(),
      binBytes: heap.binBytes.slice(),
    };
    latest.set(copy.id, copy);
    copies.push(copy);
  }
  return copies;
}

export function copyPools(pools: readonly PoolEntry[]): PoolEntry[] {
  const copies: PoolEntry[] = [];
  const latest = new Map<number, PoolEntry>();
  for (const pool of pools) {
    const copy: PoolEntry = { ...pool, before: latest.get(pool.id), cached: new Map(pool.cached) };
    latest.set(copy.id, copy);
    copies.push(copy);
  }
  return copies;
}
