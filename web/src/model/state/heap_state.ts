// The state of all heaps in one linear memory at one sequence number, as arrays by address.
//
// Chunks begin at least 16 bytes apart, so a granule of 16 bytes holds the begin of one chunk at most. 16 granules, 256 bytes of
// addresses, are a frame; only frames in which something begins are in the arrays, so a heap that is large and holds
// little costs little: 264 bytes for a chunk that is alone in its frame, 17 where a chunk begins every 16 bytes, and 4 for each frame of
// the extent. A granule has four words side by side, since who asks for one asks for the others: one access to memory, not
// four. Its number is the place of the first, a multiple of 4; frame 0 is that of all that is empty:
//
//   frames[address / 256] ──▶ f          granule = 4 (16 f + (address / 16) mod 16)      the begin of a chunk needs no search
//
//   words    | chunk born next tag | chunk born next tag | ...       chunks, born, next and tag are views of it that begin at one
//              ^ granule             ^ granule + 4                    of the four: each has its word at [granule]
//
//   chunks[g]   31                        3 2 1 0      0: no chunk begins here
//              +---------------------------+-+-+-+     C  in use or cached  B  in use and holds a pool's block
//              | size / 8                  |A|B|C|     A  bit 3 of the chunk's address; the bits below follow from
//              +---------------------------+-+-+-+        the word size (4 on wasm32, 0 on 64-bit hosts)
//   born[g]     the event that last took, freed or made the chunk
//   tag[g]      free: number of its bin + 1, 0 when it is kept in none.  B: id of the pool.  cached: its list + 1.  else 0
//   next[g]     free, in a bin: the next chunk of the bin's list, 0 for the last.  cached: its holder (cached_chunks.ts)
//               B: the next block of the pool's tree order, kTreeEnd for the last, 0 for a block outside the tree
//   nodes       32 bits for 128 bytes, 2 words a frame
//
//   M1  Inside a segment chunks lie side by side from its first chunk to its sentinel, at every sequence number.
//   M9  The segment of a foreign heap (event.h, P7; word size 0) holds blocks with gaps between them, which are nobody's. A block is
//       a chunk in use without a header, its size rounded up to 8. Blocks begin at multiples of 4, no two of them in the same 8
//       bytes: a granule is 8 bytes, a frame has 32 of them, and A is bit 2 of the address.
//   M2  born, tag and next mean something only where chunks[g] != 0.
//   M3  A bit of nodes says that a node in use begins at its 4 bytes.
//   M4  Nothing here decides: every change is told by an event or taken back by it (rules.ts).
//   M5  frames reaches to the end of the highest segment ever added, and only grows; so do the arrays.
//   M8  What few events can make is bounded: bursts begin no more than a million chunks more than there are events, and
//       blocks hold no more than four million nodes and 64 more an event.
//   M6  One free part may be shorter than a granule, for one event: backward expansion by 8 bytes cuts it off and joins
//       it to the chunk in use behind it. It is kept beside, as the sliver; walks step over it (after()).
//   M10  Nothing in the arrays changes without granuleOf(), addStart(), removeStart() or setNodeWord(): these note the frame as changed,
//        so that a keyframe compares the frames that events touched and not the whole heap (keyframe_chain.ts).
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
/** In next of the last block of a tree; no address is 1. */
export const kTreeEnd = 1;
export const kFrameBits = 8; // of an address
export const kFrameBytes = 1 << kFrameBits;
const kGranuleBits = 4;
const kForeignGranuleBits = 3; // M9
/** From one granule's number to the next. */
export const kGranuleStep = 4;
const kGranuleStepBits = 2;
const kFrameWords = (kFrameBytes / 16) * kGranuleStep; // twice as many in a foreign heap
export const kFrameNodeWords = kFrameBytes / 128;
const kMostSegments = 16_384;
const kMostThreads = 65_536;
const kBurstChunks = 1 << 20; // M8
const kPoolNodes = 1 << 22;
const kNodesPerEvent = 64;

/** Of a header word; 0: a foreign heap, whose blocks have none that is known. */
export type WordSize = 0 | 4 | 8;

/** Before the first heap says its own. */
export const kFirstWordSize = 4;

