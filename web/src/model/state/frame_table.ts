// Memory by address, where something begins: the arrays of a state, and what is noted of them for searches, keyframes and summaries.
// chunk_table.ts says what their words mean.
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
//   nodes    32 bits for 128 bytes, 2 words a frame: a bit for each 4 bytes
//
//   M5  frames reaches to the end of the highest segment ever added, and only grows; so do the arrays.
//   M10  Nothing in the arrays changes without granuleOf(), addStart(), removeStart() or setNodeWord(): these note the granule, or the
//        frame of the nodes, as changed. So a keyframe takes what events touched and not the whole heap (keyframe_chain.ts).

export const kPageBits = 12; // 4 KiB pages of the summary
export const kLargePageBits = 16;
export const kHugePageBits = 24;
export const kFrameBits = 8; // of an address
export const kFrameBytes = 1 << kFrameBits;
const kGranuleBits = 4;
const kForeignGranuleBits = 3; // M9
/** From one granule's number to the next. */
export const kGranuleStep = 4;
const kGranuleStepBits = 2;
const kFrameWords = (kFrameBytes / 16) * kGranuleStep; // twice as many in a foreign heap
export const kFrameNodeWords = kFrameBytes / 128;
const kPageFrames = 1 << (kPageBits - kFrameBits);
const kLargePageFrames = 1 << (kLargePageBits - kFrameBits);
/** Of the records of events: those of 64. */
export const kReadAheadWords = 64 * 4;
/** Of a header word; 0: a foreign heap, whose blocks have none that is known. */
export type WordSize = 0 | 4 | 8;
/** Before the first heap says its own. */
export const kFirstWordSize = 4;

export class FrameTable {
  #wordSize: WordSize = kFirstWordSize;
  #granuleBits = kGranuleBits;
  #addressShift = kGranuleBits - kGranuleStepBits; // from an address to its granule in a frame
  #frameShift = kFrameBits - kGranuleBits + kGranuleStepBits; // of a granule's number: 16 or 32 granules to a frame
  #inFrame = kFrameWords - kGranuleStep;
  frames = new Uint32Array(0);
  #frameCount = 1; // the empty one included
  #largePageFrames = new Uint16Array(0); // frames with a place in the arrays, of each page of 64 KiB
  #frameAt = new Uint32Array(16); // by frame: its address / 256
  /** All that granules have; the four behind it are views of it. */
  words = new Uint32Array(16 * kFrameWords);
  chunks = this.words;
  born = this.words.subarray(1);
  next = this.words.subarray(2);
  tag = this.words.subarray(3);
  nodes = new Uint32Array(16 * kFrameNodeWords);
  /** Chunks that begin in each page of 4 KiB, of 64 KiB and of 16 MiB: what lets a search skip. */
  pageStarts = new Uint16Array(0);
  largePageStarts = new Uint32Array(0);
  readonly hugePageStarts = new Uint32Array(256);
  /** 1: something that begins in this page changed since its summary was made (page_summary.ts). */
  dirtyPages = new Uint8Array(0);
  /** By number of a frame: a bit for each granule that may have changed since the last keyframe, and 1 when nodes may have (M10). */
  changed = new Uint32Array(16);
  changedNodes = new Uint8Array(16);
  /** 1: a frame in this page of 4 KiB is noted in them. */
  changedPages = new Uint8Array(0);
  #readAhead = 0;

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

  #frameBase(granule: number): number {
    return (this.#frameAt[granule >>> this.#frameShift] ?? 0) * kFrameBytes;
  }

  /** The first granule of an address's frame, which is in the arrays from now on: they may be others than before. */
  frameFor(address: number): number {
    const frame = address >>> kFrameBits;
    if (this.frames[frame] === 0) this.#addFrame(frame);
    return (this.frames[frame] as number) << this.#frameShift;
  }

  /** So many more chunks begin in the frame of an address. */
  addStarts(address: number, more: number): void {
    const page = address >>> kPageBits;
    const large = address >>> kLargePageBits;
    this.pageStarts[page] = (this.pageStarts[page] as number) + more;
    this.largePageStarts[large] = (this.largePageStarts[large] as number) + more;
    const huge = address >>> kHugePageBits;
    this.hugePageStarts[huge] = (this.hugePageStarts[huge] as number) + more;
  }

  /** Nothing begins and no node is in use in the frame of an address. */
  frameIsEmpty(address: number): boolean {
    return (this.frames[address >>> kFrameBits] ?? 0) === 0;
  }

