// What lies over the map's picture: marks of single things, cheap enough to be drawn again at each mouse movement.

import type { BinChain } from '../panels/lists/part.ts';
import type { BlockRanges } from '../protocol/answers.ts';
import type { MapChange } from './map_changes.ts';

export interface MapRange {
  readonly address: number;
  readonly size: number;
}

/** Bytes read from memory, from `from` on; they stand on `ground`, in place of the chunk's label; undefined: on what is there. */
export interface MapBytes {
  readonly from: number;
  readonly values: Uint8Array;
  readonly colour: string;
  readonly ground: string | undefined;
}

/** A name that a text gives to what lies at an address. */
export interface MapLetter {
  readonly name: string;
  readonly at: number;
}

/** What keeps its colours while all else fades. */
export interface MapLit {
  readonly blocks: BlockRanges; // by address
  /** The blocks are few and each is a cause. */
  readonly outlined: boolean;
  readonly holes: BlockRanges;
}

export interface MapOverlay {
  /** undefined: nothing fades. */
  readonly lit: MapLit | undefined;
  /** Where memory ends: what is written below fades with nothing. */
  readonly memoryBytes: number;
  readonly letters: readonly MapLetter[];
  readonly selected: MapRange | undefined;
  readonly hovered: MapRange | undefined;
  /** The map has the keyboard: the selection is outlined twice. */
  readonly focused: boolean;
  readonly bytes: readonly MapBytes[];
  readonly chain: BinChain | undefined;
  /** Splits and merges under way, and how far 0..1. */
  readonly changes: readonly MapChange[];
  readonly progress: number;
}
