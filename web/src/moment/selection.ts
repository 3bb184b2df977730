// What follows from the choices and a frame: which pool is shown, which chapter the moment lies in.

import type { Frame, TimelineFrame } from '../protocol/frames.ts';

/** The chosen pool while it lives, else the first one. */
export function livePool(chosen: number | undefined, frame: Frame | undefined): number | undefined {
  const pools = frame?.pools ?? [];
  return pools.some((row) => row.pool === chosen) ? chosen : pools[0]?.pool;
}

/** The chapter a moment lies in: the last mark at or before it. Empty before the first one; undefined where no chapters are. */
export function chapterAt(timeline: TimelineFrame | undefined, cursor: number): string | undefined {
  if (timeline === undefined || timeline.marks.length === 0) return undefined;
  return timeline.marks.findLast((mark) => mark.seq <= cursor)?.label ?? '';
}
