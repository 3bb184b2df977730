// The state of all heaps in one linear memory at one sequence number, as arrays by address.
//
// Chunks begin at least 16 bytes apart, so a granule of 16 bytes holds the begin of one chunk at most, and the begin of
// a chunk needs no search:
//
//   granule g   addresses [16 g, 16 g + 16)
//   chunks[g]   31                        3 2 1 0      0: no chunk begins here
//              +---------------------------+-+-+-+     C  in use or cached  B  in use and holds a pool's block
//              | size / 8                  |A|B|C|     A  bit 3 of the chunk's address; the bits below follow from
//              +---------------------------+-+-+-+        the word size (4 on wasm32, 0 on 64-bit hosts)
//   born[g]     the event that last took, freed or made the chunk
//   tag[g]      free: number of its bin + 1, 0 when it is kept in none.  B: id of the pool.  cached: its list + 1.  else 0
//   next[g]     free, in a bin: the next chunk of the bin's list.  B: the next block of the pool's tree order.  0: none
//               cached: its holder (cached_chunks.ts)
//
//   M1  Inside a segment chunks lie side by side from its first chunk to its sentinel, at every sequence number.
//   M2  born, tag and next mean something only where chunks[g] != 0.
//   M3  Bit i of nodes says that a node in use begins at address 4 i.
//   M4  Nothing here decides: every change is told by an event (apply.ts) or taken back by it (undo.ts).
//   M5  Arrays reach to the end of the highest segment ever added and only grow.
//   M6  One free part may be shorter than a granule, for one event: backward expansion by 8 bytes cuts it off and joins
//       it to the chunk in use behind it. It is kept beside, as the sliver; walks step over it (after()).
//   M7  While it is awaiting, the state is the one before the loss.

import { contradict } from './contradiction.ts';
import type { HeapEntry, PoolEntry, SegmentEntry } from './entries.ts';

export const kInUse = 1;
export const kHoldsBlock = 2;
export const kSliverBytes = 8; // beside it only chunks of 16 bytes and more
const kAddressBit = 4;
export const kChunkFlags = 7;
export const kPageBits = 12; // 4 KiB pages of the summary
export const kLargePageBits = 16;

export class HeapState {
  /** Events applied. */
  seq = 0;
  /** Events were lost: until a snapshot or a walk says the state anew, events change nothing but seq (M7). */
  awaiting = false;
  /** Between snapshot_begun and snapshot_ended, which change nothing themselves (snapshot.ts). */
  inSnapshot = false;
  wordSize: 4 | 8 = 4;
  chunks = new Uint32Array(0);
  born = new Uint32Array(0);
  next = new Uint32Array(0);
  tag = new Uint16Array(0);
  nodes = new Uint32Array(0);
  /** Chunks that begin in each page of 4 KiB and of 64 KiB: what lets a search skip. */
  pageStarts = new Uint16Array(0);
  largePageStarts = new Uint32Array(0);
  /** 1: something that begins in this page changed since its summary was made (page_summary.ts). */
  dirtyPages = new Uint8Array(0);

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
  /** The acting thread was not told by an event, but asked of the module after a loss. */
  actingAssumed = false;

  /** The latest heap with an id, by id. */
  readonly heapById: (HeapEntry | undefined)[] = new Array(256).fill(undefined);
  readonly poolById = new Map<number, PoolEntry>();

  /** Address of the sliver (M6), 0: none. */
  sliver = 0;
  sliverBorn = 0;

  // ---- heaps, pools, segments ----

  heap(id: number): HeapEntry {
    const found = this.heapById[id];
    if (found === undefined || !found.living) contradict(`there is no heap ${id}`);
    return found;
  }

  pool(id: number): PoolEntry {
    const found = this.poolById.get(id);
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

  // ---- chunks ----

  addressOf(granule: number): number {
    return granule * 16 + ((this.chunks[granule] ?? 0) & kAddressBit) * 2 + (this.wordSize & 4);
  }

  sizeOf(granule: number): number {
    return ((this.chunks[granule] ?? 0) & ~kChunkFlags) >>> 0;
  }

  /** malloc caches the chunk: in use for its neighbours, and nobody's. */
  isCached(granule: number): boolean {
    return ((this.chunks[granule] ?? 0) & (kInUse | kHoldsBlock)) === kInUse && this.tag[granule] !== 0;
  }

  /** The holder of a cached chunk: a thread's number, or 0 for a central list. */
  holderOf(granule: number): number {
    return this.next[granule] ?? 0;
  }

  /** The granule where the chunk at `address` begins; a contradiction when none begins exactly there. */
  granuleOf(address: number): number {
    const granule = address >>> 4;
    const word = this.chunks[granule] ?? 0;
    if (word === 0 || ((word ^ (address >>> 1)) & kAddressBit) !== 0 || (address & 7) !== (this.wordSize & 4)) {
      contradict(`no chunk begins at ${address}`);
    }
    return granule;
  }

  /** As granuleOf, of a free chunk of this size. */
  freeGranuleOf(address: number, size: number): number {
    const granule = this.granuleOf(address);
    const word = this.chunks[granule] ?? 0;
    if ((word & ~kAddressBit) >>> 0 !== size) contradict(`the chunk at ${address} is not free with ${size} bytes`);
    return granule;
  }

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
    const end = address + size;
    return end === this.sliver ? end + kSliverBytes : end;
  }

