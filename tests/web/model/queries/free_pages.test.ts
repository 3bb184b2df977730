// Whole free pages of free chunks: behind the words at the begin of each, before the header of what comes next; wherever the chunk is kept.

import { expect, test } from 'vitest';
import { binRange } from '../../../../web/src/model/queries/bin_ranges.ts';
import { queryFreePages } from '../../../../web/src/model/queries/free_pages.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { EventKind } from '../../../../web/src/protocol/event_layout.ts';
import { type Line, traceOf } from '../small_events.ts';

const kPage = 4096;
const kBase = 0x10000;
const kFirst = kBase + 12;
const kFree = 65_536 - 16;
const kBegun: readonly Line[] = [
  [EventKind.heapCreated, 4, kFirst, 8, 0],
  [EventKind.segmentAdded, 0, kBase, 65_536, kFirst],
];

function freePages(lines: readonly Line[], pageBytes = kPage): number {
  const history = new History(traceOf([...kBegun, ...lines]));
  history.fold();
  expect(history.broken).toBeUndefined();
  const { head, trace } = history;
  const found = queryFreePages(head, pageBytes, trace);
  expect(queryFreePages(head, pageBytes)).toBe(found); // without the trace it looks at every chunk
  return found;
}

/** A free chunk of `size` bytes that begins `at` bytes behind the heap's first, between two in use, and is kept so. */
function chunk(at: number, size: number, ...kept: readonly Line[]): readonly Line[] {
  const behind = kFree - at - size;
  return [
    [EventKind.chunkSplit, 0, kFirst, at, kFree - at],
    [EventKind.chunkTaken, 0, kFirst, at, at],
    [EventKind.chunkSplit, 0, kFirst + at, size, behind],
    [EventKind.chunkTaken, 0, kFirst + at + size, behind, behind],
    ...kept,
  ];
}
const kAt = kPage - 24; // of a chunk whose three words end where a page begins
const kOne = kPage + 16; // its size, when the next chunk's header lies at the end of that page

test('a page is free when three words of the chunk lie before it and the next header behind it, and not by 8 bytes less', () => {
  expect(freePages(chunk(kAt, kOne))).toBe(kPage);
  expect(freePages(chunk(kAt, kOne - 8))).toBe(0);
  expect(freePages(chunk(kAt + 8, kOne))).toBe(0);
  expect(freePages(chunk(kAt + 8, kOne + kPage - 8))).toBe(kPage);
  expect(freePages(chunk(kAt, kOne + 2 * kPage))).toBe(3 * kPage);
  expect(freePages(chunk(kAt, kOne + 3 * kPage), 2 * kPage)).toBe(2 * kPage);
});

test('pages are free in bins, in top, in the victim and in what a call has in its hands, each counted once', () => {
  const start = kFirst + kAt;
  const size = kOne + kPage;
  const bin = Array.from({ length: 300 }, (_, n) => n).findIndex((n) => binRange(n, 4).high >= size);
  const kept: readonly (readonly Line[])[] = [
    [],
    [[EventKind.topChanged, 0, start, 0, 0]],
    [[EventKind.victimChanged, 0, start, 0, 0]],
    [[EventKind.binInserted, bin, start, size, 0]],
  ];
  for (const lines of kept) expect(freePages(chunk(kAt, size, ...lines))).toBe(2 * kPage);
});

test('nothing is known of the free memory of a foreign heap', () => {
  const history = new History(
    traceOf([
      [EventKind.heapCreated, 0, 0, 8, 0],
      [EventKind.segmentAdded, 0, 0, 0x20000, 0],
      [EventKind.blockAllocated, 0, 0x1000, 100, 0],
    ]),
  );
  history.fold();
  expect([history.broken, queryFreePages(history.head, kPage, history.trace)]).toEqual([undefined, 0]);
});
