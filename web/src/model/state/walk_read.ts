// A state read from walks of the real heaps: how the model goes on after events were lost (history.ts, Y3). A walk may
// come from a file (snapshot.ts): what cannot be a walk is a Contradiction.
//
//   X1  Births are unknown: everything is born at this sequence number.
//   X2  A pool's numbers are read off its first block. What no block shows (its limit of free blocks) stays as it was
//       known before, or unknown; a pool made while events were lost that has no block yet is not seen. Its shape is
//       the one known before when all numbers are the same, else what its sub-blocks say.
//   X3  Which free nodes of a size class are in the cache of which thread is not in the walk: the pool is not divided
//       (thread_caches.ts), and stays so.
//   X5  Everything is checked that reading and walking the state rely on: chunks lie side by side from each segment's
//       first to its sentinel, blocks and nodes inside their chunk, nodes of a pool's size one behind the other, list entries once each.
//   X4  On which cache list a cached chunk is does not stand in the walk, only its holder (cached_chunks.ts, K3).
//
// Over 300 lines: one reader with a function of a few lines for each kind of walk record.

import { kSlabWords, Shape, WalkKind } from '../../protocol/event_layout.ts';
import { isSlabList } from '../../protocol/slab_lists.ts';
import { blockGranuleOf } from './blocks.ts';
import { kCentralHolder, kUnknownList, markCached, unmarkCached } from './cached_chunks.ts';
import { kHoldsBlock, kInUse } from './chunk_table.ts';
import { contradict } from './contradiction.ts';
import { type HeapEntry, haveBins, isSizeClass, kMaxBins, makeHeap, makePool, type PoolEntry } from './entries.ts';
import { HeapState, kTreeEnd } from './heap_state.ts';
import { countInUse, inUseGranuleOf } from './in_use.ts';
import { captureKeyframe, restoreKeyframe } from './keyframe.ts';
import { checkSegmentPlace } from './segments.ts';
import { kSlabHolder, kSlabRest, ownBytes } from './slabs.ts';

const kRecordWords = 4;

export interface WalkedHeap {
  readonly id: number;
  readonly address: number;
  /** undefined: as known before, or what the word size says. */
  readonly alignment?: number;
  readonly stateBytes?: number;
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
  const recorded = { wordSize, heaps, pools: [], acting, born: state.seq };
  restoreKeyframe(state, captureKeyframe(stateFromWalks(state, recorded, read)));
}

/** What is known beside the walks. */
export interface Recorded {
  readonly wordSize: 4 | 8;
  readonly heaps: readonly WalkedHeap[];
  /** Living pools whose numbers need not be read off their first block (X2). */
  readonly pools: readonly PoolEntry[];
  readonly acting: number;
  /** Everything is born there (X1). */
  readonly born: number;
}

