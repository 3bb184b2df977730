// Two things that move by themselves: the map on its way to another place, and the changes of one step. Both are told
// the time by whoever draws, so that all of a picture belongs to one moment.

import { between, type MapLayout, type MapTransform } from './map_geometry.ts';

/** Milliseconds. */
const kTravel = 220;
const kChange = 220;

/** Out fast, in slowly: a wheel's zoom goes on as if pushed. */
const easeOut = (share: number): number => 1 - (1 - share) ** 3;

export interface MapMotion {
  /** Goes to a transform; at once when motion is not wanted. */
  travel(from: MapTransform, to: MapTransform, now: number, still: boolean): void;
  stop(): void;
  /** Where the map is now; undefined: it does not move by itself. */
  place(now: number, layout: MapLayout): MapTransform | undefined;
  target(): MapTransform | undefined;
  startChange(now: number): void;
  /** 0..1; undefined: no change under way. */
  change(now: number): number | undefined;
}

export function createMapMotion(): MapMotion {
  let journey: { from: MapTransform; to: MapTransform; start: number; duration: number } | undefined;
  let changeStart: number | undefined;
  return {
    travel(from, to, now, still) {
      journey = { from, to, start: now, duration: still ? 0 : kTravel };
    },
    stop() {
      journey = undefined;
    },
    place(now, layout) {
      if (journey === undefined) return undefined;
      const share = journey.duration === 0 ? 1 : Math.min((now - journey.start) / journey.duration, 1);
      const { from, to } = journey;
      if (share >= 1) journey = undefined;
      return between(layout, from, to, easeOut(Math.max(share, 0)));
    },
    target: () => journey?.to,
    startChange(now) {
      changeStart = now;
    },
    change(now) {
      if (changeStart === undefined) return undefined;
      const share = Math.max(now - changeStart, 0) / kChange;
      if (share < 1) return share;
      changeStart = undefined;
      return undefined;
    },
  };
}
