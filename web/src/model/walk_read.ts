// A state read from walks of the real heaps: how the model goes on after events were lost (history.ts, Y3).
//
//   X1  Births are unknown: everything is born at this sequence number.
//   X2  A pool's numbers are read off its first block. What no block shows (its limit of free blocks) stays as it was
//       known before, or unknown; a pool made while events were lost that has no block yet is not seen. Its shape is
//       the one known before when all numbers are the same, else what its sub-blocks say.
//   X3  Which free nodes of a size class are in the cache of which thread is not in the walk: the pool is not divided
//       (thread_caches.ts), and stays so.
//   X4  On which cache list a cached chunk is does not stand in the walk, only its holder (cached_chunks.ts, K3).

import { Shape, WalkKind } from '../protocol/event_layout.ts';
import { kCentralHolder, kUnknownList, markCached } from './cached_chunks.ts';
import { countInUse } from './changes.ts';
import { type HeapEntry, isSizeClass, makeHeap, makePool, type PoolEntry } from './entries.ts';
import { type HeapState, kHoldsBlock, kInUse } from './heap_state.ts';

const kRecordWords = 4;

export interface WalkedHeap {
  readonly id: number;
  readonly address: number;
}

/** Gives the walk of one heap in parts, four words a record. */
export type WalkSource = (heap: WalkedHeap, visit: (records: Uint32Array) => void) => void;

/** Replaces the state by what the walks say; its sequence number stays. */
export function readStateFromWalks(
  state: HeapState,
  wordSize: 4 | 8,
  heaps: readonly WalkedHeap[],
  acting: number,
  read: WalkSource,
): void {
  const heapsBefore = state.heaps.filter((heap) => heap.living);
  const poolsBefore = state.pools.filter((pool) => pool.living);
  clear(state, wordSize);
  state.acting = acting;
  state.actingAssumed = true;
  if (!state.threads.includes(acting)) state.threads.push(acting);
  for (const walked of heaps) {
    const before = heapsBefore.find((heap) => heap.id === walked.id);
    const stateBytes = before?.stateBytes ?? 0;
    const heap = makeHeap(walked.id, walked.address, wordSize, 2 * wordSize, stateBytes, undefined);
    state.heaps.push(heap);
    state.heapById[heap.id] = heap;
    const reader = new WalkReader(state, heap, poolsBefore);
    read(walked, (records) => {
      for (let at = 0; at < records.length; at += kRecordWords) {
        reader.take(
          records[at] as number,
          records[at + 1] as number,
          records[at + 2] as number,
          records[at + 3] as number,
        );
      }
    });
    reader.finish();
  }
  state.segments.sort((one, two) => one.base - two.base);
}

function clear(state: HeapState, wordSize: 4 | 8): void {
  state.wordSize = wordSize;
  state.heaps = [];
  state.pools = [];
  state.segments = [];
  state.inUse = 0;
  state.cached = 0;
  state.footprint = 0;
  state.sliver = 0;
  state.heapById.fill(undefined);
  state.poolById.clear();
  state.chunks.fill(0);
  state.nodes.fill(0);
  state.pageStarts.fill(0);
  state.largePageStarts.fill(0);
  state.dirtyPages.fill(1);
}

class WalkReader {
  readonly #state: HeapState;
  readonly #heap: HeapEntry;
  readonly #poolsBefore: readonly PoolEntry[];
  #lastOfList = 0; // granule of the list entry before

  constructor(state: HeapState, heap: HeapEntry, poolsBefore: readonly PoolEntry[]) {
    this.#state = state;
    this.#heap = heap;
    this.#poolsBefore = poolsBefore;
  }

