// Which call sites the tables of a report name: those that have what the table is about.

import { expect, test } from 'vitest';
import type { Table } from '../../../web/src/document/document.ts';
import { EventKind, kTraceVersion, Op } from '../../../web/src/protocol/event_layout.ts';
import { readReport } from '../../../web/src/report/report.ts';
import { reportDocument } from '../../../web/src/report/report_document.ts';
import { findBetween } from '../../../web/src/report/trace_places.ts';
import { MarkCode, textRecords } from '../../../web/src/trace/texts.ts';
import { headOf } from '../../../web/src/trace/trace.ts';
import type { TraceFile } from '../../../web/src/trace/trace_file.ts';
import { begin, chunkNumber, done, kBase, kFree, kSize } from '../model/cached_events.ts';
import { SiteWriter } from '../model/sited_trace.ts';
import { type Line, traceOf } from '../model/small_events.ts';

/** Blocks of four sites: before the marks, between them, freed before the second one, and behind it. */
function program(): TraceFile {
  const writer = new SiteWriter(
    traceOf([
      [EventKind.heapCreated, 4, kBase + 12, 8, 0],
      [EventKind.segmentAdded, 0, kBase, 65_536, kBase + 12],
    ]),
  );
  const { trace } = writer;
  const add = (...lines: readonly Line[]) => {
    for (const [kind, detail, a, b, c] of lines) trace.appendEvent(headOf(kind, 1, detail), a, b, c);
  };
  const allocate = (site: string, n: number) => {
    writer.enter(['main', site]);
    const at = chunkNumber(n);
    add(
      begin(Op.allocate, 0, 60),
      [EventKind.chunkSplit, 0, at, kSize, kFree - (n + 1) * kSize],
      [EventKind.chunkTaken, 0, at, kSize, 60],
      done(Op.allocate, at + 4, kSize - 4),
    );
  };
  const mark = (name: string) => {
    trace.append(textRecords(name));
    trace.appendEvent(headOf(EventKind.mark, 0, MarkCode.named), 0, 0, 0);
  };
  allocate('before', 0);
  mark('a');
  allocate('between', 1);
  allocate('between', 2);
  allocate('freed', 3);
  add(
    begin(Op.deallocate, chunkNumber(3) + 4),
    [EventKind.chunkReleased, 0, chunkNumber(3), kSize, 0],
    done(Op.deallocate),
  );
  mark('b');
  add([EventKind.chunksMerged, 0, chunkNumber(3), kSize, kFree - 4 * kSize]);
  allocate('behind', 3);
  return { trace, wordSize: 4, traceVersion: kTraceVersion, notes: {}, notice: undefined };
}

test('the sites of what still lives, and of what was allocated between two marks, are those that have such blocks', () => {
  const file = program();
  const places = findBetween(file, 'a', 'b');
  if (!places.ok) throw new Error(places.error);
  const { report } = readReport(file, { name: 'a program', between: places.value });
  const tables = reportDocument(report)
    .sections.flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.is === 'either' ? [block.short, block.whole] : []))
    .filter((block): block is Table => block.is === 'table');
  const rowsOf = (title: string) =>
    tables.filter((table) => table.title === title).map(({ rows }) => rows.map((row) => [row.at(-1), row[0]]));
  const living = [
    ['between < main', 2],
    ['before < main', 1],
    ['behind < main', 1],
  ];
  expect(rowsOf('Call sites of what still lives')).toEqual([living, living]); // without libraries, and with them
  const between = [['between < main', 2]];
  expect(rowsOf('Allocated behind "a" and live at "b"')).toEqual([between, between]);
});