export class HeapState {
  /** Events applied. */
  seq = 0;
  /** Events were lost: until a snapshot or a walk says the state anew, events change nothing but seq (M7). */
  awaiting = false;
  /** Between snapshot_begun and snapshot_ended, which change nothing themselves (snapshot.ts). */
  inSnapshot = false;
  #wordSize: WordSize = kFirstWordSize;
  #granuleBits = kGranuleBits;
  #addressShift = kGranuleBits - kGranuleStepBits; // from an address to its granule in a frame
  #frameShift = kFrameBits - kGranuleBits + kGranuleStepBits; // of a granule's number: 16 or 32 granules to a frame
  #inFrame = kFrameWords - kGranuleStep;
  frames = new Uint32Array(0);
  #frameCount = 1; // the empty one included
  #mayHoldOld = false; // the arrays behind the frames that there are are not all 0
  #largePageFrames = new Uint16Array(0); // frames with a place in the arrays, of each page of 64 KiB
  #frameAt = new Uint32Array(16); // by frame: its address / 256
  /** All that granules have; the four behind it are views of it. */
  words = new Uint32Array(16 * kFrameWords);
  chunks = this.words;
  born = this.words.subarray(1);
  next = this.words.subarray(2);
  tag = this.words.subarray(3);
  nodes = new Uint32Array(16 * kFrameNodeWords);
  /** Chunks that begin in each page of 4 KiB and of 64 KiB: what lets a search skip. */
  pageStarts = new Uint16Array(0);
  largePageStarts = new Uint32Array(0);
  /** 1: something that begins in this page changed since its summary was made (page_summary.ts). */
  dirtyPages = new Uint8Array(0);
  /** 1, by number of a frame: something in it may have changed since the last keyframe (M10). */
  changedFrames = new Uint8Array(16);

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
  readonly poolById = new Map<number, PoolEntry>();
  /** By pool: the block that a node was taken from or returned to last, where the next is looked for first. */
  readonly lastBlock = new Map<number, number>();

  /** Address of the sliver (M6), 0: none. */
  sliver = 0;
  sliverBorn = 0;

  get wordSize(): WordSize {
    return this.#wordSize;
  }

  set wordSize(bytes: WordSize) {
    this.#wordSize = bytes;
    this.#granuleBits = bytes === 0 ? kForeignGranuleBits : kGranuleBits;
    this.#addressShift = this.#granuleBits - kGranuleStepBits;
    this.#frameShift = kFrameBits - this.#addressShift;
    this.#inFrame = (1 << this.#frameShift) - kGranuleStep;
    if (this.chunks.length < this.#frameAt.length << this.#frameShift) this.#lengthenGranules(this.#frameAt.length);
  }

  /** M9: chunks do not lie side by side. */
  get isForeign(): boolean {
    return this.#wordSize === 0;
  }

  get granuleBytes(): number {
    return 1 << this.#granuleBits;
  }

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
    for (const pool of this.poolById.values()) if (pool.living) living.push(pool);
    return living.sort((one, other) => one.id - other.id);
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
    this.threads = [...threads];
    this.#threadSet = new Set(threads);
  }

  // ---- chunks ----

