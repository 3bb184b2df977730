// The page moves through time by itself: from the moment that is shown to another one, event by event as far as there is time for them.
//
//   travel.1  It ends with anything the visitor does, and takes kTravelMs at most; at once, where no motion is wanted.

import { seq } from '../base/brand.ts';
import type { Store } from './state.ts';

const kTravelMs = 1200;

export interface TravelOptions {
  readonly store: Store;
  /** The event that is shown; undefined: nothing is. */
  shown(): number | undefined;
  /** The cursor was moved: another frame is wanted. */
  moved(): void;
  /** No motion is wanted. */
  still(): boolean;
}

export type Travel = ReturnType<typeof createTravel>;

export function createTravel({ store, shown, moved, still }: TravelOptions) {
  let due = 0;
  function stop(): void {
    cancelAnimationFrame(due);
    due = 0;
  }
  function stand(at: number): void {
    store.set({ cursor: seq(at), follow: false, playing: false });
    moved();
  }
  return {
    stop,
    isUnderWay: () => due !== 0,
    to(event: number, from = shown()): void {
      stop();
      if (from === undefined || from === event) return;
      if (still()) {
        stand(event);
        return;
      }
      const begun = performance.now();
      let stood = store.get().cursor;
      const step = (now: number): void => {
        if (store.get().cursor !== stood) {
          stop(); // the visitor went elsewhere
          return;
        }
        const share = Math.min((now - begun) / kTravelMs, 1);
        const at = share >= 1 ? event : Math.round(from + (event - from) * (1 - (1 - share) ** 3));
        stand(at);
        stood = store.get().cursor;
        due = share < 1 ? requestAnimationFrame(step) : 0;
      };
      due = requestAnimationFrame(step);
    },
  };
}
