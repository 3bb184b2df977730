// Chrome's trace event format, which Perfetto and speedscope open. Time is the event's number: a microsecond an event.
//
//   slices     X  outermost operations, what was asked in args           thread: who acted
//   counters   C  live bytes and footprint, where they changed
//   instants   i  marks, checkpoints and losses

import { formatCount } from '../base/format.ts';
import { EventKind, kOpNames, Op } from '../protocol/event_layout.ts';
import { isHandleText } from '../trace/handle_marks.ts';
import { nameOfMark } from '../trace/texts.ts';
import { detailOf, kindOf } from '../trace/trace.ts';
import type { TraceFile } from '../trace/trace_file.ts';
import { programTable } from './program_table.ts';

const kProcess = 1;

export function writeChromeTrace(file: TraceFile): string {
  const { trace, notes, wordSize } = file;
  const title = JSON.stringify(notes.title ?? 'heapglass');
  const lines = [`{"ph":"M","pid":${kProcess},"tid":0,"name":"process_name","args":{"name":${title}}}`];
  const instant = (name: string, ts: number, tid: number) =>
    lines.push(`{"ph":"i","s":"p","pid":${kProcess},"tid":${tid},"ts":${ts},"name":${JSON.stringify(name)}}`);
  let depth = 0;
  let begun = 0;
  let thread = 1;
  const slice = (op: number, first: number, last: number, args: string) => {
    const name = kOpNames.get(op) ?? 'operation';
    lines.push(
      `{"ph":"X","pid":${kProcess},"tid":${thread},"ts":${first},"dur":${last - first + 1},"name":"${name}","args":{"event":${first},${args}}}`,
    );
  };
  for (let event = 0; event < trace.count; ++event) {
    const head = trace.head(event);
    switch (kindOf(head)) {
      case EventKind.threadChanged:
        thread = trace.a(event);
        break;
      case EventKind.opBegun:
        if (depth++ === 0) begun = event;
        break;
      case EventKind.opEnded: {
        if (depth === 0 || --depth > 0) break;
        const address = trace.a(begun) || trace.a(event);
        const args = `"address":${address},"request":${trace.b(begun)},"status":${trace.c(event)}`;
        slice(detailOf(head), begun, event, args);
        break;
      }
      // Outside every operation each is a whole call (event.P4).
      case EventKind.chunkReused:
      case EventKind.chunkCached: {
        if (depth > 0) break;
        const isMalloc = kindOf(head) === EventKind.chunkReused;
        const args = `"address":${trace.a(event) + wordSize},"request":${isMalloc ? trace.c(event) : 0},"status":0`;
        slice(isMalloc ? Op.allocate : Op.deallocate, event, event, args);
        break;
      }
      case EventKind.mark: {
        const name = nameOfMark(trace, event) ?? chapterOf(file, event);
        if (!isHandleText(name)) instant(name, event, thread);
        break;
      }
      case EventKind.eventsLost:
        depth = 0;
        instant(`${formatCount(trace.a(event))} events lost`, event, thread);
        break;
      default:
        break;
    }
  }
  const table = programTable(file);
  for (let row = 0; row < table.count; ++row) {
    const args = `{"live bytes":${table.liveBytes[row]},"footprint":${table.footprint[row]}}`;
    lines.push(`{"ph":"C","pid":${kProcess},"tid":0,"ts":${table.event[row]},"name":"heap","args":${args}}`);
  }
  return `{"displayTimeUnit":"ns","traceEvents":[\n${lines.join(',\n')}\n]}\n`;
}

const chapterOf = ({ trace, notes }: TraceFile, mark: number): string =>
  notes.chapters?.[trace.a(mark)] ?? `mark ${detailOf(trace.head(mark))}`;
