// The stretch of time that the time line shows goes along with the moment: whoever steps, seeks or plays out of it sees the moment again.
//
//   along.1  A link may name a moment outside of its stretch, and a stretch may be chosen beside the moment: both stay as they are until
//            the moment moves.

import type { EventRange, Store } from './state.ts';

/** As long as the stretch, with the moment in the middle; the same where it holds the moment already. */
export function rangeAlong(range: EventRange, at: number, head: number): EventRange {
  if (at >= range.from && at <= range.to) return range;
  const span = range.to - range.from;
  const from = Math.max(0, Math.min(Math.round(at - span / 2), head - span));
  return { from, to: from + span };
}

/** Returns what ends it. */
export const keepRangeAlong = (store: Store, head: () => number): (() => void) =>
  store.subscribe((state, before) => {
    if (state.range === undefined || state.range !== before.range || state.cursor === before.cursor) return; // along.1
    store.set({ range: rangeAlong(state.range, state.cursor, head()) });
  });