  /** The granule that an address lies in; one of the empty frame where nothing begins near by. */
  granuleAt(address: number): number {
    const frame = this.frames[address >>> kFrameBits] ?? 0;
    return (frame << this.#frameShift) | ((address >>> this.#addressShift) & this.#inFrame);
  }

  /** Of the granules that have a place in the arrays. */
  get wordCount(): number {
    return this.#frameCount << this.#frameShift;
  }

  /** Frames that have one, the empty one included. */
  get frameCount(): number {
    return this.#frameCount;
  }

  /** From a frame's first granule to the first of the next. */
  get frameStep(): number {
    return this.#inFrame + kGranuleStep;
  }

  get nodeWordCount(): number {
    return this.#frameCount * kFrameNodeWords;
  }

  /** Where the granule begins, whether a chunk begins in it or not. */
  granuleBase(granule: number): number {
    return this.#frameBase(granule) + ((granule & this.#inFrame) << this.#addressShift);
  }

  /** The first address that a word of nodes is about. */
  nodeWordBase(index: number): number {
    return (
      (this.#frameAt[Math.floor(index / kFrameNodeWords)] ?? 0) * kFrameBytes + (index & (kFrameNodeWords - 1)) * 128
    );
  }

  addressOf(granule: number): number {
    const bit = (this.chunks[granule] ?? 0) & kAddressBit;
    const base = this.granuleBase(granule);
    return this.isForeign ? base + bit : base + bit * 2 + (this.#wordSize & 4);
  }

  #frameBase(granule: number): number {
    return (this.#frameAt[granule >>> this.#frameShift] ?? 0) * kFrameBytes;
  }

  #mayBeginAt(address: number): boolean {
    return this.isForeign ? (address & 3) === 0 : (address & 7) === (this.#wordSize & 4);
  }

  #addressBit(address: number): number {
    return (this.isForeign ? address : address >>> 1) & kAddressBit;
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
    const granule = this.granuleAt(address);
    const word = this.chunks[granule] ?? 0;
    if (word === 0 || (word & kAddressBit) !== this.#addressBit(address) || !this.#mayBeginAt(address)) {
      contradict(`no chunk begins at ${address}`);
    }
    this.changedFrames[granule >>> this.#frameShift] = 1;
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
    if (size < kSliverBytes) contradict(`a walk stands still at ${address}`);
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
    const frame = address >>> kFrameBits;
    if (size < this.granuleBytes || (size & 7) !== 0 || !this.#mayBeginAt(address) || frame >= this.frames.length) {
      contradict(`a chunk of ${size} bytes at ${address} is impossible`);
    }
    if (this.chunks[this.granuleAt(address)] !== 0) contradict(`a chunk begins beside ${address} already`);
    if (this.frames[frame] === 0) this.#addFrame(frame);
    const granule = this.granuleAt(address);
    this.chunks[granule] = size | this.#addressBit(address) | flags;
    this.born[granule] = born;
    this.tag[granule] = 0;
    this.next[granule] = 0;
    this.changedFrames[granule >>> this.#frameShift] = 1;
    this.pageStarts[address >>> kPageBits] = (this.pageStarts[address >>> kPageBits] ?? 0) + 1;
    this.largePageStarts[address >>> kLargePageBits] = (this.largePageStarts[address >>> kLargePageBits] ?? 0) + 1;
    this.dirtyPages[address >>> kPageBits] = 1;
  }

  /** The first granule of an address's frame, which is in the arrays from now on: they may be others than before. */
  frameFor(address: number): number {
    const frame = address >>> kFrameBits;
    if (this.frames[frame] === 0) this.#addFrame(frame);
    return (this.frames[frame] as number) << this.#frameShift;
  }

  /** So many more chunks begin in the frame of an address; for keyframes, which write the arrays themselves. */
  addStarts(address: number, more: number): void {
    const page = address >>> kPageBits;
    const large = address >>> kLargePageBits;
    this.pageStarts[page] = (this.pageStarts[page] as number) + more;
    this.largePageStarts[large] = (this.largePageStarts[large] as number) + more;
  }

  removeStart(granule: number): void {
    const address = this.addressOf(granule);
    this.chunks[granule] = 0;
    this.changedFrames[granule >>> this.#frameShift] = 1;
    this.pageStarts[address >>> kPageBits] = (this.pageStarts[address >>> kPageBits] ?? 0) - 1;
    this.largePageStarts[address >>> kLargePageBits] = (this.largePageStarts[address >>> kLargePageBits] ?? 0) - 1;
    this.dirtyPages[address >>> kPageBits] = 1;
  }

  /** Size and flags of a chunk that stays where it is. */
  setChunk(granule: number, size: number, flags: number): void {
    this.chunks[granule] = size | ((this.chunks[granule] ?? 0) & kAddressBit) | flags;
    this.touch(this.addressOf(granule));
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

  touch(address: number): void {
    this.dirtyPages[address >>> kPageBits] = 1;
  }

  // ---- nodes ----

  /** The bits of the 128 bytes around an address. */
  nodeWordAt(address: number): number {
    return this.nodes[this.#nodeIndex(address)] ?? 0;
  }

  nodeInUse(address: number): boolean {
    return ((this.nodeWordAt(address) >>> ((address >>> 2) & 31)) & 1) !== 0;
  }

  setNode(address: number, inUse: boolean): void {
    if (address >>> kFrameBits >= this.frames.length || (address & 3) !== 0)
      contradict(`a node at ${address} is impossible`);
    if (this.nodeInUse(address) === inUse) contradict(`the node at ${address} is ${inUse ? 'in use' : 'free'} already`);
    this.setNodeWord(address, this.nodeWordAt(address) ^ (1 << ((address >>> 2) & 31)));
  }

  setNodeWord(address: number, bits: number): void {
    const frame = address >>> kFrameBits;
    if (this.frames[frame] === 0) this.#addFrame(frame);
    this.nodes[this.#nodeIndex(address)] = bits;
    this.changedFrames[this.frames[frame] as number] = 1;
  }

  /** pre: the frame of the address is empty. Where the next frame begins that may not be: a page of 64 KiB without any is one step. */
  afterEmptyFrame(address: number): number {
    if ((this.#largePageFrames[address >>> kLargePageBits] ?? 0) === 0)
      return (Math.floor(address / 65_536) + 1) * 65_536;
    return (Math.floor(address / kFrameBytes) + 1) * kFrameBytes;
  }

  /** Nothing begins and no node is in use in the frame of an address. */
  frameIsEmpty(address: number): boolean {
    return (this.frames[address >>> kFrameBits] ?? 0) === 0;
  }

  #nodeIndex(address: number): number {
    return (this.frames[address >>> kFrameBits] ?? 0) * kFrameNodeWords + ((address >>> 7) & (kFrameNodeWords - 1));
  }

  // ---- size ----

  /** Makes room for addresses below `end`. */
  reserve(end: number): void {
    const large = Math.ceil(end / 65_536); // pages of 64 KiB
    if (large <= this.largePageStarts.length) return;
    const half = this.largePageStarts.length + (this.largePageStarts.length >>> 1);
    const pages = Math.max(large, Math.min(half, 65_536));
    this.frames = lengthen(this.frames, new Uint32Array(pages * (65_536 / kFrameBytes)));
    this.pageStarts = lengthen(this.pageStarts, new Uint16Array(pages * 16));
    this.dirtyPages = lengthen(this.dirtyPages, new Uint8Array(pages * 16));
    this.largePageStarts = lengthen(this.largePageStarts, new Uint32Array(pages));
    this.#largePageFrames = lengthen(this.#largePageFrames, new Uint16Array(pages));
  }

  /** As before the first chunk; what was reserved stays. */
  clearChunks(): void {
    for (let frame = 1; frame < this.#frameCount; ++frame) this.frames[this.#frameAt[frame] as number] = 0; // not all addresses
    this.words.fill(0, 0, 2 * kFrameWords); // the empty frame, of a foreign heap too, whatever the state was before
    this.#frameCount = 1;
    this.#mayHoldOld = true;
    this.pageStarts.fill(0);
    this.largePageStarts.fill(0);
    this.#largePageFrames.fill(0);
    this.dirtyPages.fill(1);
  }

  #lengthenGranules(frames: number): void {
    this.words = lengthen(this.words, new Uint32Array(Math.max(frames << this.#frameShift, this.words.length)));
    this.chunks = this.words;
    this.born = this.words.subarray(1);
    this.next = this.words.subarray(2);
    this.tag = this.words.subarray(3);
  }

  /** What is cleared when it is used again is written once, not twice: a whole state is restored into it. */
  #clearFrame(number: number): void {
    const first = number << this.#frameShift;
    for (let granule = first; granule <= first + this.#inFrame; granule += kGranuleStep) this.chunks[granule] = 0; // M2
    for (let nth = 0; nth < kFrameNodeWords; ++nth) this.nodes[number * kFrameNodeWords + nth] = 0;
  }

  #addFrame(frame: number): void {
    const number = this.#frameCount;
    if (number === this.#frameAt.length) {
      const count = number + (number >>> 2); // what is not used yet is a fifth at most
      this.#frameAt = lengthen(this.#frameAt, new Uint32Array(count));
      this.#lengthenGranules(count);
      this.nodes = lengthen(this.nodes, new Uint32Array(count * kFrameNodeWords));
      this.changedFrames = lengthen(this.changedFrames, new Uint8Array(count));
    }
    if (this.#mayHoldOld) this.#clearFrame(number);
    this.#frameAt[number] = frame;
    this.frames[frame] = number;
    const large = Math.floor((frame * kFrameBytes) / 65_536);
    this.#largePageFrames[large] = (this.#largePageFrames[large] ?? 0) + 1;
    this.#frameCount = number + 1;
  }
}

function lengthen<T extends Uint32Array | Uint16Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
