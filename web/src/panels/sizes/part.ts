// The share of a frame that the histograms of sizes and ages have.

import type { Addr, Bytes } from '../../base/brand.ts';
import { partKey } from '../../protocol/parts.ts';

/** Chunks of [2^power, 2^(power+1)) bytes, or so many events old. */
export interface SizeClassRow {
  readonly power: number;
  readonly count: number;
  readonly bytes: Bytes; // of all of them
  readonly largest: Bytes; // the largest one's, and where it is
  readonly largestAt: Addr;
}

/** How large the chunks of a heap are, and how old those in use. Classes without chunks are left out. */
export interface SizesFrame {
  readonly heap: number;
  readonly inUse: readonly SizeClassRow[]; // by size, as cached and free
  readonly cached: readonly SizeClassRow[]; // by malloc: what serves a request
  /** What slabs have for themselves: cached, and in no class. */
  readonly slabWords: Bytes;
  readonly free: readonly SizeClassRow[];
  readonly ages: readonly SizeClassRow[]; // by events since the birth, of what is in use
}

export const kSizes = partKey<true, SizesFrame>('sizes');
