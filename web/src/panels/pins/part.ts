// The share of a frame that a hole has, and the blocks that pin it.

import type { Addr, Bytes } from '../../base/brand.ts';
import type { ChunkState } from '../../protocol/map_frames.ts';
import { partKey } from '../../protocol/parts.ts';
import type { SlabSizes } from '../../protocol/slab_words.ts';

/** A block in use or cached beside the hole, or a slab. Nearest first, `nth` is 1, 2, 3. */
export interface PinningBlock {
  readonly side: 'before' | 'after';
  readonly nth: number;
  readonly address: Addr; // of the chunk
  readonly size: Bytes; // with header
  readonly state: ChunkState;
  readonly age: number; // events since it was taken
  /** Bytes of the free run that would be there if it and those nearer on its side were freed. */
  readonly joined: Bytes;
  /** The program's own frame that made it; '' where the trace does not tell. */
  readonly own: string;
  /** Call stack of its birth, innermost frame first; none: the trace does not tell. */
  readonly stack: readonly string[];
  /** Of a slab, which goes when none of its blocks is in use. */
  readonly slab?: SlabSizes | undefined;
}

/** The best that freeing so many blocks gives. What they free lies next to the hole: so many pins before it, so many after. */
export interface Release {
  readonly blocks: number;
  readonly before: number;
  readonly after: number;
  readonly joined: Bytes;
}

export interface PinsPart {
  readonly hole: { readonly address: Addr; readonly size: Bytes };
  /** Whether the selection led to it; if not, it is the largest of the heap. */
  readonly selected: boolean;
  /** The free chunk at the end of the heap, which is no hole; 0: none. */
  readonly top: Bytes;
  readonly pins: readonly PinningBlock[];
  readonly releases: readonly Release[]; // of 1, 2 and 3 blocks, as far as that gives more; else of the nearest slab's
}

/** selected: an address in the hole, or in a block beside it. */
export const kPins = partKey<{ readonly selected: Addr | undefined }, PinsPart>('pins');
