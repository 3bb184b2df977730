// How much a segment grows and shrinks by: the least chunk there is, and no less.

import { expect, test } from 'vitest';
import { History } from '../../../../web/src/model/time/history.ts';
import { EventKind } from '../../../../web/src/protocol/event_layout.ts';
import { type Line, traceOf } from '../small_events.ts';

const kBase = 0x10000;
const kFirst = kBase + 12;
const kSize = 4096;
const kFree = kSize - 16;

function told(...lines: readonly Line[]): History {
  const history = new History(
    traceOf([[EventKind.heapCreated, 4, kFirst, 8, 0], [EventKind.segmentAdded, 0, kBase, kSize, kFirst], ...lines]),
  );
  history.fold();
  return history;
}

test.each([16, 24])('a segment shrinks by a chunk of %i bytes at its end, and grows by as much', (bytes) => {
  const cut: Line = [EventKind.chunkSplit, 0, kFirst, kFree - bytes, bytes];
  const trimmed = told(cut, [EventKind.segmentTrimmed, 0, kBase, kSize, kSize - bytes]);
  expect(trimmed.broken).toBeUndefined();
  expect(trimmed.head.footprint).toBe(kSize - bytes);
  expect(trimmed.head.heap(1).free).toBe(kFree - bytes);
  const extended = told([EventKind.segmentExtended, 0, kBase, kSize, kSize + bytes]);
  expect(extended.broken).toBeUndefined();
  expect(extended.head.footprint).toBe(kSize + bytes);
  expect(extended.head.heap(1).free).toBe(kFree + bytes);
});

test.each([0, 8, 20])('a segment neither shrinks nor grows by %i bytes, which are no chunk', (bytes) => {
  const trimmed = told([EventKind.segmentTrimmed, 0, kBase, kSize, kSize - bytes]);
  expect(trimmed.broken?.text).toMatch(/cannot shrink from 4096 to/);
  const extended = told([EventKind.segmentExtended, 0, kBase, kSize, kSize + bytes]);
  expect(extended.broken?.text).toMatch(/cannot grow from 4096 to/);
  for (const { head } of [trimmed, extended]) expect([head.footprint, head.heap(1).free]).toEqual([kSize, kFree]);
});
