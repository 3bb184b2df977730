// A small trace in which every text is a given one: what names of a stranger do to what shows them.

import { EventKind } from '../../web/src/protocol/event_layout.ts';
import { MarkCode, textRecords } from '../../web/src/trace/texts.ts';
import { headOf, Trace } from '../../web/src/trace/trace.ts';
import { encodeTraceFile } from '../../web/src/trace/trace_file.ts';

/** A foreign heap with a block of each size, still in use, by a site of this name each; a mark and a title of the name too. */
export function namedTrace(name: string, sizes: readonly number[] = [100, 300], freed = false): Uint8Array {
  const trace = new Trace();
  const add = (kind: EventKind, detail: number, a = 0, b = 0, c = 0) =>
    trace.appendEvent(headOf(kind, 1, detail), a, b, c);
  add(EventKind.heapCreated, 0, 0x1000, 8);
  add(EventKind.segmentAdded, 0, 0x1000, 0x100000, 0x1000);
  sizes.forEach((size, nth) => {
    trace.append(textRecords(`${name}${nth}`));
    add(EventKind.stringDefined, 0, nth + 1);
    add(EventKind.siteDefined, 0, nth + 1, 0, nth + 1);
    add(EventKind.siteEntered, 0, nth + 1);
    add(EventKind.opBegun, 1, 0, size);
    add(EventKind.blockAllocated, 0, 0x2000 + nth * 0x1000, size);
    add(EventKind.opEnded, 1, 0x2000 + nth * 0x1000, size);
    if (!freed) return;
    add(EventKind.opBegun, 2, 0x2000 + nth * 0x1000);
    add(EventKind.blockFreed, 0, 0x2000 + nth * 0x1000);
    add(EventKind.opEnded, 2);
  });
  trace.append(textRecords(name));
  add(EventKind.mark, MarkCode.named);
  return new Uint8Array(encodeTraceFile(trace, 4, { title: name }));
}
