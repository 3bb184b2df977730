import { expect, test } from 'vitest';
import { byteTicks } from '../../../web/src/base/charts.ts';

test.each([
  [2_559_999, 4],
  [65_536, 5],
  [100, 3],
  [3 * 2 ** 30, 4],
])('%d bytes in room for %d labels: from 0, equal steps of a power of two, not more than fit', (most, space) => {
  const ticks = byteTicks(most, space);
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0);
  expect(ticks[0]).toBe(0);
  expect(Math.log2(step) % 1).toBe(0);
  expect(ticks.length).toBeLessThanOrEqual(space + 1);
  expect(ticks.at(-1)).toBeLessThanOrEqual(most);
  expect((ticks.at(-1) ?? 0) + step).toBeGreaterThan(most);
});

test('an empty heap has no scale', () => {
  expect(byteTicks(1, 4)).toEqual([]);
});
