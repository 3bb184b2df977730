// The share of a frame that the free lists and pools have.

import type { Addr, Bytes } from '../../base/brand.ts';
import { partKey } from '../../protocol/parts.ts';

export interface BinRow {
  readonly bin: number;
  readonly low: Bytes; // sizes low..high go here
  readonly high: Bytes;
  readonly count: number;
  readonly bytes: Bytes;
}

/** The chunks of one bin, first to last. */
export interface BinChain {
  readonly bin: number;
  readonly address: Uint32Array;
  readonly size: Uint32Array;
}

export interface PoolRow {
  readonly pool: number;
  readonly heap: number;
  readonly address: Addr;
  readonly shape:
    | 'segregated'
    | 'adaptive'
    | 'aligned_only'
    | 'size_class'
    | 'fixed_block'
    | 'lock_free'
    | 'fixed_size';
  readonly nodeSize: Bytes;
  readonly nodesPerBlock: number;
  readonly subBlockBytes: Bytes;
  readonly subBlocks: number;
  readonly maxFreeBlocks: number;
  readonly blocks: number;
  readonly nodesInUse: number;
  readonly nodesFree: number;
}

/** Blocks of one pool: first those in the tree, in order (fewest free nodes first), then the full ones by address. */
export interface PoolBlocks {
  readonly pool: number;
  readonly treeCount: number;
  readonly address: Uint32Array;
  readonly freeNodes: Uint32Array;
}

/** A pool that does not live stands for the first one that does. */
export interface ListsWant {
  readonly bin: number | undefined;
  readonly pool: number | undefined;
  /** Whether the blocks of that pool are wanted. */
  readonly blocks: boolean;
}

/** Of the chosen heap. */
export interface ListsPart {
  /** Every bin that is not empty, and the small ones (one size each) always. By number. */
  readonly bins: readonly BinRow[];
  readonly binChain: BinChain | undefined;
  /** Those in bins, top, the victim and what an operation has in its hands. */
  readonly freeChunks: number;
  /** By number, at most 512; the one asked for is among them. */
  readonly pools: readonly PoolRow[];
  readonly poolsTotal: number;
  readonly poolBlocks: PoolBlocks | undefined;
}

/** The panel that shows it, for who leads there. */
export const kListsPanel = 'lists';

export const kLists = partKey<ListsWant, ListsPart>('lists');
