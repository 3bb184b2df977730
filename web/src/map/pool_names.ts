// What the kinds of pools and their blocks are called: on the map, in the pools' panel, in the inspector. One place, so
// that a span is a span everywhere.

import { formatBytes } from '../base/format.ts';
import type { PoolRow } from '../panels/lists/part.ts';

export type PoolShape = PoolRow['shape'];

/** Of the pools of a frame, by id; a pool that is not in it (of another heap) is "pool #3". */
export type BlockNames = ReadonlyMap<number, string>;

interface ShapeWords {
  readonly kind: string;
  /** What it takes from the heap: one, several. */
  readonly block: readonly [string, string];
  readonly node: readonly [string, string];
  /** How its blocks are listed, and where its free nodes are. */
  readonly order: string;
}

export const kShapeWords: Readonly<Record<PoolShape, ShapeWords>> = {
  segregated: {
    kind: 'Segregated pool',
    block: ['block', 'blocks'],
    node: ['node', 'nodes'],
    order: 'Free nodes by block, blocks by address; the pool keeps them in one list.',
  },
  adaptive: {
    kind: 'Adaptive pool',
    block: ['block', 'blocks'],
    node: ['node', 'nodes'],
    order: 'Free nodes by block, in tree order, then the full ones.',
  },
  aligned_only: {
    kind: 'Adaptive pool, aligned only',
    block: ['block', 'blocks'],
    node: ['node', 'nodes'],
    order: 'Free nodes by block, in tree order, then the full ones.',
  },
  size_class: {
    kind: 'Size class',
    block: ['span', 'spans'],
    node: ['block', 'blocks'],
    order: 'Free blocks by span, spans by address; each is in the central list or in a cache.',
  },
  fixed_block: {
    kind: 'Fixed-block manager',
    block: ['arena', 'arenas'],
    node: ['block', 'blocks'],
    order: 'Free blocks by arena, arenas by address; the manager keeps them in one list.',
  },
  lock_free: {
    kind: 'Lock-free pool',
    block: ['block', 'blocks'],
    node: ['entry', 'entries'],
    order: 'Free entries by block, blocks by address; all hang on one head that threads change by compare and swap.',
  },
  fixed_size: {
    kind: 'Fixed-size list of a memory pool',
    block: ['block', 'blocks'],
    node: ['node', 'nodes'],
    order: 'Free nodes by block, blocks by address; the memory pool keeps them in one list.',
  },
};

/** Pools whose blocks are kept in an order of their own; the others' are listed by address. */
export const inTreeOrder = (shape: PoolShape): boolean => shape === 'adaptive' || shape === 'aligned_only';

/** The pool itself: "Size class · 128 B". */
export const poolTitle = (row: PoolRow): string => `${kShapeWords[row.shape].kind} · ${formatBytes(row.nodeSize)}`;

/** One of its blocks, short enough for the map: "span of class 128". */
export function blockName(row: Pick<PoolRow, 'pool' | 'shape' | 'nodeSize'>): string {
  switch (row.shape) {
    case 'size_class':
      return `span of class ${row.nodeSize}`;
    case 'fixed_block':
      return `manager #${row.pool}`;
    case 'lock_free':
      return `lock-free #${row.pool}`;
    case 'fixed_size':
      return `list of ${row.nodeSize} #${row.pool}`;
    default:
      return `pool #${row.pool}`;
  }
}

export const kNoNames: BlockNames = new Map();

export const blockNames = (pools: readonly PoolRow[]): BlockNames =>
  new Map(pools.map((row) => [row.pool, blockName(row)]));

export const nameOfBlock = (names: BlockNames, pool: number): string => names.get(pool) ?? `pool #${pool}`;
