// What calls by hand can act on: only what is selected now, at the newest event of a live heap, and the chosen pool.

import { addr } from '../../base/brand.ts';
import type { Source } from '../../moment/state.ts';
import type { Frame } from '../../protocol/frames.ts';
import { ChunkState } from '../../protocol/map_frames.ts';
import { type FrameParts, partOf } from '../../protocol/parts.ts';
import { kInspect } from '../chunk/part.ts';
import { kLists, type PoolRow } from '../lists/part.ts';
import type { OperationsState } from './operations.ts';

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
    selectedNode: node !== undefined && handsOut(shapeOf(node.pool)) ? node : undefined,
    pool: handsOut(shapeOf(pool)) ? pool : undefined,
    selectedSmall: small ? node.mem : undefined,
  };
}

/** Pools that give and take nodes by calls; the others belong to an owner. */
const handsOut = (shape: PoolRow['shape'] | undefined): boolean =>
  shape === 'segregated' || shape === 'adaptive' || shape === 'aligned_only';
