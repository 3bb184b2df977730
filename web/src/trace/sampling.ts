// A trace that has a sample of the blocks: it begins with a named mark of a fixed wording, which says how large the sample is.
//
//   | text "sampled: one allocation in 65536 bytes" | mark, code named | heap_created ...
//
//   Each byte that the program asks for is a point of the sample with probability 1 / mean, apart from all others; a block is recorded when
//   one of its bytes is. So a block of s bytes is recorded with probability p = 1 - exp(-s / mean), and stands for 1 / p blocks of its size.

import { EventKind } from '../protocol/event_layout.ts';
import { nameOfMark } from './texts.ts';
import type { Trace } from './trace.ts';

const kWording = /^sampled: one allocation in ([1-9]\d{0,9}) bytes$/;

/** What may stand before the mark: a trace whose beginning is gone (event.P6) has a loss and an empty snapshot first. */
const kBefore: ReadonlySet<number> = new Set([
  EventKind.text,
  EventKind.stringDefined,
  EventKind.siteDefined,
  EventKind.eventsLost,
  EventKind.snapshotBegun,
  EventKind.snapshotEnded,
]);

/** The name of the mark. */
export const samplingText = (mean: number): string => `sampled: one allocation in ${mean} bytes`;

/** Bytes from one sample to the next, as a mean; undefined: the trace has all blocks. The mark stands before the first heap. */
export function samplingMean(trace: Trace): number | undefined {
  for (let event = 0; event < trace.count; ++event) {
    const kind = trace.kind(event);
    if (kind === EventKind.mark) {
      const found = kWording.exec(nameOfMark(trace, event) ?? '');
      if (found !== null) return Number(found[1]);
    } else if (!kBefore.has(kind)) return undefined;
  }
  return undefined;
}

/** How probable it is that a block of so many bytes is recorded. */
export const sampledChance = (size: number, mean: number): number => -Math.expm1(-size / mean);

/** A distance to the next point of the sample, drawn so that the points have no memory. */
export const drawDistance = (mean: number): number => Math.floor(-Math.log(1 - Math.random()) * mean);
