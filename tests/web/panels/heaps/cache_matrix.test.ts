import { describe, expect, test } from 'vitest';
import { bytes, seq } from '../../../../web/src/base/brand.ts';
import { lossText, matrixOf, moveText } from '../../../../web/src/panels/heaps/cache_matrix.ts';
import { shortCount } from '../../../../web/src/panels/heaps/matrix.ts';
import type { CachesFrame } from '../../../../web/src/panels/heaps/part.ts';

const frame: CachesFrame = {
  threads: Uint32Array.of(1, 2, 5),
  moreThreads: 0,
  acting: 2,
  classes: [
    {
      pool: 7,
      nodeSize: bytes(64),
      spans: 1,
      nodes: 1023,
      central: 900,
      inUse: 75,
      cached: Uint32Array.of(16, 32, 0),
    },
    { pool: 4, nodeSize: bytes(128), spans: 1, nodes: 511, central: 510, inUse: 0, cached: Uint32Array.of(1, 0, 0) },
  ],
  lastMove: { seq: seq(1234), pool: 4, thread: 5, count: 32, direction: 'fetched' },
};
const plain = (text: string): string => text.replace(/\u202f/g, ' ');

describe('the matrix of caches', () => {
  test('has a column for blocks in use, one for the central list, and one a thread', () => {
    expect(matrixOf(frame).columns.map(({ title }) => title)).toEqual(['in use', 'central', '1', '2', '5']);
  });

  test('marks the acting thread, and only that one', () => {
    expect(matrixOf(frame).columns.map(({ acting }) => acting)).toEqual([false, false, false, true, false]);
  });

  test('shows every node of a class once', () => {
    matrixOf(frame).rows.forEach(({ cells }, index) => {
      expect(cells.reduce((sum, cell) => sum + cell.count, 0)).toBe(frame.classes[index]?.nodes);
      expect(cells.reduce((sum, cell) => sum + cell.share, 0)).toBeCloseTo(1);
    });
  });

  test('says each cell in words, with its bytes', () => {
    const [first, second] = matrixOf(frame).rows;
    expect(first?.cells.map(({ text }) => plain(text))).toEqual([
      '64 B, in use: 75 blocks, 4.69 KiB',
      '64 B, central list: 900 blocks, 56.3 KiB',
      '64 B, thread 1: 16 blocks, 1 KiB',
      '64 B, thread 2: 32 blocks, 2 KiB',
      '64 B, thread 5: 0 blocks',
    ]);
    expect(plain(second?.cells[2]?.text ?? '')).toBe('128 B, thread 1: 1 block, 128 B');
  });

  test('has in the words of a cell what the cell shows, rounded or not', () => {
    const many = { ...frame.classes[0], nodes: 12_345, central: 12_345, inUse: 0, cached: Uint32Array.of(0, 0, 0) };
    const cell = matrixOf({ ...frame, classes: [many as CachesFrame['classes'][number]] }).rows[0]?.cells[1];
    expect(cell?.shown).toBe('12k');
    expect(plain(cell?.text ?? '')).toBe('64 B, central list: 12k, 12,345 blocks, 772 KiB');
    for (const { cells } of matrixOf(frame).rows) for (const each of cells) expect(each.text).toContain(each.shown);
  });

  test('finds the cells between which the last batch moved', () => {
    expect(matrixOf(frame).move).toEqual({ seq: 1234, row: 1, from: 1, to: 4, count: 32 });
  });

  test('has no move when its thread or class is not in the frame', () => {
    const lastMove = { seq: seq(1), pool: 4, thread: 9, count: 1, direction: 'stored' } as const;
    expect(matrixOf({ ...frame, lastMove }).move).toBeUndefined();
    expect(matrixOf({ ...frame, classes: [] }).move).toBeUndefined();
    expect(matrixOf({ ...frame, lastMove: undefined }).move).toBeUndefined();
  });
});

describe('the last batch in words', () => {
  test('says how many of what went where, and when', () => {
    expect(plain(moveText(frame))).toBe(
      'Event 1,234: a batch of 32 blocks of 128 B from the central list to thread 5.',
    );
    const stored = { seq: seq(8), pool: 7, thread: 1, count: 1, direction: 'stored' } as const;
    expect(plain(moveText({ ...frame, lastMove: stored }))).toBe(
      'Event 8: a batch of 1 block of 64 B from thread 1 to the central list.',
    );
  });

  test('a loss of events is told, and what it means for the central lists', () => {
    expect(lossText(frame)).toBe('');
    expect(lossText({ ...frame, undividedSince: seq(5000) })).toMatch(
      /^Events were lost before event 5,000: .* central/,
    );
  });

  test('says that none has moved', () => {
    expect(moveText({ ...frame, lastMove: undefined })).toBe('No batch has moved yet.');
  });
});

test.each([
  [0, '0'],
  [9999, '9,999'],
  [12_345, '12k'],
  [1_234_567, '1.2M'],
])('%d fits a cell as %s', (count, text) => {
  expect(shortCount(count)).toBe(text);
});
