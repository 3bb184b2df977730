// The share of a frame that two compared moments have.

import type { Addr, Bytes, Seq } from '../../base/brand.ts';
import { partKey } from '../../protocol/parts.ts';

export interface ComparedBlock {
  readonly address: Addr; // of the chunk
  readonly size: Bytes; // with header
  readonly born: Seq; // right after its birth
}

export interface ComparedBlocks {
  readonly count: number;
  readonly bytes: Bytes;
  readonly largest: readonly ComparedBlock[]; // the ten largest, largest first
}

/** The blocks of all heaps at an earlier (or later) moment and at the frame's: gone, in both, added. */
export interface CompareFrame {
  readonly since: Seq;
  readonly gone: ComparedBlocks;
  readonly both: ComparedBlocks; // with the sizes that they have at the frame's moment
  readonly grown: number; // bytes: what those in both have more there than at `since`; below 0: less
  readonly added: ComparedBlocks;
}

export const kCompare = partKey<{ readonly since: Seq }, CompareFrame>('compare');