/** The state that the walks say, at the sequence number of `before`. */
export function stateFromWalks(before: HeapState, recorded: Recorded, read: WalkSource): HeapState {
  const { wordSize, acting } = recorded;
  const state = new HeapState();
  state.seq = before.seq;
  state.wordSize = wordSize;
  state.acting = acting;
  state.actingAssumed = true;
  state.setThreads(before.threads);
  if (!state.hasThread(acting)) state.addThread(acting);
  const poolsBefore = before.pools.filter((pool) => pool.living);
  for (const walked of recorded.heaps) {
    if (state.heapById[walked.id] !== undefined) contradict(`heap ${walked.id} comes twice`);
    const known = before.heaps.find((heap) => heap.living && heap.id === walked.id);
    const stateBytes = walked.stateBytes ?? known?.stateBytes ?? 0;
    const alignment = walked.alignment ?? 2 * wordSize;
    const heap = makeHeap(state.heaps.length, walked.id, walked.address, wordSize, alignment, stateBytes, undefined);
    state.heaps.push(heap);
    state.heapById[heap.id] = heap;
    const pools = recorded.pools.filter((pool) => pool.heap === heap.id);
    const reader = new WalkReader(state, heap, pools, poolsBefore, recorded.born);
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
  return state;
}

class WalkReader {
  readonly #state: HeapState;
  readonly #heap: HeapEntry;
  readonly #recorded: ReadonlySet<PoolEntry>;
  readonly #poolsBefore: readonly PoolEntry[];
  readonly #born: number;
  #next = 0; // where the next chunk of the segment begins; 0: no segment yet
  #sentinel = 0;
  #block = 0; // the last block, and what was seen of it
  #blockEnd = 0;
  #blockPool: PoolEntry | undefined;
  #blockNodes = 0;
  #nodesEnd = 0; // behind the last of them
  #slabEnd = 0; // of the slab whose blocks come; 0: none
  #slabList = 0;
  #lastOfList = 0; // granule of the list entry before
  readonly #entered = new Set<number>(); // blocks in a tree

  constructor(
    state: HeapState,
    heap: HeapEntry,
    recorded: readonly PoolEntry[],
    poolsBefore: readonly PoolEntry[],
    born: number,
  ) {
    this.#state = state;
    this.#heap = heap;
    this.#recorded = new Set(recorded);
    for (const pool of recorded) this.#addPool(pool);
    this.#poolsBefore = poolsBefore;
    this.#born = born;
  }

  take(head: number, address: number, size: number, extra: number): void {
    const kind = (head & 0xff) as WalkKind;
    const detail = head >>> 16;
    const isSlabBlock = kind === WalkKind.slabBlockInUse || kind === WalkKind.slabBlockFree;
    if (!isSlabBlock) this.#endSlab();
    switch (kind) {
      case WalkKind.slab:
        this.#takeSlab(detail, address, size);
        break;
      case WalkKind.slabBlockInUse:
      case WalkKind.slabBlockFree:
        this.#takeSlabBlock(detail, address, size, kind === WalkKind.slabBlockFree);
        break;
      case WalkKind.segment:
        this.#endSegment();
        this.#takeSegment(address, size, extra);
        break;
      case WalkKind.chunkInUse:
        this.#addUsed(address, size);
        break;
      case WalkKind.chunkCached:
        this.#addUsed(address, size);
        markCached(this.#state, this.#heap, this.#state.granuleOf(address), kUnknownList, detail);
        if (detail !== kCentralHolder && !this.#state.hasThread(detail)) this.#state.addThread(detail);
        break;
      case WalkKind.chunkTop:
        if (this.#heap.top !== 0) contradict('a walk has two tops');
        this.#addFree(address, size);
        this.#heap.top = address;
        break;
      case WalkKind.chunkVictim:
        if (this.#heap.victim !== 0) contradict('a walk has two victims');
        this.#addFree(address, size);
        this.#heap.victim = address;
        break;
      case WalkKind.chunkFree:
        this.#addFree(address, size);
        break;
      case WalkKind.block:
        this.#endBlock();
        this.#takeBlock(this.#pool(detail), address, size);
        break;
      case WalkKind.subBlock:
        this.#takeSubBlock(this.#knownPool(detail), address, extra, size);
        break;
      case WalkKind.nodeInUse:
      case WalkKind.nodeFree:
        this.#takeNode(this.#knownPool(detail), address, size, extra, kind === WalkKind.nodeInUse);
        break;
      case WalkKind.binEntry:
        this.#takeBinEntry(detail, address, size, extra);
        break;
      case WalkKind.treeEntry:
        this.#takeTreeEntry(this.#knownPool(detail), address, extra);
        break;
      default:
        contradict(`there is no walk record of kind ${kind}`);
    }
  }

  /** X2, X3 */
  finish(): void {
    this.#endSlab();
    this.#endSegment();
    this.#endBlock();
    for (const known of this.#poolsBefore) {
      // Classes of the small front never end, and may have no span at the moment.
      if (known.heap !== this.#heap.id || this.#state.poolById[known.id] !== undefined) continue;
      const empty = { blocks: 0, nodesInUse: 0, treeFirst: 0, treeCount: 0, central: 0 };
      if (isSizeClass(known)) this.#addPool({ ...known, ...empty, cached: undefined, before: undefined });
    }
    for (const pool of this.#state.pools) {
      if (pool.heap !== this.#heap.id) continue;
      const before = this.#poolsBefore.find((known) => known.id === pool.id && sameNumbers(known, pool));
      if (!this.#recorded.has(pool) && before !== undefined) pool.shape = before.shape;
      pool.divided = false;
      if (isSizeClass(pool)) pool.central = pool.blocks * pool.nodesPerBlock - pool.nodesInUse;
    }
  }

  // ---- X5 ----

  #takeSegment(base: number, size: number, firstChunk: number): void {
    const at = this.#state.segmentIndexAt(base);
    checkSegmentPlace(this.#state, at, base, size, firstChunk);
    this.#state.reserve(base + size);
    this.#state.insertSegment(at + 1, { heap: this.#heap.id, base, size, firstChunk });
    this.#state.footprint += size;
    this.#next = firstChunk;
    this.#sentinel = base + size - this.#state.wordSize;
  }

  #endSegment(): void {
    if (this.#next !== this.#sentinel) contradict(`the walk of heap ${this.#heap.id} has a gap at ${this.#next}`);
  }

  #addStart(address: number, size: number, flags: number): void {
    if (this.#next === 0 || address !== this.#next || size > this.#sentinel - address) {
      contradict(`the walk of heap ${this.#heap.id} has a chunk of ${size} bytes at ${address}, not at ${this.#next}`);
    }
    this.#state.addStart(address, size, flags, this.#born);
    this.#next += size;
  }

  #addUsed(address: number, size: number): void {
    this.#addStart(address, size, kInUse);
    countInUse(this.#state, this.#heap, size, 1);
  }

  #addFree(address: number, size: number): void {
    this.#addStart(address, size, 0);
    this.#heap.free += size;
  }

  #addNobodys(address: number, size: number, list: number): void {
    this.#addUsed(address, size);
    markCached(this.#state, this.#heap, this.#state.granuleOf(address), list, kSlabHolder);
  }

  /** event.P8 */
  #takeSlab(list: number, address: number, size: number): void {
    if (list === kSlabWords) {
      this.#addNobodys(address, size, kSlabWords);
      return;
    }
    if (!isSlabList(list)) contradict(`there is no slab list ${list}`);
    this.#addNobodys(address, ownBytes(this.#state), kSlabWords);
    this.#slabEnd = address + size;
    this.#slabList = list;
  }

  #takeSlabBlock(list: number, address: number, size: number, isFree: boolean): void {
    if (this.#slabEnd === 0 || list !== this.#slabList || size > this.#slabEnd - address)
      contradict(`the block at ${address + this.#state.wordSize} is outside its slab`);
    this.#addNobodys(address, size, list);
    if (!isFree) unmarkCached(this.#state, this.#heap, this.#state.granuleOf(address));
  }

  #endSlab(): void {
    if (this.#slabEnd === 0) return;
    const end = this.#slabEnd;
    this.#slabEnd = 0;
    this.#addNobodys(this.#next, end - this.#next, kSlabRest);
  }

  #knownPool(id: number): PoolEntry {
    const pool = this.#state.pool(id);
    if (pool.heap !== this.#heap.id) contradict(`pool ${id} is of heap ${pool.heap}, not of ${this.#heap.id}`);
    return pool;
  }

  #pool(id: number): PoolEntry {
    if (this.#state.poolById[id] !== undefined) return this.#knownPool(id);
    const before = this.#poolsBefore.find((pool) => pool.id === id && pool.heap === this.#heap.id);
    const pool = makePool(id, this.#heap.id, before?.address ?? 0, 0, 0, undefined);
    pool.maxFreeBlocks = before?.maxFreeBlocks ?? 0;
    pool.shape = Shape.segregated; // until a sub-block is seen
    return this.#addPool(pool);
  }

  #addPool(pool: PoolEntry): PoolEntry {
    this.#state.pools.push(pool);
    this.#state.poolById[pool.id] = pool;
    return pool;
  }

  #takeBlock(pool: PoolEntry, block: number, size: number): void {
    const chunk = block - this.#state.wordSize;
    const granule = this.#state.granuleOf(chunk);
    const bytes = this.#state.sizeOf(granule);
    inUseGranuleOf(this.#state, chunk, bytes);
    if (size === 0 || size > bytes - this.#state.wordSize)
      contradict(`a block of ${size} bytes at ${block} is impossible`);
    this.#state.setChunk(granule, bytes, kInUse | kHoldsBlock);
    this.#state.tag[granule] = pool.id;
    pool.blockBytes = size;
    pool.blocks += 1;
    this.#block = block;
    this.#blockEnd = block + size;
    this.#blockPool = pool;
    this.#blockNodes = 0;
    this.#nodesEnd = block;
  }

  /** Every block of a pool has as many nodes as its first. */
  #endBlock(): void {
    const pool = this.#blockPool;
    if (pool !== undefined && this.#blockNodes !== pool.nodesPerBlock) {
      contradict(`the block at ${this.#block} has ${this.#blockNodes} nodes, not ${pool.nodesPerBlock}`);
    }
  }

  #takeSubBlock(pool: PoolEntry, subBlock: number, block: number, size: number): void {
    if (pool !== this.#blockPool || block !== this.#block)
      contradict(`a sub-block at ${subBlock} is outside its block`);
    if (size === 0 || subBlock < block || subBlock >= this.#blockEnd)
      contradict(`a sub-block at ${subBlock} is impossible`);
    if (pool.blocks !== 1 || this.#recorded.has(pool)) return;
    if (subBlock === block) pool.subBlockBytes = size;
    else if (pool.subBlocks === 0) contradict(`the first sub-block of the block at ${block} does not begin with it`);
    pool.subBlocks += 1;
    pool.shape = pool.subBlocks > 1 ? Shape.adaptive : Shape.alignedOnly;
  }

  #takeNode(pool: PoolEntry, node: number, size: number, block: number, inUse: boolean): void {
    if (pool !== this.#blockPool || block !== this.#block || node < block || node >= this.#blockEnd || size < 4) {
      contradict(`a node of ${size} bytes at ${node} is outside its block`);
    }
    const known = pool.nodeSize !== 0 && (pool.blocks > 1 || this.#blockNodes > 0 || this.#recorded.has(pool));
    const isSlot = !known || pool.subBlocks > 0 || node === block + pool.firstNode + this.#blockNodes * size;
    if (node < this.#nodesEnd || size > this.#blockEnd - node || (known && size !== pool.nodeSize) || !isSlot)
      contradict(`a node of ${size} bytes at ${node} is not one of pool ${pool.id}`);
    this.#nodesEnd = node + size;
    this.#blockNodes += 1;
    this.#state.poolNodes += 1;
    if (inUse) {
      this.#state.setNode(node, true);
      pool.nodesInUse += 1;
    }
    if (pool.blocks !== 1 || this.#recorded.has(pool)) return;
    pool.nodeSize = size;
    pool.nodesPerBlock += 1;
    const inBlock = node - block;
    if (pool.firstNode === 0) pool.firstNode = inBlock;
    if (pool.subBlocks === 2 && pool.laterNode === 0) pool.laterNode = inBlock - pool.subBlockBytes;
  }

  #takeBinEntry(bin: number, chunk: number, size: number, position: number): void {
    const granule = this.#state.detachedGranuleOf(chunk, size, this.#heap);
    if (bin >= kMaxBins) contradict(`there is no bin ${bin}`);
    haveBins(this.#heap);
    const { binFirst, binCount, binBytes } = this.#heap;
    if (position !== binCount[bin]) contradict(`bin ${bin} has an entry number ${position}, not ${binCount[bin]}`);
    if (position === 0) binFirst[bin] = chunk;
    else this.#state.next[this.#lastOfList] = chunk;
    this.#lastOfList = granule;
    this.#state.tag[granule] = bin + 1;
    binCount[bin] = (binCount[bin] ?? 0) + 1;
    binBytes[bin] = (binBytes[bin] ?? 0) + size;
  }

  #takeTreeEntry(pool: PoolEntry, block: number, position: number): void {
    const granule = blockGranuleOf(this.#state, pool, block);
    if (position !== pool.treeCount || this.#entered.has(block))
      contradict(`the block at ${block} is in the tree twice`);
    if (position === 0) pool.treeFirst = block;
    else this.#state.next[this.#lastOfList] = block;
    this.#state.next[granule] = kTreeEnd;
    this.#entered.add(block);
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
