// One event as an object, for texts and tests. Nothing that touches many events uses this.

import { EventKind, kEventNames, kWalkEvent, kWalkNames } from '../protocol/event_layout.ts';
import { detailOf, heapOf, kindOf, type Trace } from './trace.ts';

/** One event, decoded. `kind` says what `detail`, `a`, `b` and `c` mean: see `kEventFields`. */
export interface Event {
  readonly seq: number; // its position
  readonly kind: EventKind;
  readonly heap: number;
  readonly detail: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** pre: seq < trace.count */
export function decodeEvent(trace: Trace, seq: number): Event {
  const head = trace.head(seq);
  return {
    seq,
    kind: kindOf(head),
    heap: heapOf(head),
    detail: detailOf(head),
    a: trace.a(seq),
    b: trace.b(seq),
    c: trace.c(seq),
  };
}

const kKnown = Uint8Array.from({ length: 256 }, (_, kind) =>
  Number(kEventNames.has(kind) || kWalkNames.has(kind - kWalkEvent)),
);
/** Whether a kind is one of event.h's tables: an event, or a walk record of a snapshot. */
export const isKnownKind = (kind: number): kind is EventKind => kKnown[kind] === 1;

const kWorked = 0x100; // in the detail of command_tried, beside the trial (event.h)

export const hasWorked = (detail: number): boolean => (detail & kWorked) !== 0;
/** Whether a command_tried, given as its head, says that this way of a command worked. */
export const triedAndWorked = (head: number, trial: number): boolean => detailOf(head) === (trial | kWorked);

/** Whether a kind of event is a step of growth: a segment that came or grew, or a request for linear memory. */
export const isGrowth = (kind: number): boolean =>
  kind === EventKind.memoryGrown || kind === EventKind.segmentAdded || kind === EventKind.segmentExtended;
