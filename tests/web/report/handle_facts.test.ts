// Handles in a report: as many groups of collected ones as a table has rows.

import { expect, test } from 'vitest';
import { renderText } from '../../../web/src/document/render_text.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import { EventKind, Op } from '../../../web/src/protocol/event_layout.ts';
import { handleFacts } from '../../../web/src/report/handle_facts.ts';
import { kMostRows } from '../../../web/src/report/limits.ts';
import { makeReport } from '../../../web/src/report/report.ts';
import { reportDocument } from '../../../web/src/report/report_document.ts';
import { findBetween } from '../../../web/src/report/trace_places.ts';
import { type HandleMark, handleMarkText } from '../../../web/src/trace/handle_marks.ts';
import { MarkCode, textRecords } from '../../../web/src/trace/texts.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';
import type { TraceFile } from '../../../web/src/trace/trace_file.ts';

test('a report says what was made between two marks and not deleted there, and what was collected', () => {
  const trace = new Trace();
  const named = (text: string) => {
    trace.append(textRecords(text));
    trace.appendEvent(headOf(EventKind.mark, 0, MarkCode.named), 0, 0, 0);
  };
  const mark = (handle: HandleMark) => named(handleMarkText(handle));
  const made = (handle: number, origin: number) => {
    const address = 4096 * handle;
    trace.appendEvent(headOf(EventKind.opBegun, 1, Op.allocate), 0, 40, 0);
    trace.appendEvent(headOf(EventKind.blockAllocated, 1, 0), address, 40, 8);
    trace.appendEvent(headOf(EventKind.opEnded, 1, Op.allocate), address, 40, 0);
    mark({ is: 'made', handle, origin, address, smart: 0, isEarlier: false });
  };
  trace.appendEvent(headOf(EventKind.heapCreated, 1, 0), 0, 8, 0);
  trace.appendEvent(headOf(EventKind.segmentAdded, 1, 0), 0, 1 << 20, 0);
  for (const [origin, className] of [
    [1, 'Before'],
    [2, 'Between'],
    [3, 'Behind'],
  ] as const)
    mark({ is: 'origin', origin, pointsTo: 'inside', className });
  made(1, 1);
  named('a');
  made(2, 2);
  named('b');
  made(3, 3);
  const file: TraceFile = { trace, wordSize: 4, traceVersion: trace.version, notes: {}, notice: undefined };
  const textOf = () => {
    const between = findBetween(file, 'a', 'b');
    if (!between.ok) throw new Error(between.error);
    const report = makeReport(file, { name: 'handles', between: between.value });
    return renderText(reportDocument(report)).replaceAll('\u202f', ' ');
  };
  const tableOf = (text: string) => text.slice(text.indexOf('Made behind "a" and before "b", and not deleted there'));
  expect(tableOf(textOf())).toMatch(/^.*\n+.*handles.*\n.* 1 .*Between/);
  expect(tableOf(textOf()).split('\n\n')[0]).not.toMatch(/Before|Behind/);
  const withoutBlock = (handle: number) =>
    mark({ is: 'made', handle, origin: 3, address: 0x80000 + 64 * handle, smart: 0, isEarlier: false });
  expect(textOf()).not.toContain('further handle');
  withoutBlock(10);
  expect(textOf()).toMatch(/1 further handle not deleted points to no block of its own\./);
  withoutBlock(11);
  expect(textOf()).toMatch(/2 further handles not deleted point to no block of their own\./);
  expect(textOf()).not.toContain('collected');
  mark({ is: 'collected', handle: 1 });
  expect(textOf()).toContain('1 handle was collected and deleted late');
  mark({ is: 'collected', handle: 3 });
  expect(textOf()).toContain('2 handles were collected and deleted late');
});

test('a report has no more groups of collected handles than rows', () => {
  const trace = new Trace();
  const mark = (handle: HandleMark) => {
    trace.append(textRecords(handleMarkText(handle)));
    trace.appendEvent(headOf(EventKind.mark, 0, MarkCode.named), 0, 0, 0);
  };
  const classes = kMostRows + 5;
  for (let origin = 1; origin <= classes; ++origin) {
    mark({ is: 'origin', origin, pointsTo: 'inside', className: `Class${origin}` });
    for (const handle of [origin, origin + 1000])
      mark({ is: 'made', handle, origin, address: 0x1000 * handle, smart: 0, isEarlier: false });
    mark({ is: 'collected', handle: origin });
  }
  const model = new Model(trace);
  model.history.fold();
  expect(model.history.broken).toBeUndefined();
  const { collected, collected_groups } = handleFacts(model, undefined);
  expect([collected, collected_groups.length]).toEqual([classes, kMostRows]);
});
