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

const kEdges = [1, 2, 63, 64, 65, 127, 128, 129, 4032, 4033, 4095, 4096, 4097, 4160, 4225, 4226];

test.each([
  [4096 + 130, kEdges],
  [2 * 262_144 + 130, [262_143, 262_144, 262_145, 2 * 262_144]],
])(
  'one value among %i equal ones is found wherever it lies, also as the first or last of a bucket',
  (count, places) => {
    for (const other of [1, 9]) {
      for (const at of places) {
        const series = new TimeSeries();
        for (let seq = 1; seq <= count; ++seq) series.push(seq === at ? other : 5);
        const ends = [0, 1, 64, 4096, 262_144, at - 64, at - 1, at, at + 1, at + 64, count - 1, count];
        for (const from of ends) {
          for (const to of ends) {
            if (from < 0 || to > count || from > to) continue;
            const values = [...(from === 0 ? [0] : []), ...(from <= at && at <= to ? [other] : [])];
            if (to - from + 1 > values.length) values.push(5);
            const expected = [Math.min(...values), Math.max(...values)];
            expect(series.range(from, to), `${other} at ${at} in ${from} to ${to}`).toEqual(expected);
          }
        }
      }
    }
  },
);

test('a step series is the list of values, one at each sequence number', () => {
  const random = createRandom(3);
  const series = new StepSeries();
  const values: (number | undefined)[] = new Array(10).fill(undefined);
  for (let seq = values.length; seq < 300; ++seq) {
    const value = random.below(4) === 0 ? random.below(5) : values.at(-1);
    if (value !== undefined) series.set(seq, value);
    values.push(value);
  }
  for (let from = 0; from < values.length; ++from) {
    const change = values.findIndex((value, seq) => seq > from && value !== values[from]);
    expect(series.at(from)).toBe(values[from]);
    expect(series.nextChange(from)).toBe(change < 0 ? Number.POSITIVE_INFINITY : change);
    for (let to = from; to < values.length; ++to)
      expect(series.maxOver(from, to)).toBe(Math.max(...values.slice(from, to + 1).map((value) => value ?? 0)));
  }
});
