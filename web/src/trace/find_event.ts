// The next event of a kind that the visitor looks for, from one moment on or back: what touches an address, asks for so
// many bytes, makes memory grow, fails, or says a text.
//
//   F1  A moment is a number of events; it is at the event that was applied last. What is found is the moment right after
//       the event, so that the event itself is what is explained there.
//   F2  A text is also in the stack of a call, which the trace alone does not know: who asks says which calls come from it.
//   F3  Looking for a text makes a sentence of each event, some microseconds; the others read words. So a text is looked
//       for in kMostSentences events at a time, and who asks is told how far that was.

import { EventKind, kEventFields, type RecordFields, Status } from '../protocol/event_layout.ts';
import type { Found, Wanted } from '../protocol/messages.ts';
import { decodeEvent, isKnownKind } from './decode.ts';
import { describeEvent } from './describe.ts';
import { MarkCode, textBefore } from './texts.ts';
import { detailOf, kindOf, type Trace } from './trace.ts';

const kMostSentences = 200_000;

/** From the moment `from`, on (by 1) or back (by -1). F1 */
export function findEvent(
  trace: Trace,
  wanted: Wanted,
  from: number,
  by: 1 | -1,
  isCallFrom: (event: number) => boolean = () => false,
): Found {
  const matches = matcherOf(trace, wanted, isCallFrom);
  const first = by > 0 ? from : from - 2;
  const most = wanted.by === 'text' ? kMostSentences : trace.count;
  let looked = 0;
  for (let event = first; event >= 0 && event < trace.count; event += by) {
    if (looked++ === most) return { moment: undefined, lookedUpTo: event };
    if (matches(event)) return { moment: event + 1, lookedUpTo: event };
  }
  return { moment: undefined, lookedUpTo: undefined };
}

function matcherOf(trace: Trace, wanted: Wanted, isCallFrom: (event: number) => boolean): (event: number) => boolean {
  switch (wanted.by) {
    case 'address':
      return (event) => touches(trace, event, wanted.address);
    case 'size':
      return (event) => {
        const kind = kindOf(trace.head(event));
        if (kind !== EventKind.opBegun && kind !== EventKind.chunkTaken) return false;
        const size = trace.b(event);
        const asked = kind === EventKind.chunkTaken ? trace.c(event) : size;
        return wanted.orMore ? size >= wanted.size : size === wanted.size || asked === wanted.size;
      };
    case 'growth':
      return (event) => {
        const kind = kindOf(trace.head(event));
        return kind === EventKind.segmentAdded || kind === EventKind.segmentExtended;
      };
    case 'failure':
      return (event) => {
        const head = trace.head(event);
        const kind = kindOf(head);
        if (kind === EventKind.memoryGrown) return detailOf(head) === 0;
        return kind === EventKind.opEnded && trace.c(event) !== Status.ok;
      };
    case 'text': {
      const text = wanted.text.toLowerCase();
      return (event) => isCallFrom(event) || says(trace, event).toLowerCase().includes(text);
    }
  }
}

/** Bytes from the event's address on that it is about. */
const kExtents: ReadonlyMap<RecordFields['b'], (trace: Trace, event: number) => number> = new Map([
  ['size', (trace, event) => trace.b(event)],
  ['leftSize', (trace, event) => trace.b(event) + trace.c(event)],
  ['elementSize', (trace, event) => trace.b(event) * trace.c(event)],
]);
/** A header word and its payload's first word: what an event is about that has an address and no size. */
const kLeastExtent = 16;

function touches(trace: Trace, event: number, address: number): boolean {
  const kind = kindOf(trace.head(event));
  if (!isKnownKind(kind)) return false;
  const fields: RecordFields | undefined = kEventFields[kind];
  if (fields === undefined || !['address', 'block', 'node'].includes(fields.a ?? '')) return false;
  const start = trace.a(event);
  if (start === 0) return false;
  const extent = kExtents.get(fields.b)?.(trace, event) ?? kLeastExtent;
  return address >= start && address < start + Math.max(extent, 1);
}

function says(trace: Trace, event: number): string {
  const head = trace.head(event);
  const kind = kindOf(head);
  if (!isKnownKind(kind)) return '';
  if (kind === EventKind.mark && detailOf(head) === MarkCode.named) return textBefore(trace, event);
  return describeEvent(decodeEvent(trace, event)).text;
}
