import { describe, expect, test } from 'vitest';
import { bytes, seq } from '../../../../web/src/base/brand.ts';
import {
  cacheListMatrixOf,
  cacheListMoveText,
  flushText,
  slabsText,
} from '../../../../web/src/panels/heaps/cache_list_matrix.ts';
import { layoutMatrix } from '../../../../web/src/panels/heaps/matrix_layout.ts';
import type { CacheListRow, CacheListsFrame } from '../../../../web/src/panels/heaps/part.ts';

const row = (list: number | undefined, low: number, high: number, chunks: readonly number[]): CacheListRow => ({
  list,
  low: bytes(low),
  high: bytes(high),
  chunks: Uint32Array.from(chunks),
  bytes: Float64Array.from(chunks, (count) => count * low),
});
const frame: CacheListsFrame = {
  holders: Uint32Array.of(0, 1, 2),
  acting: 2,
  rows: [row(9, 72, 72, [0, 16, 32]), row(530, 4160, 4416, [2, 1, 0]), row(26, 208, 208, [0, 0, 0])],
  chunks: 51,
  bytes: bytes(15_936),
  slabs: { count: 0, ownBytes: bytes(0) },
  flushes: 3,
  lastFlush: { seq: seq(1234), bytes: bytes(4096), chunks: 40, slabs: 0, nested: true },
  flushing: undefined,
  lastMove: { seq: seq(999), list: 9, from: 2, to: 0, chunks: 32 },
};
const plain = (text: string): string => text.replace(/\u202f/g, ' ');

describe('the matrix of cache lists', () => {
  test('has a column for the central lists and one a thread; the acting one is marked', () => {
    const { columns, apart } = cacheListMatrixOf(frame);
    expect(columns.map(({ title, acting }) => [title, acting])).toEqual([
      ['central', false],
      ['1', false],
      ['2', true],
    ]);
    expect(apart).toBe(1);
    const alone = { ...frame, holders: Uint32Array.of(1), rows: [row(9, 72, 72, [4])], acting: 1, lastMove: undefined };
    expect(cacheListMatrixOf(alone).columns.map(({ title }) => title)).toEqual(['1']);
  });

  test('says each cell in words, with its bytes, and fills it by its share of the fullest', () => {
    const [first, second, third] = cacheListMatrixOf(frame).rows;
    expect(first?.cells.map(({ text }) => plain(text))).toEqual([
      '72 B, central list: 0 chunks',
      '72 B, thread 1: 16 chunks, 1.13 KiB',
      '72 B, thread 2: 32 chunks, 2.25 KiB',
    ]);
    expect([plain(first?.extra ?? ''), third?.extra]).toEqual(['3.38 KiB', '']);
    expect(plain(second?.title ?? '')).toBe('≤ 4.31 KiB');
    expect(second?.cells.map(({ share }) => share)).toEqual([1, 0.5, 0]);
  });

  test('of many lists those are shown that have chunks, and how many are left out', () => {
    const few = Array.from({ length: 14 }, (_, i) => row(2 + i, 16 + 8 * i, 16 + 8 * i, [0, 0, i % 2]));
    expect(cacheListMatrixOf({ ...frame, rows: few }).rows.length).toBe(14);
    const more = [...few, row(40, 320, 320, [0, 0, 1])];
    expect(cacheListMatrixOf({ ...frame, rows: more }).rows.length).toBe(8);
    const many = Array.from({ length: 60 }, (_, i) => row(2 + i, 16 + 8 * i, 16 + 8 * i, [0, 0, 1]));
    const { rows, left } = cacheListMatrixOf({ ...frame, rows: many });
    expect([rows.length, left, rows[0]?.key]).toEqual([48, 12, 14]); // the smallest are left out
  });

  test('finds the cells between which chunks moved last, and says it', () => {
    expect(cacheListMatrixOf(frame).move).toEqual({ seq: 999, row: 0, from: 2, to: 0, count: 32 });
    expect(plain(cacheListMoveText(frame))).toBe(
      'Event 999: 32 chunks of 72 B went from thread 2 to the central list.',
    );
    expect(cacheListMatrixOf({ ...frame, lastMove: undefined }).move).toBeUndefined();
    expect(cacheListMoveText({ ...frame, lastMove: undefined })).toBe('');
  });

  test('a list that is not known since events were lost is called so', () => {
    const [only] = cacheListMatrixOf({ ...frame, rows: [row(undefined, 0, 0, [1, 0, 0])] }).rows;
    expect(only?.cells[0]?.text).toMatch(/^unknown, central list: 1 chunk/);
  });
});

test('the last flush is told, whether on demand, and how many there were', () => {
  expect(plain(flushText(frame))).toBe(
    'Event 1,234: an allocation flushed the cache: 40 chunks, 4 KiB, went to the heap; 3 times in all.',
  );
  const asked = { seq: seq(5), bytes: bytes(72), chunks: 1, slabs: 0, nested: false };
  expect(plain(flushText({ ...frame, flushes: 1, lastFlush: asked }))).toBe(
    'Event 5: the cache was flushed on demand: 1 chunk, 72 B, went to the heap; the first time.',
  );
  expect(flushText({ ...frame, flushes: 0, lastFlush: undefined })).toMatch(/not been flushed/);
  const now = 'Event 1,300: a flush of the cache began, and is under way.';
  expect(flushText({ ...frame, flushing: seq(1300) })).toBe(`${now} ${flushText(frame)}`);
  expect(flushText({ ...frame, flushes: 0, lastFlush: undefined, flushing: seq(1300) })).toBe(now);
});

test('slabs are told: free blocks in rows of their own, what no block can have below, and what a flush ended', () => {
  const slabs = { count: 3, ownBytes: bytes(412) };
  expect(plain(slabsText({ slabs }))).toBe(
    '3 slabs; 412 B of all that is cached are slabs’ own words and the table of where they lie.',
  );
  expect(slabsText(frame)).toBe('');
  const [small] = cacheListMatrixOf({ ...frame, rows: [row(0x106, 48, 48, [0, 7, 0]), ...frame.rows] }).rows;
  expect([small?.title, small?.cells[1]?.text].map((text) => plain(text ?? ''))).toEqual([
    '48 B in slabs',
    '48 B in slabs, thread 1: 7 blocks, 336 B',
  ]);
  const both = { seq: seq(5), bytes: bytes(9000), chunks: 40, slabs: 2, nested: false };
  expect(plain(flushText({ ...frame, lastFlush: both }))).toContain(
    ' 40 chunks and 2 slabs, 8.79 KiB, went to the heap',
  );
  expect(flushText({ ...frame, lastFlush: { ...both, chunks: 0, slabs: 1 } })).toContain(' 1 slab, ');
});

test('titles of rows are whole, beside their cells', () => {
  const slabs = { ...frame, rows: [row(0x106, 120, 120, [0, 3, 0]), ...frame.rows] };
  for (const shown of [cacheListMatrixOf(frame), cacheListMatrixOf(slabs)]) {
    const { titleEnd, cellX, wide } = layoutMatrix(shown, 305);
    const longest = Math.max(...shown.rows.map(({ title }) => title.length));
    expect(titleEnd).toBeGreaterThanOrEqual(longest * 7.2); // a letter of the figures at 12 pixels
    expect(cellX(0)).toBeGreaterThan(titleEnd);
    expect(wide).toBeGreaterThan(cellX(shown.columns.length));
  }
  expect(plain(cacheListMatrixOf(slabs).rows[0]?.title ?? '')).toBe('120 B in slabs');
});
