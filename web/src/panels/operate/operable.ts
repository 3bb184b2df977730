// What calls by hand can act on: only what is selected now, at the newest event of a live heap, and the chosen pool.

import { type Addr, addr } from '../../base/brand.ts';
import type { Source } from '../../moment/state.ts';
import type { Frame } from '../../protocol/frames.ts';
import { ChunkState } from '../../protocol/map_frames.ts';
import { type FrameParts, partOf } from '../../protocol/parts.ts';
import { kInspect } from '../chunk/part.ts';
import { kLists, type PoolRow } from '../lists/part.ts';

/** What can be acted on. */
export interface OperationsState {
  /** There is a live heap to operate on. */
  readonly possible: boolean;
  /** mem of the selected chunk in use that is no pool's block. */
  readonly selectedMem: Addr | undefined;
  /** The selected node of a pool, in use. */
  readonly selectedNode: { readonly pool: number; readonly mem: Addr } | undefined;
  /** The chosen pool, when it hands out nodes by calls: a size class or a manager belongs to its owner. */
  readonly pool: number | undefined;
  /** mem of the selected block of a size class, in use. */
  readonly selectedSmall: Addr | undefined;
}

export function operable(
  status: Pick<Frame['status'], 'live'>,
  map: Frame['map'],
  parts: FrameParts,
  source: Source,
): OperationsState {
  const inspect = partOf(parts, kInspect);
  const lists = partOf(parts, kLists);
  const now = status.live && inspect !== undefined && inspect.what !== 'outside' && inspect.inUse ? inspect : undefined;
  const wordSize = map?.wordSize ?? 4;
  const pool = lists?.poolBlocks?.pool;
  const node =
    now?.node?.inUse === true && now.pool !== undefined ? { pool: now.pool, mem: now.node.address } : undefined;
  const shapeOf = (id: number | undefined) => lists?.pools.find((row) => row.pool === id)?.shape;
  const small = node !== undefined && shapeOf(node.pool) === 'size_class';
  const block = now !== undefined && !now.holdsBlock && now.state === ChunkState.inUse;
  return {
    possible: source.kind !== 'trace' && source.kind !== 'live',
    selectedMem: block ? addr(now.chunk + wordSize) : undefined,
    selectedNode: node !== undefined && givesNodes(shapeOf(node.pool)) ? node : undefined,
    pool: givesNodes(shapeOf(pool)) ? pool : undefined,
    selectedSmall: small ? node.mem : undefined,
  };
}

/** Pools that give and take nodes by calls; the others belong to an owner. */
const givesNodes = (shape: PoolRow['shape'] | undefined): boolean =>
  shape === 'segregated' || shape === 'adaptive' || shape === 'aligned_only';
