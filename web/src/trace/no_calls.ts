// Whether a trace has any call of an allocator. One of an instrumented module may have none, though its program allocated: all went through
// functions that were not found, or through another module. Nothing else in it would say so.

import { EventKind } from '../protocol/event_layout.ts';
import { kEventWords, kindOf, kSegmentEvents, type Trace } from './trace.ts';

/** What stands in a trace before its first call, and around it. */
const kBeside: ReadonlySet<number> = new Set([
  EventKind.text,
  EventKind.stringDefined,
  EventKind.siteDefined,
  EventKind.siteEntered,
  EventKind.mark,
  EventKind.threadChanged,
  EventKind.heapCreated,
  EventKind.snapshotBegun,
  EventKind.snapshotEnded,
]);

/** Of whole records. */
export function haveCalls(records: Uint32Array): boolean {
  for (let at = 0; at < records.length; at += kEventWords) if (!kBeside.has(kindOf(records[at] as number))) return true;
  return false;
}

/** What is likely, and what helps. */
export const kNoCalls =
  'no call of an allocator is recorded: the program allocated nothing in this module, or by functions that were not found; heapglass doctor app.wasm says which are found, and heapglass instrument --malloc and --free name others';

/** For whoever reads figures; undefined: there are some. */
export function noCalls(trace: Trace): string | undefined {
  for (let from = 0; from < trace.count; from += kSegmentEvents) {
    const words = trace.segment(from / kSegmentEvents);
    const end = Math.min(kSegmentEvents, trace.count - from) * kEventWords;
    if (words !== undefined && haveCalls(words.subarray(0, end))) return undefined;
  }
  return kNoCalls;
}
