// Chrome's slices are the program's calls, also of a trace that lost events amid a call.

import { expect, test } from 'vitest';
import { writeChromeTrace } from '../../../web/src/convert/chrome_trace.ts';
import { EventKind, Op, Status } from '../../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';

interface Event {
  readonly ph: string;
  readonly name: string;
  readonly ts: number;
  readonly dur: number;
  readonly tid: number;
}

type Record = readonly [EventKind, number, number, number, number];
const begun = (op: Op, address: number): Record => [EventKind.opBegun, op, address, 100, 0];
const ended = (op: Op): Record => [EventKind.opEnded, op, 0x1004, 108, Status.ok];

function slicesOf(records: readonly Record[]): (string | number)[][] {
  const trace = new Trace();
  for (const [kind, detail, a, b, c] of records) trace.appendEvent(headOf(kind, 1, detail), a, b, c);
  const text = writeChromeTrace({ trace, wordSize: 4, traceVersion: 5, notes: {}, notice: undefined });
  const { traceEvents } = JSON.parse(text) as { readonly traceEvents: readonly Event[] };
  return traceEvents.filter(({ ph }) => ph === 'X').map(({ name, ts, dur, tid }) => [name, ts, dur, tid]);
}

test('a call inside a call is part of its slice', () => {
  const nested = [begun(Op.reallocate, 0x1004), begun(Op.allocate, 0), ended(Op.allocate), ended(Op.reallocate)];
  expect(slicesOf([...nested, begun(Op.deallocate, 0x1004), ended(Op.deallocate)])).toEqual([
    ['reallocate', 0, 4, 1],
    ['deallocate', 4, 2, 1],
  ]);
});

test('a call whose end was lost has no slice, and the calls behind the loss each have theirs', () => {
  const loss: Record = [EventKind.eventsLost, 0, 7, 0, 0];
  expect(
    slicesOf([
      begun(Op.reallocate, 0x1004),
      begun(Op.allocate, 0),
      loss,
      ended(Op.reallocate), // of which the beginning is not known
      begun(Op.allocate, 0),
      ended(Op.allocate),
      begun(Op.deallocate, 0x1004),
      ended(Op.deallocate),
    ]),
  ).toEqual([
    ['allocate', 4, 2, 1],
    ['deallocate', 6, 2, 1],
  ]);
});

test('a slice belongs to the thread that acted', () => {
  const changed: Record = [EventKind.threadChanged, 0, 3, 1, 0];
  expect(
    slicesOf([begun(Op.allocate, 0), ended(Op.allocate), changed, begun(Op.allocate, 0), ended(Op.allocate)]),
  ).toEqual([
    ['allocate', 0, 2, 1],
    ['allocate', 3, 2, 3],
  ]);
});

test('a call that the cache serves is a slice of its own, and inside another call none', () => {
  const reused: Record = [EventKind.chunkReused, 0, 0x1000, 0, 100];
  const cached: Record = [EventKind.chunkCached, 0, 0x1000, 0, 0];
  expect(slicesOf([reused, cached, begun(Op.allocate, 0), cached, reused, ended(Op.allocate)])).toEqual([
    ['allocate', 0, 1, 1],
    ['deallocate', 1, 1, 1],
    ['allocate', 2, 4, 1],
  ]);
});