  setSliver(address: number, born: number): void {
    if (this.sliver !== 0) contradict('two chunks of 8 bytes');
    this.sliver = address;
    this.sliverBorn = born;
  }

  /** A chunk begins at `address`. flags: kInUse or 0. */
  addStart(address: number, size: number, flags: number, born: number): void {
    const granule = address >>> 4;
    if (size < 16 || (size & 7) !== 0 || (address & 7) !== (this.wordSize & 4) || granule >= this.chunks.length) {
      contradict(`a chunk of ${size} bytes at ${address} is impossible`);
    }
    if (this.chunks[granule] !== 0) contradict(`a chunk begins beside ${address} already`);
    this.chunks[granule] = size | ((address >>> 1) & kAddressBit) | flags;
    this.born[granule] = born;
    this.tag[granule] = 0;
    this.next[granule] = 0;
    this.pageStarts[address >>> kPageBits] = (this.pageStarts[address >>> kPageBits] ?? 0) + 1;
    this.largePageStarts[address >>> kLargePageBits] = (this.largePageStarts[address >>> kLargePageBits] ?? 0) + 1;
    this.dirtyPages[address >>> kPageBits] = 1;
  }

  removeStart(granule: number): void {
    this.chunks[granule] = 0;
    const page = granule >>> (kPageBits - 4);
    const largePage = granule >>> (kLargePageBits - 4);
    this.pageStarts[page] = (this.pageStarts[page] ?? 0) - 1;
    this.largePageStarts[largePage] = (this.largePageStarts[largePage] ?? 0) - 1;
    this.dirtyPages[page] = 1;
  }

  /** Size and flags of a chunk that stays where it is. */
  setChunk(granule: number, size: number, flags: number): void {
    this.chunks[granule] = size | ((this.chunks[granule] ?? 0) & kAddressBit) | flags;
    this.dirtyPages[granule >>> (kPageBits - 4)] = 1;
  }

  touch(address: number): void {
    this.dirtyPages[address >>> kPageBits] = 1;
  }

  // ---- nodes ----

  nodeInUse(address: number): boolean {
    return (((this.nodes[address >>> 7] ?? 0) >>> ((address >>> 2) & 31)) & 1) !== 0;
  }

  setNode(address: number, inUse: boolean): void {
    const word = address >>> 7;
    if (word >= this.nodes.length || (address & 3) !== 0) contradict(`a node at ${address} is impossible`);
    if (this.nodeInUse(address) === inUse) contradict(`the node at ${address} is ${inUse ? 'in use' : 'free'} already`);
    this.nodes[word] = (this.nodes[word] ?? 0) ^ (1 << ((address >>> 2) & 31));
  }

  // ---- size ----

  /** Makes the arrays reach to `end`. */
  reserve(end: number): void {
    const granules = Math.ceil(end / 16);
    if (granules <= this.chunks.length) return;
    const half = this.chunks.length + (this.chunks.length >>> 1);
    const large = Math.ceil(Math.max(granules, Math.min(half, 2 ** 28)) / 4096); // pages of 64 KiB
    this.chunks = lengthen(this.chunks, new Uint32Array(large * 4096));
    this.born = lengthen(this.born, new Uint32Array(large * 4096));
    this.next = lengthen(this.next, new Uint32Array(large * 4096));
    this.tag = lengthen(this.tag, new Uint16Array(large * 4096));
    this.nodes = lengthen(this.nodes, new Uint32Array(large * 512));
    this.pageStarts = lengthen(this.pageStarts, new Uint16Array(large * 16));
    this.dirtyPages = lengthen(this.dirtyPages, new Uint8Array(large * 16));
    this.largePageStarts = lengthen(this.largePageStarts, new Uint32Array(large));
  }
}

function lengthen<T extends Uint32Array | Uint16Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
