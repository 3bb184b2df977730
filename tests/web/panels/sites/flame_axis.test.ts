// The axis over the flame graph.

import { expect, test } from 'vitest';
import { ticksOf } from '../../../../web/src/panels/sites/flame_axis.ts';

test('ticks are multiples of a power of two within the width, five at most', () => {
  expect(ticksOf(45.6 * 1024)).toEqual([16, 32].map((kib) => kib * 1024));
  expect(ticksOf(5)).toEqual([1, 2, 3, 4, 5]);
  expect(ticksOf(0)).toEqual([]);
  for (let width = 1; width < 1e9; width = Math.ceil(width * 1.7)) {
    const ticks = ticksOf(width);
    expect(ticks.length, `${width}`).toBeGreaterThan(1 - Number(width < 2));
    expect(ticks.length, `${width}`).toBeLessThanOrEqual(5);
    expect(ticks.at(-1), `${width}`).toBeLessThanOrEqual(width);
  }
});