  take(head: number, address: number, size: number, extra: number): void {
    const kind = (head & 0xff) as WalkKind;
    const detail = head >>> 16;
    switch (kind) {
      case WalkKind.segment:
        this.#state.reserve(address + size);
        this.#state.segments.push({ heap: this.#heap.id, base: address, size, firstChunk: extra });
        this.#state.footprint += size;
        break;
      case WalkKind.chunkInUse:
        this.#addUsed(address, size);
        break;
      case WalkKind.chunkCached:
        this.#addUsed(address, size);
        markCached(this.#state, this.#heap, address >>> 4, kUnknownList, detail);
        if (detail !== kCentralHolder && !this.#state.threads.includes(detail)) this.#state.threads.push(detail);
        break;
      case WalkKind.chunkTop:
        this.#heap.top = address;
        this.#addFree(address, size);
        break;
      case WalkKind.chunkVictim:
        this.#heap.victim = address;
        this.#addFree(address, size);
        break;
      case WalkKind.chunkFree:
        this.#addFree(address, size);
        break;
      case WalkKind.block:
        this.#takeBlock(this.#pool(detail), address, size);
        break;
      case WalkKind.subBlock:
        this.#takeSubBlock(this.#pool(detail), address, extra, size);
        break;
      case WalkKind.nodeInUse:
      case WalkKind.nodeFree:
        this.#takeNode(this.#pool(detail), address, size, extra, kind === WalkKind.nodeInUse);
        break;
      case WalkKind.binEntry:
        this.#takeBinEntry(detail, address, size, extra);
        break;
      case WalkKind.treeEntry:
        this.#takeTreeEntry(this.#pool(detail), address, extra);
        break;
    }
  }

  /** X2, X3 */
  finish(): void {
    for (const known of this.#poolsBefore) {
      // Classes of the small front never end, and may have no span at the moment.
      const seen = known.heap !== this.#heap.id || this.#state.poolById.has(known.id);
      if (isSizeClass(known) && !seen) this.#addPool({ ...known, blocks: 0, nodesInUse: 0, cached: new Map() });
    }
    for (const pool of this.#state.pools) {
      if (pool.heap !== this.#heap.id) continue;
      const before = this.#poolsBefore.find((known) => known.id === pool.id && sameNumbers(known, pool));
      if (before !== undefined) pool.shape = before.shape;
      pool.divided = false;
      if (isSizeClass(pool)) pool.central = pool.blocks * pool.nodesPerBlock - pool.nodesInUse;
    }
  }

  #addUsed(address: number, size: number): void {
    this.#state.addStart(address, size, kInUse, this.#state.seq);
    countInUse(this.#state, this.#heap, size, 1);
  }

  #addFree(address: number, size: number): void {
    this.#state.addStart(address, size, 0, this.#state.seq);
    this.#heap.free += size;
  }

  #pool(id: number): PoolEntry {
    const known = this.#state.poolById.get(id);
    if (known !== undefined) return known;
    const before = this.#poolsBefore.find((pool) => pool.id === id && pool.heap === this.#heap.id);
    const pool = makePool(id, this.#heap.id, before?.address ?? 0, 0, 0, undefined);
    pool.maxFreeBlocks = before?.maxFreeBlocks ?? 0;
    pool.shape = Shape.segregated; // until a sub-block is seen
    return this.#addPool(pool);
  }

  #addPool(pool: PoolEntry): PoolEntry {
    this.#state.pools.push(pool);
    this.#state.poolById.set(pool.id, pool);
    return pool;
  }

  #takeBlock(pool: PoolEntry, block: number, size: number): void {
    const granule = this.#state.granuleOf(block - this.#state.wordSize);
    this.#state.setChunk(granule, this.#state.sizeOf(granule), kInUse | kHoldsBlock);
    this.#state.tag[granule] = pool.id;
    pool.blockBytes = size;
    pool.blocks += 1;
  }

  #takeSubBlock(pool: PoolEntry, subBlock: number, block: number, size: number): void {
    if (pool.blocks !== 1) return;
    if (subBlock === block) pool.subBlockBytes = size;
    pool.subBlocks += 1;
    pool.shape = pool.subBlocks > 1 ? Shape.adaptive : Shape.alignedOnly;
  }

  #takeNode(pool: PoolEntry, node: number, size: number, block: number, inUse: boolean): void {
    if (inUse) {
      this.#state.setNode(node, true);
      pool.nodesInUse += 1;
    }
    if (pool.blocks !== 1) return;
    pool.nodeSize = size;
    pool.nodesPerBlock += 1;
    const inBlock = node - block;
    if (pool.firstNode === 0) pool.firstNode = inBlock;
    if (pool.subBlocks === 2 && pool.laterNode === 0) pool.laterNode = inBlock - pool.subBlockBytes;
  }

  #takeBinEntry(bin: number, chunk: number, size: number, position: number): void {
    const granule = this.#state.freeGranuleOf(chunk, size);
    const { binFirst, binCount, binBytes } = this.#heap;
    if (position === 0) binFirst[bin] = chunk;
    else this.#state.next[this.#lastOfList] = chunk;
    this.#lastOfList = granule;
    this.#state.tag[granule] = bin + 1;
    binCount[bin] = (binCount[bin] ?? 0) + 1;
    binBytes[bin] = (binBytes[bin] ?? 0) + size;
  }

  #takeTreeEntry(pool: PoolEntry, block: number, position: number): void {
    const granule = this.#state.granuleOf(block - this.#state.wordSize);
    if (position === 0) pool.treeFirst = block;
    else this.#state.next[this.#lastOfList] = block;
    this.#lastOfList = granule;
    pool.treeCount += 1;
  }
}

const sameNumbers = (one: PoolEntry, other: PoolEntry): boolean =>
  one.heap === other.heap &&
  one.nodeSize === other.nodeSize &&
  one.nodesPerBlock === other.nodesPerBlock &&
  one.subBlocks === other.subBlocks &&
  one.firstNode === other.firstNode &&
  one.blockBytes === other.blockBytes;