  /** pre: the frame of the address is empty. Where the next frame begins that may not be: a page of 64 KiB without any is one step. */
  afterEmptyFrame(address: number): number {
    if ((this.#largePageFrames[address >>> kLargePageBits] ?? 0) === 0)
      return (Math.floor(address / 65_536) + 1) * 65_536;
    return (Math.floor(address / kFrameBytes) + 1) * kFrameBytes;
  }

  /** The frames that have a place in the arrays, by address. */
  forEachFrame(visit: (number: number) => void): void {
    for (let large = 0; large < this.#largePageFrames.length; ++large) {
      if (this.#largePageFrames[large] === 0) continue;
      for (let frame = large * kLargePageFrames; frame < (large + 1) * kLargePageFrames; ++frame) {
        const number = this.frames[frame] as number;
        if (number !== 0) visit(number);
      }
    }
  }

  /** M10 */
  protected noteChanged(granule: number, address: number): void {
    const frame = granule >>> this.#frameShift;
    this.changed[frame] = (this.changed[frame] as number) | (1 << ((granule & this.#inFrame) >>> kGranuleStepBits));
    this.changedPages[address >>> kPageBits] = 1;
  }

  /** The frames that are noted as changed, by address. */
  forEachChangedFrame(visit: (number: number) => void): void {
    for (let page = 0; page < this.changedPages.length; ++page) {
      if (this.changedPages[page] === 0) continue;
      for (let frame = page * kPageFrames; frame < (page + 1) * kPageFrames; ++frame) {
        const number = this.frames[frame] as number;
        if (number !== 0 && ((this.changed[number] as number) | (this.changedNodes[number] as number)) !== 0)
          visit(number);
      }
    }
  }

  /** A keyframe was taken: nothing has changed since. */
  forgetChanges(): void {
    for (let page = 0; page < this.changedPages.length; ++page) {
      if (this.changedPages[page] === 0) continue;
      this.changedPages[page] = 0;
      for (let frame = page * kPageFrames; frame < (page + 1) * kPageFrames; ++frame) {
        const number = this.frames[frame] as number;
        this.changed[number] = 0;
        this.changedNodes[number] = 0;
      }
    }
  }

  /**
   * Reads what the next 64 events from word `at` on are about, before they are applied one by one. Of a large heap hardly anything is
   * in the processor's caches: memory is asked for many at a time, not for the next when the last has come.
   * pre: at is a multiple of kReadAheadWords; records is a whole segment of the trace
   */
  readAhead(records: Uint32Array, at: number): void {
    let all = 0;
    for (let a = at + 1; a < at + kReadAheadWords; a += 4) all ^= this.words[this.granuleAt(records[a] as number)] ?? 0;
    this.#readAhead ^= all; // what nobody keeps is not read
  }

  /** Makes room for addresses below `end`. */
  reserve(end: number): void {
    const large = Math.ceil(end / 65_536); // pages of 64 KiB
    if (large <= this.largePageStarts.length) return;
    const half = this.largePageStarts.length + (this.largePageStarts.length >>> 1);
    const pages = Math.max(large, Math.min(half, 65_536));
    this.frames = lengthen(this.frames, new Uint32Array(pages * (65_536 / kFrameBytes)));
    this.pageStarts = lengthen(this.pageStarts, new Uint16Array(pages * 16));
    this.dirtyPages = lengthen(this.dirtyPages, new Uint8Array(pages * 16));
    this.changedPages = lengthen(this.changedPages, new Uint8Array(pages * 16));
    this.largePageStarts = lengthen(this.largePageStarts, new Uint32Array(pages));
    this.#largePageFrames = lengthen(this.#largePageFrames, new Uint16Array(pages));
  }

  /** As before the first chunk; what was reserved stays. */
  clearChunks(): void {
    this.forgetChanges();
    for (let frame = 1; frame < this.#frameCount; ++frame) this.frames[this.#frameAt[frame] as number] = 0; // not all addresses
    this.words.fill(0, 0, Math.max(this.wordCount, 2 * kFrameWords)); // at once: ten times as fast as frame by frame
    this.nodes.fill(0, 0, this.nodeWordCount);
    this.#frameCount = 1;
    this.pageStarts.fill(0);
    this.largePageStarts.fill(0);
    this.hugePageStarts.fill(0);
    this.#largePageFrames.fill(0);
    this.dirtyPages.fill(1);
  }

  /** Room for so many frames at once, the empty one included. */
  reserveFrames(count: number): void {
    if (count <= this.#frameAt.length) return;
    this.#frameAt = lengthen(this.#frameAt, new Uint32Array(count));
    this.#lengthenGranules(count);
    this.nodes = lengthen(this.nodes, new Uint32Array(count * kFrameNodeWords));
    this.changed = lengthen(this.changed, new Uint32Array(count));
    this.changedNodes = lengthen(this.changedNodes, new Uint8Array(count));
  }

  #lengthenGranules(frames: number): void {
    this.words = lengthen(this.words, new Uint32Array(Math.max(frames << this.#frameShift, this.words.length)));
    this.chunks = this.words;
    this.born = this.words.subarray(1);
    this.next = this.words.subarray(2);
    this.tag = this.words.subarray(3);
  }

  #addFrame(frame: number): void {
    const number = this.#frameCount;
    if (number === this.#frameAt.length) this.reserveFrames(number + (number >>> 2)); // a fifth at most is not used yet
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
