// Numbers kept by their differences are those that were put in, however far they lie apart.

import { expect, test } from 'vitest';
import { createRandom } from '../../../../web/src/base/random.ts';
import { DeltaColumn } from '../../../../web/src/model/time/delta_column.ts';

function columnOf(values: readonly number[]): DeltaColumn {
  const column = new DeltaColumn();
  for (const value of values) column.push(value);
  return column;
}
function visited(column: DeltaColumn, from: number, to: number): number[] {
  const found: number[] = [];
  column.visit(from, to, (value) => found.push(value));
  return found;
}

test('the largest differences of each kind, and those beyond them, are exact', () => {
  const steps = [
    0, 1, -1, 8, -8, 16_383, -16_383, 16_384, -16_384, 16_385, 131_064, -131_064, 131_072, -131_072, 131_065,
  ];
  const values = [1_000_000];
  for (const step of steps) values.push((values.at(-1) ?? 0) + step, 1_000_000);
  values.push(2 ** 32 - 1, 0, 2 ** 32 - 1, 2 ** 32 - 9);
  const column = columnOf(values);
  expect(column.count).toBe(values.length);
  expect(visited(column, 0, values.length)).toEqual(values);
  expect(values.map((_, item) => column.at(item))).toEqual(values);
});

test.each([1, 2, 3])(
  'of random numbers every part is what was put in, across the bounds of pages too (seed %i)',
  (seed) => {
    const { below } = createRandom(seed);
    const values: number[] = [];
    for (let item = 0, value = 0; item < 66_000; ++item) {
      const kind = below(40);
      if (kind === 0) value = below(2 ** 31) * 2;
      else if (kind < 5) value = Math.max(0, value + below(60_000) - 30_000);
      else value = Math.max(0, value + 8 * (below(2000) - 1000));
      values.push(value);
    }
    const column = columnOf(values);
    const ranges = [
      [0, values.length],
      [63, 65],
      [64, 64],
      [65_530, 65_540],
      [65_536, 65_537],
      [values.length - 1, values.length],
    ];
    for (let i = 0; i < 8; ++i) ranges.push([below(values.length), below(values.length)]);
    for (const [from = 0, to = 0] of ranges)
      expect(visited(column, from, to).join(), `${from} to ${to}`).toBe(values.slice(from, to).join());
  },
);
