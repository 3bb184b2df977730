// The moment that a run is shown at where an address names none: inside the first call for one block for which the heap grows though
// enough is free, as the free memory lies in many pieces. It is looked for while the run goes on.
//
//   slice ──▶ growths that are complete since the slice before ──▶ the first that fragmentation caused ──▶ the moment
//
//   first.1  The rule is about the trace alone: a program whose static data is laid out otherwise has its first moment at another event.
//   first.2  A growth is judged when its call has ended, or the run; each once.

import { growthOf, growthPlaces, momentInCall } from '../answers/growths.ts';
import type { Session } from './session.ts';

/** In fewer pieces the map has little to show. */
const kFewestPieces = 20;

export class FirstMoment {
  #looked = 0; // events whose growths are judged

  /** undefined: not in what has run since the last time. */
  next({ model, head }: Session, isRunning: boolean): number | undefined {
    const { history } = model;
    const { growthSteps } = history;
    const steps = [...growthSteps.slice(growthSteps.countBelow(this.#looked), growthSteps.count)];
    for (const place of growthPlaces(history.operations, steps)) {
      if (place.end >= head && isRunning) return undefined; // first.2
      this.#looked = place.end;
      const { figures, slab } = growthOf(history, model.at(place.begin).state, place);
      const isOneBlock = figures.request_blocks === 1 && slab === undefined;
      const isInPieces = figures.cause === 'fragmented' && figures.free_pieces >= kFewestPieces;
      if (isOneBlock && isInPieces) return momentInCall(history, place);
    }
    this.#looked = head;
    return undefined;
  }
}
