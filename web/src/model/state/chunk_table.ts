// The chunks and nodes of a state, each at its address, in the arrays of frame_table.ts.
//
//   chunks[g]   31                        3 2 1 0      0: no chunk begins here
//              +---------------------------+-+-+-+     C  in use or cached  B  in use and holds a pool's block
//              | size / 8                  |A|B|C|     A  bit 3 of the chunk's address; the bits below follow from
//              +---------------------------+-+-+-+        the word size (4 on wasm32, 0 on 64-bit hosts)
//   born[g]     the event that last took, freed or made the chunk
//   tag[g]      free: number of its bin + 1, 0 when it is kept in none.  B: id of the pool.  cached: its list + 1.
//               a slab's block in use: its list + kInSlab (slabs.ts).  a foreign heap's block: M9.  else 0
//   next[g]     free, in a bin: the next chunk of the bin's list, 0 for the last.  cached: its holder (cached_chunks.ts)
//               B: the next block of the pool's tree order, kTreeEnd for the last, 0 for a block outside the tree
//
//   M2  born, tag and next mean something only where chunks[g] != 0.
//   M3  A bit of nodes says that a node in use begins at its 4 bytes.
//   M9  The segment of a foreign heap (event.h, P7; word size 0) holds blocks with gaps between them, which are nobody's. A block is
//       a chunk in use without a header, its size rounded up to 8; tag is kPadded + the bytes by which it was, 0 where it was by none.
//       Places are found by the rounded size, all that is counted or shown is the program's own (bytesOf). Blocks begin at multiples
//       of 4, no two of them in the same 8 bytes: a granule is 8 bytes, a frame has 32 of them, and A is bit 2 of the address.

import { contradict } from './contradiction.ts';
import { FrameTable, kFrameBits, kFrameNodeWords, kPageBits } from './frame_table.ts';

export const kInUse = 1;
export const kHoldsBlock = 2;
const kAddressBit = 4;
export const kChunkFlags = 7;
/** Of a tag: the two bits that say so, and what they are for a block in use of a slab. */
const kTagKind = 0xc000;
export const kInSlab = 0x4000;
/** M9. In use as a slab's block is, on a list that there is not. */
const kPadded = kInSlab;
const kMostPadding = 8;

export class ChunkTable extends FrameTable {
  addressOf(granule: number): number {
    const bit = (this.chunks[granule] ?? 0) & kAddressBit;
    const base = this.granuleBase(granule);
    return this.isForeign ? base + bit : base + bit * 2 + (this.wordSize & 4);
  }

  #mayBeginAt(address: number): boolean {
    return this.isForeign ? (address & 3) === 0 : (address & 7) === (this.wordSize & 4);
  }

  #addressBit(address: number): number {
    return (this.isForeign ? address : address >>> 1) & kAddressBit;
  }

  sizeOf(granule: number): number {
    return ((this.chunks[granule] ?? 0) & ~kChunkFlags) >>> 0;
  }

  /** What the program has of a block: all of it, but of a foreign heap's what was rounded up (M9). */
  bytesOf(granule: number): number {
    const size = this.sizeOf(granule);
    return this.isForeign ? size - ((this.tag[granule] ?? 0) & ~kPadded) : size;
  }

  /** A block of a foreign heap. */
  addBlock(address: number, bytes: number, born: number): void {
    const size = Math.max(this.granuleBytes, Math.ceil(bytes / kMostPadding) * kMostPadding);
    this.addStart(address, size, kInUse, born);
    if (size > bytes) this.tag[this.granuleAt(address)] = kPadded + size - bytes;
  }

  /** malloc caches the chunk: in use for its neighbours, and nobody's. */
  isCached(granule: number): boolean {
    const tag = this.tag[granule] ?? 0;
    return (
      ((this.chunks[granule] ?? 0) & (kInUse | kHoldsBlock)) === kInUse && tag !== 0 && (tag & kTagKind) !== kInSlab
    );
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
    this.noteChanged(granule, address);
    return granule;
  }

  /** As granuleOf, of a free chunk of this size. */
  freeGranuleOf(address: number, size: number): number {
    const granule = this.granuleOf(address);
    const word = this.chunks[granule] ?? 0;
    if ((word & ~kAddressBit) >>> 0 !== size) contradict(`the chunk at ${address} is not free with ${size} bytes`);
    return granule;
  }

  /** A chunk begins at `address`. flags: kInUse or 0. */
  addStart(address: number, size: number, flags: number, born: number): void {
    const frame = address >>> kFrameBits;
    if (size < this.granuleBytes || (size & 7) !== 0 || !this.#mayBeginAt(address) || frame >= this.frames.length) {
      contradict(`a chunk of ${size} bytes at ${address} is impossible`);
    }
    if (this.chunks[this.granuleAt(address)] !== 0) contradict(`a chunk begins beside ${address} already`);
    this.frameFor(address);
    const granule = this.granuleAt(address);
    this.chunks[granule] = size | this.#addressBit(address) | flags;
    this.born[granule] = born;
    this.tag[granule] = 0;
    this.next[granule] = 0;
    this.noteChanged(granule, address);
    this.addStarts(address, 1);
    this.dirtyPages[address >>> kPageBits] = 1;
  }

  removeStart(granule: number): void {
    const address = this.addressOf(granule);
    this.chunks[granule] = 0;
    this.noteChanged(granule, address);
    this.addStarts(address, -1);
    this.dirtyPages[address >>> kPageBits] = 1;
  }

  /** Size and flags of a chunk that stays where it is. */
  setChunk(granule: number, size: number, flags: number): void {
    this.chunks[granule] = size | ((this.chunks[granule] ?? 0) & kAddressBit) | flags;
    this.touch(this.addressOf(granule));
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
    this.frameFor(address);
    this.nodes[this.#nodeIndex(address)] = bits;
    this.changedNodes[this.frames[address >>> kFrameBits] as number] = 1;
    this.changedPages[address >>> kPageBits] = 1;
  }

  #nodeIndex(address: number): number {
    return (this.frames[address >>> kFrameBits] ?? 0) * kFrameNodeWords + ((address >>> 7) & (kFrameNodeWords - 1));
  }
}
