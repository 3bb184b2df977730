// The state of all heaps in one linear memory at one sequence number: heaps, pools, segments and threads, and the chunks and nodes by
// address (chunk_table.ts over frame_table.ts; one object, since the way to a chunk is what takes the time).
//
//   M1  Inside a segment chunks lie side by side from its first chunk to its sentinel, at every sequence number.
//   M4  Nothing here decides: every change is told by an event or taken back by it (rules.ts).
//   M8  What few events can make is bounded: bursts begin no more than a million chunks more than there are events, and
//       blocks hold no more than four million nodes and 64 more an event.
//   M6  One free part may be shorter than a granule, for one event: backward expansion by 8 bytes cuts it off and joins
//       it to the chunk in use behind it. It is kept beside, as the sliver; walks step over it (after()).
//   M7  While it is awaiting, the state is the one before the loss.

import { ChunkTable } from './chunk_table.ts';
import { contradict } from './contradiction.ts';
import type { HeapEntry, PoolEntry, SegmentEntry } from './entries.ts';

export const kSliverBytes = 8; // beside it only chunks of 16 bytes and more
/** In next of the last block of a tree; no address is 1. */
export const kTreeEnd = 1;
const kMostSegments = 16_384;
const kMostThreads = 1 << 17;
const kBurstChunks = 1 << 20; // M8
const kPoolNodes = 1 << 22;
const kNodesPerEvent = 64;

export class HeapState extends ChunkTable {
  /** Events applied. */
  seq = 0;
  /** Events were lost: until a snapshot or a walk says the state anew, events change nothing but seq (M7). */
  awaiting = false;
  /** Between snapshot_begun and snapshot_ended, which change nothing themselves (snapshot.ts). */
  inSnapshot = false;

  /** Every heap and pool the events made, the ended ones too: taking back an end needs them. */
  heaps: HeapEntry[] = [];
  pools: PoolEntry[] = [];
  /** Of all living heaps, by base. */
  segments: SegmentEntry[] = [];
  /** Bytes of chunks in use, of chunks cached by malloc, and of segments, all heaps. */
  inUse = 0;
  cached = 0;
  footprint = 0;

  /** The thread that acts, and all that ever did, in the order of their first event. */
  acting = 1;
  threads: number[] = [1];
  #threadSet = new Set([1]);
  burstChunks = 0; // M8
  /** Of all blocks of pools. */
  poolNodes = 0;
  /** The acting thread was not told by an event, but asked of the module after a loss. */
  actingAssumed = false;

  /** The latest heap with an id, by id. */
  readonly heapById: (HeapEntry | undefined)[] = new Array(256).fill(undefined);
  readonly poolById: (PoolEntry | undefined)[] = [];
  /** By pool: the block that a node was taken from or returned to last, where the next is looked for first. */
  readonly lastBlock = new Map<number, number>();

  /** Address of the sliver (M6), 0: none. */
  sliver = 0;
  sliverBorn = 0;

  // ---- heaps, pools, segments ----

  heap(id: number): HeapEntry {
    const found = this.heapById[id];
    if (found === undefined || !found.living) contradict(`there is no heap ${id}`);
    return found;
  }

  /** In the order in which they were made; never more than 255, however many have ended. */
  livingHeaps(): HeapEntry[] {
    const living: HeapEntry[] = [];
    for (const heap of this.heapById) if (heap?.living) living.push(heap);
    return living.sort((one, other) => one.nth - other.nth);
  }

  /** By number. */
  livingPools(): PoolEntry[] {
    const living: PoolEntry[] = [];
    for (const pool of this.poolById) if (pool?.living) living.push(pool);
    return living;
  }

  pool(id: number): PoolEntry {
    const found = this.poolById[id];
    if (found === undefined || !found.living) contradict(`there is no pool ${id}`);
    return found;
  }

  /** Index of the last segment whose base is <= address, -1 when there is none. */
  segmentIndexAt(address: number): number {
    let low = 0;
    let high = this.segments.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.segments[middle]?.base ?? 0) <= address) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  segmentAt(address: number): SegmentEntry | undefined {
    const found = this.segments[this.segmentIndexAt(address)];
    return found !== undefined && address < found.base + found.size ? found : undefined;
  }

  segmentWithBase(base: number, heap: number): SegmentEntry {
    const found = this.segments[this.segmentIndexAt(base)];
    if (found === undefined || found.base !== base || found.heap !== heap) {
      contradict(`heap ${heap} has no segment at ${base}`);
    }
    return found;
  }

  /** A segment of this heap must hold the address. */
  checkOwner(heap: number, address: number): void {
    const segment = this.segmentAt(address);
    if (segment?.heap !== heap) contradict(`heap ${heap} has nothing at ${address}`);
  }

  insertSegment(at: number, segment: SegmentEntry): void {
    if (this.segments.length >= kMostSegments) contradict(`a heap of more than ${kMostSegments} segments`);
    this.segments.splice(at, 0, segment);
  }

  // ---- threads ----

  hasThread(thread: number): boolean {
    return this.#threadSet.has(thread);
  }

  addThread(thread: number): void {
    if (this.threads.length >= kMostThreads) contradict(`more than ${kMostThreads} threads`);
    this.threads.push(thread);
    this.#threadSet.add(thread);
  }

  removeLastThread(): void {
    const last = this.threads.pop();
    if (last !== undefined) this.#threadSet.delete(last);
  }

  setThreads(threads: readonly number[]): void {
    let same = 0; // most often nearly all of them
    while (same < threads.length && this.threads[same] === threads[same]) same += 1;
    while (this.threads.length > same) this.removeLastThread();
    for (let nth = same; nth < threads.length; ++nth) {
      this.threads.push(threads[nth] as number);
      this.#threadSet.add(threads[nth] as number);
    }
  }

  // ---- chunks ----

  /** As freeGranuleOf; moreover the chunk is kept nowhere: in no bin, neither top nor victim. */
  detachedGranuleOf(address: number, size: number, heap: HeapEntry): number {
    const granule = this.freeGranuleOf(address, size);
    if (this.tag[granule] !== 0 || address === heap.top || address === heap.victim) {
      contradict(`the chunk at ${address} is still kept somewhere`);
    }
    return granule;
  }

  /** Where the chunk behind the one of `size` bytes at `address` begins. */
  after(address: number, size: number): number {
    if (size < kSliverBytes) contradict(`a walk stands still at ${address}`);
    const end = address + size;
    return end === this.sliver ? end + kSliverBytes : end;
  }

  setSliver(address: number, born: number): void {
    if (this.sliver !== 0) contradict('two chunks of 8 bytes');
    this.sliver = address;
    this.sliverBorn = born;
  }

  /** M8: of blocks made, or retired when negative. */
  countNodes(count: number): void {
    if (this.poolNodes + count > kPoolNodes + this.seq * kNodesPerEvent)
      contradict(`blocks of ${this.poolNodes + count} nodes are too many to be real`);
    this.poolNodes += count;
  }

  /** M8. pre: before the chunks of a burst begin */
  countBurst(count: number): void {
    if (this.burstChunks + count > kBurstChunks + this.seq)
      contradict(`a burst of ${count} chunks is too large to be real`);
    this.burstChunks += count;
  }
}
