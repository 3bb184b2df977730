// The stretch of time that the time line shows, narrowed and widened around a place.

export type TimelineRange = { readonly from: number; readonly to: number } | undefined;

const kLeastEvents = 200;

export const between = (one: number, other: number): NonNullable<TimelineRange> => ({
  from: Math.min(one, other),
  to: Math.max(one, other),
});

/** A stretch that a hand chose, wide enough to be looked at; undefined: a press that did not move chooses none. */
export function stretchOf({ from, to }: NonNullable<TimelineRange>, head: number): TimelineRange {
  if (from === to) return undefined;
  const span = Math.min(head, Math.max(kLeastEvents, to - from));
  const start = Math.max(0, Math.min(from, head - span));
  return { from: start, to: start + span };
}

/** `factor` times as much time, with `middle` where it was; undefined: all of it. */
export function widened(
  shown: NonNullable<TimelineRange>,
  middle: number,
  factor: number,
  head: number,
): TimelineRange {
  const { from, to } = shown;
  const span = Math.max(kLeastEvents, (to - from) * factor);
  if (span >= head) return undefined;
  const start = Math.max(0, Math.round(middle - ((middle - from) / Math.max(1, to - from)) * span));
  return { from: start, to: Math.min(head, Math.round(start + span)) };
}
