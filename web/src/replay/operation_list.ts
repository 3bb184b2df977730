// Operations of a program without its heap: what it asked of malloc and kin, in order. Two words an operation, as in
// programs/replay/stream.h, whose module carries them out on each allocator (player.ts):
//
//            31                            8 7         3 2    0
//           +-------------------------------+-----------+------+
//    what   | id of the block               | bits      | kind |    bits: the alignment's logarithm, 0 when none was asked for;
//           +-------------------------------+-----------+------+          of a node its pool's number
//    size   | bytes as requested; 0 of a free                  |
//           +--------------------------------------------------+
//
//   O1  An id belongs to one live block; it may be given again after the block's free.

import { GrowingUint32 } from '../base/growing.ts';

/** node, nodeFree and copy are in streams that try out advice only. */
export const OperationKind = {
  malloc: 0,
  calloc: 1,
  aligned: 2,
  realloc: 3,
  free: 4,
  node: 5,
  nodeFree: 6,
  copy: 7,
} as const;
export type OperationKind = (typeof OperationKind)[keyof typeof OperationKind];

const kKindBits = 3;
const kKindMask = (1 << kKindBits) - 1;
const kBitsMask = 31;
const kIdShift = 8;
export const kMostIds = 1 << 24;

export class OperationList {
  readonly #words = new GrowingUint32();

  get count(): number {
    return this.#words.count / 2;
  }

  /** pre: id < kMostIds; alignment is 0 or a power of two */
  add(kind: OperationKind, id: number, size: number, alignment = 0): void {
    this.addBits(kind, id, size, alignment === 0 ? 0 : 31 - Math.clz32(alignment));
  }

  addBits(kind: OperationKind, id: number, size: number, bits: number): void {
    this.#words.push(wordOf(kind, id, bits));
    this.#words.push(size);
  }

  words(): Uint32Array {
    return this.#words.slice();
  }
}

export const wordOf = (kind: OperationKind, id: number, bits = 0): number =>
  (kind | (bits << kKindBits) | (id << kIdShift)) >>> 0;
export const kindOfWord = (what: number): OperationKind => (what & kKindMask) as OperationKind;
export const bitsOfWord = (what: number): number => (what >>> kKindBits) & kBitsMask;
export const idOfWord = (what: number): number => what >>> kIdShift;

/** Ids that are free, the last freed first, so ids stay below the largest number of live blocks. */
export class FreeIds {
  readonly #free: number[] = [];
  #next = 0;

  /** Above all ids given so far. */
  get limit(): number {
    return this.#next;
  }

  take(): number {
    return this.#free.pop() ?? this.#next++;
  }

  give(id: number): void {
    this.#free.push(id);
  }
}
