// Where outermost operations begin and end, so that a reader can step by what a user did.
//
//   O1  begins and ends are ascending; an operation cut off by a trap or a loss has a begin and no end. No operation goes on behind a
//       loss or a reset.
//   O2  A place to stop at is 0, behind an outermost operation, and the head of the trace.
//   O3  Outside every operation an event can be one by itself: a node that its owner hands out or takes back (event.P2), a chunk
//       that malloc serves from its cache or caches (event.P4).

import { GrowingUint32 } from '../base/growing.ts';
import { EventKind } from '../protocol/event_layout.ts';
import { kEventWords, kSegmentBits, kSegmentEvents, type Trace } from './trace.ts';

/** O3 */
const kIsWhole = Uint8Array.from({ length: 256 }, (_, kind) =>
  Number(
    kind === EventKind.nodeTaken ||
      kind === EventKind.nodeReturned ||
      kind === EventKind.chunkCached ||
      kind === EventKind.chunkReused,
  ),
);

/** Where operations begin and end in a trace: for readers that step by calls of the program, not by events. */
export class OperationIndex {
  readonly #begins = new GrowingUint32();
  readonly #stops = new GrowingUint32(); // sequence numbers behind an outermost op_ended
  #seen = 0;
  #depth = 0;

  /** Reads the events that came since the last call, those before event `until`. */
  extend(trace: Trace, until = trace.count): void {
    const stop = Math.min(until, trace.count);
    while (this.#seen < stop) {
      const words = trace.segment(this.#seen >>> kSegmentBits);
      if (words === undefined) return;
      const end = Math.min(stop, ((this.#seen >>> kSegmentBits) + 1) * kSegmentEvents);
      let at = (this.#seen & (kSegmentEvents - 1)) * kEventWords;
      for (let seq = this.#seen; seq < end; ++seq, at += kEventWords) {
        const kind = (words[at] ?? 0) & 0xff;
        if (kind === EventKind.opBegun) {
          if (this.#depth++ === 0) this.#begins.push(seq);
        } else if (kind === EventKind.opEnded) {
          if (this.#depth > 0 && --this.#depth === 0) this.#stops.push(seq + 1);
        } else if (kIsWhole[kind] === 1) {
          if (this.#depth !== 0) continue;
          this.#begins.push(seq);
          this.#stops.push(seq + 1);
        } else if (kind === EventKind.eventsLost || kind === EventKind.stateReset) this.#depth = 0;
      }
      this.#seen = end;
    }
  }

  get total(): number {
    return this.#begins.count;
  }

  /** Outermost operations begun before sequence number `seq`. */
  begunBefore(seq: number): number {
    return this.#begins.countBelow(seq);
  }

  /** The outermost operation that event `seq` belongs to or, between two, the one before: [first event, past the last). */
  around(seq: number): readonly [number, number] | undefined {
    const nth = this.#begins.countBelow(seq + 1) - 1;
    if (nth < 0) return undefined;
    const begin = this.#begins.at(nth);
    const nextBegin = nth + 1 < this.#begins.count ? this.#begins.at(nth + 1) : this.#seen;
    const stop = this.#stops.countBelow(begin + 1);
    const end = stop < this.#stops.count ? Math.min(this.#stops.at(stop), nextBegin) : nextBegin;
    return [begin, end];
  }

  /** The place to stop at, `by` places after (before, when negative) `seq`. */
  step(seq: number, by: number): number {
    if (by > 0) {
      const nth = this.#stops.countBelow(seq + 1) + by - 1;
      return nth < this.#stops.count ? this.#stops.at(nth) : this.#seen;
    }
    if (by < 0) {
      const nth = this.#stops.countBelow(seq) + by;
      return nth >= 0 ? this.#stops.at(nth) : 0;
    }
    return seq;
  }
}
