import { describe, expect, test } from 'vitest';
import { bytes, seq } from '../../../web/src/base/brand.ts';
import { chapterAt, livePool } from '../../../web/src/moment/selection.ts';
import type { Frame, PoolRow, TimelineFrame } from '../../../web/src/protocol/frames.ts';

const row = (pool: number): PoolRow => ({ pool, nodeSize: bytes(24) }) as PoolRow;
const frameWith = (...pools: number[]): Frame => ({ pools: pools.map(row) }) as unknown as Frame;

describe('the pool that is shown', () => {
  test('is the chosen one while it lives, else the first', () => {
    expect(livePool(3, frameWith(1, 3))).toBe(3);
    expect(livePool(3, frameWith(1, 2))).toBe(1);
    expect(livePool(undefined, frameWith(5))).toBe(5);
  });

  test('is none when there is none', () => {
    expect(livePool(3, frameWith())).toBeUndefined();
    expect(livePool(3, undefined)).toBeUndefined();
  });
});

test('a moment lies in the chapter whose mark is the last at or before it', () => {
  const marks = [
    { seq: seq(0), label: 'one' },
    { seq: seq(100), label: 'two' },
  ];
  const timeline = { marks } as unknown as TimelineFrame;
  expect(chapterAt(timeline, 99)).toBe('one');
  expect(chapterAt(timeline, 100)).toBe('two');
  expect(chapterAt(timeline, 1e6)).toBe('two');
  expect(chapterAt(undefined, 5)).toBeUndefined();
  const later = { marks: marks.slice(1) } as unknown as TimelineFrame;
  expect(chapterAt(later, 99)).toBe(''); // its place is kept
  expect(chapterAt({ marks: [] } as unknown as TimelineFrame, 5)).toBeUndefined();
});
