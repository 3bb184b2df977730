// The share of a frame that a hole has, and the blocks that pin it.

import type { Addr, Bytes } from '../../base/brand.ts';
import type { ChunkState } from '../../protocol/map_frames.ts';
import { partKey } from '../../protocol/parts.ts';

/** A block in use or cached beside the hole. Nearest first, `nth` is 1, 2, 3. */
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
}

/** The best that freeing so many blocks gives: they lie next to the hole, some before it, some after. */
export interface Release {
  readonly blocks: number;
  readonly before: number; // so many of them before the hole
  readonly joined: Bytes;
}

export interface PinsPart {
  readonly hole: { readonly address: Addr; readonly size: Bytes };
  /** Whether the selection led to it; if not, it is the largest of the heap. */
  readonly selected: boolean;
  /** The free chunk at the end of the heap, which is no hole; 0: none. */
  readonly top: Bytes;
  readonly pins: readonly PinningBlock[];
  readonly releases: readonly Release[]; // of 1, 2 and 3 blocks, as far as there are so many
}

/** selected: an address in the hole, or in a block beside it. */
export const kPins = partKey<{ readonly selected: Addr | undefined }, PinsPart>('pins');
