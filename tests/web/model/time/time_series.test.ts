import { expect, test } from 'vitest';
import { createRandom } from '../../../../web/src/base/random.ts';
import { StepSeries, TimeSeries } from '../../../../web/src/model/time/time_series.ts';

test('a range has the least and greatest of its values, however it lies to the buckets', () => {
  const random = createRandom(1);
  const series = new TimeSeries();
  const values = [0]; // at sequence number 0
  for (let i = 0; i < 20_000; ++i) {
    // Chunks come and go by multiples of 8, foreign blocks by any number of bytes; now and then much changes at once.
    const [before = 0, kind] = [values.at(-1), random.below(20)];
    const step = kind === 0 ? random.below(2 ** 32) - before : (random.below(4000) - 2000) * (kind < 15 ? 8 : 1);
    const value = Math.max(0, Math.min(2 ** 32 - 1, before + step));
    series.push(value);
    values.push(value);
  }
  const ranges = [
    [0, 20_000],
    [0, 0],
    [64, 128],
    [63, 129],
    [4096, 8192],
    [1, 19_999],
    [4095, 12_289],
  ];
  for (let i = 0; i < 200; ++i) {
    const from = random.below(20_000);
    ranges.push([from, from + random.below(20_001 - from)]);
  }
  for (const [from = 0, to = 0] of ranges) {
    const among = values.slice(from, to + 1);
    expect(series.range(from, to)).toEqual([Math.min(...among), Math.max(...among)]);
    expect(series.at(from)).toBe(values[from]);
  }
});

test('a step series has the value of the last change, and the greatest of a range', () => {
  const series = new StepSeries();
  series.set(10, 5);
  series.set(20, 9);
  series.set(30, 2);
  expect([9, 10, 19, 20, 31].map((seq) => series.at(seq))).toEqual([undefined, 5, 5, 9, 2]);
  expect(series.maxOver(0, 9)).toBe(0);
  expect(series.maxOver(12, 25)).toBe(9);
  expect(series.maxOver(20, 40)).toBe(9);
  expect(series.maxOver(30, 40)).toBe(2);
});
