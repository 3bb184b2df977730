// What was allocated of each size, beside what the calls were: births, lives at once, and the chunks that they had then.

import { expect, test } from 'vitest';
import { SizeTable } from '../../../web/src/report/size_table.ts';

const rowOf = (table: SizeTable, request: number) => table.top(() => 1).find((entry) => entry.request === request);

test('a peak is when most blocks of the size lived, with the bytes of their chunks then', () => {
  const table = new SizeTable();
  table.enter(40, 48, true);
  table.enter(40, 64, true);
  table.leave(40, 64, false);
  table.enter(40, 48, true); // two again: the peak is the first time that two lived
  expect(rowOf(table, 40)).toMatchObject({ allocations: 3, bytes: 120, live: 2, peakLive: 2, peakChunkBytes: 112 });
  table.enter(40, 48, true);
  expect(rowOf(table, 40)).toMatchObject({ live: 3, peakLive: 3, liveChunkBytes: 144, peakChunkBytes: 144 });
  table.leave(40, 48, true);
  expect(rowOf(table, 40)).toMatchObject({ live: 2, temporary: 1, peakLive: 3, liveChunkBytes: 96 });
});

test('behind a loss blocks are found again: they were not born there, and what lived before is not counted twice', () => {
  const table = new SizeTable();
  table.enter(40, 48, true);
  table.enter(40, 48, true);
  table.forget();
  for (let nth = 0; nth < 3; ++nth) table.enter(40, 48, false);
  expect(rowOf(table, 40)).toMatchObject({
    allocations: 2,
    bytes: 80,
    live: 3,
    peakLive: 3,
    liveChunkBytes: 144,
    peakChunkBytes: 144,
  });
});

test('rows are of the sizes that have most, the smaller of two equal ones first, and none that have nothing', () => {
  const table = new SizeTable();
  for (const request of [64, 8, 8, 200, 16, 16]) table.enter(request, request + 8, true);
  table.leave(200, 208, false);
  table.leave(7, 15, true); // of a size that was never seen
  expect(table.distinct).toBe(4);
  expect(table.rows(({ allocations }) => allocations).map((row) => row.request_bytes)).toEqual([8, 16, 64, 200]);
  expect(table.rows(({ live }) => live).map((row) => row.request_bytes)).toEqual([8, 16, 64]);
  expect(table.top(({ bytes }) => bytes, 2).map(({ request }) => request)).toEqual([200, 64]);
});
