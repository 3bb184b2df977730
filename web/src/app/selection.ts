// What follows from the selection and a frame: which pool is shown, which block the operation panel acts on.

import { addr } from '../base/brand.ts';
import { ChunkState, type Frame, type PoolRow, type TimelineFrame } from '../protocol/frames.ts';
import type { OperationsState } from '../views/operations/operations.ts';
import type { Source } from './state.ts';

/** The chosen pool while it lives, else the first one. */
export function livePool(chosen: number | undefined, frame: Frame | undefined): number | undefined {
  const pools = frame?.pools ?? [];
  return pools.some((row) => row.pool === chosen) ? chosen : pools[0]?.pool;
}

/** What the operation panel can act on: only what is selected now, at the newest event of a live heap. */
export function operable(frame: Frame, source: Source, pool: number | undefined): OperationsState {
  const { inspect, status } = frame;
  const now = status.live && inspect !== undefined && inspect.what !== 'outside' && inspect.inUse ? inspect : undefined;
  const wordSize = frame.map?.wordSize ?? 4;
  const node =
    now?.node?.inUse === true && now.pool !== undefined ? { pool: now.pool, mem: now.node.address } : undefined;
  const shapeOf = (id: number | undefined) => frame.pools.find((row) => row.pool === id)?.shape;
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

/** The chapter a moment lies in: the last mark at or before it. Empty before the first one; undefined where no chapters are. */
export function chapterAt(timeline: TimelineFrame | undefined, cursor: number): string | undefined {
  if (timeline === undefined || timeline.marks.length === 0) return undefined;
  return timeline.marks.findLast((mark) => mark.seq <= cursor)?.label ?? '';
}
