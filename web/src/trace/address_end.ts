// A trace of a memory with 64-bit addresses, in which a block lay behind 4 GiB: a named mark of a fixed wording, and nothing but losses
// behind it.
//
//   ... | text ... | mark, code named | events_lost n | events_lost n |        one loss each time that events were taken

import { EventKind } from '../protocol/event_layout.ts';
import { nameOfMark } from './texts.ts';
import type { Trace } from './trace.ts';

/** The name of the mark. */
export const kBehindText = 'a block behind 4 GiB, where addresses do not fit into a trace: recording ends here';

/** For whoever reads figures; undefined: no block lay there. */
export function addressEnd(trace: Trace): string | undefined {
  let event = trace.count - 1;
  while (event >= 0 && trace.kind(event) === EventKind.eventsLost) --event;
  if (event < 0 || nameOfMark(trace, event) !== kBehindText) return undefined;
  return 'a block lay behind 4 GiB, where addresses do not fit into a trace: this is the heap up to that call, and nothing behind it is recorded';
}
