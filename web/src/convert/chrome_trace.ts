// Chrome's trace event format, which Perfetto and speedscope open. Time is the event's number: a microsecond an event.
//
//   slices     X  outermost operations, what was asked in args           thread: who acted
//   counters   C  live bytes and footprint, where they changed
//   instants   i  marks, checkpoints and losses

import { formatCount } from '../base/format.ts';
import { EventKind, kOpNames } from '../protocol/event_layout.ts';
import { nameOfMark } from '../trace/texts.ts';
import { detailOf, kindOf } from '../trace/trace.ts';
import type { TraceFile } from '../trace/trace_file.ts';
import { programTable } from './program_table.ts';

const kProcess = 1;

export function writeChromeTrace(file: TraceFile): string {
  const { trace, notes } = file;
  const title = JSON.stringify(notes.title ?? 'heapglass');
  const lines = [`{"ph":"M","pid":${kProcess},"tid":0,"name":"process_name","args":{"name":${title}}}`];
  const instant = (name: string, ts: number, tid: number) =>
    lines.push(`{"ph":"i","s":"p","pid":${kProcess},"tid":${tid},"ts":${ts},"name":${JSON.stringify(name)}}`);
  let depth = 0;
  let begun = 0;
  let thread = 1;
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
        const name = kOpNames.get(detailOf(head)) ?? 'operation';
        const args = `{"event":${begun},"address":${trace.a(begun) || trace.a(event)},"request":${trace.b(begun)},"status":${trace.c(event)}}`;
        lines.push(
          `{"ph":"X","pid":${kProcess},"tid":${thread},"ts":${begun},"dur":${event - begun + 1},"name":"${name}","args":${args}}`,
        );
        break;
      }
      case EventKind.mark:
        instant(nameOfMark(trace, event) ?? chapterOf(file, event), event, thread);
        break;
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
