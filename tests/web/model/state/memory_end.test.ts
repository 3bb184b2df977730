// Where memory ends, event by event: whole pages, which only a program that goes on in another memory gives back.

import { expect, test } from 'vitest';
import { memoryAfter, reachOf } from '../../../../web/src/model/state/memory_end.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { EventKind } from '../../../../web/src/protocol/event_layout.ts';
import { type Line, traceOf } from '../small_events.ts';

const kPage = 65_536;
const after = (before: number, kind: EventKind, a: number, b: number, c: number) =>
  memoryAfter(before * kPage, { kind, a, b, c }) / kPage;

test('memory is what it grew to, and never less than it was', () => {
  expect([after(3, EventKind.memoryGrown, 3, 5, 0), after(7, EventKind.memoryGrown, 3, 5, 0)]).toEqual([5, 7]);
});

test('it reaches to the end of the page in which a segment ends', () => {
  const { segmentAdded, segmentExtended } = EventKind;
  expect([after(0, segmentAdded, kPage, kPage, 0), after(0, segmentAdded, kPage, kPage + 8, 0)]).toEqual([2, 3]);
  expect([after(0, segmentExtended, kPage, 8, kPage), after(0, segmentExtended, kPage, 8, kPage + 8)]).toEqual([2, 3]);
  expect([after(9, segmentAdded, kPage, kPage, 0), after(9, segmentExtended, kPage, 8, kPage)]).toEqual([9, 9]);
});

test('another memory is as large as it is said to be, and other events change nothing', () => {
  expect([after(9, EventKind.memoryMoved, 9, 4, 0), after(2, EventKind.memoryMoved, 2, 4, 0)]).toEqual([4, 4]);
  expect(after(3, EventKind.chunkSplit, kPage, 90 * kPage, 90 * kPage)).toBe(3);
});

test('segments alone reach to the end of the last page, and none to nowhere', () => {
  const reach = (...lines: readonly Line[]) => {
    const history = new History(traceOf([[EventKind.heapCreated, 4, 0x1000c, 8, 0], ...lines]));
    history.fold();
    expect(history.broken).toBeUndefined();
    return reachOf(history.head) / kPage;
  };
  const added = (page: number, size: number): Line => [
    EventKind.segmentAdded,
    0,
    page * kPage,
    size,
    page * kPage + 12,
  ];
  expect([reach(), reach(added(1, kPage)), reach(added(1, 4096)), reach(added(5, 4096), added(1, 4096))]).toEqual([
    0, 2, 2, 6,
  ]);
});

test('the memory of a history goes with what its segments say, where some event has said how large it is', () => {
  const lines: readonly Line[] = [
    [EventKind.heapCreated, 4, 0x1000c, 8, 0],
    [EventKind.segmentAdded, 0, kPage, kPage, kPage + 12],
    [EventKind.memoryGrown, 1, 4, 5, 0],
    [EventKind.segmentAdded, 0, 6 * kPage, 4096, 6 * kPage + 12],
    [EventKind.memoryMoved, 0, 7, 12, 0],
    [EventKind.segmentAdded, 0, 8 * kPage, 4096, 8 * kPage + 12],
  ];
  const history = new History(traceOf(lines));
  history.fold();
  expect(history.broken).toBeUndefined();
  const pages = Array.from({ length: lines.length + 1 }, (_, seq) => (history.memoryBytes.at(seq) ?? 0) / kPage);
  expect(pages).toEqual([4, 4, 4, 5, 7, 12, 12]);
  const moved = new History(traceOf([[EventKind.memoryMoved, 0, 7, 5, 0]]));
  moved.fold();
  expect([0, 1].map((seq) => (moved.memoryBytes.at(seq) ?? 0) / kPage)).toEqual([7, 5]);
});
