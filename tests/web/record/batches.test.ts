// How many events wait until they are taken: what comes in a twentieth of a second, within twice the last batch and what there is space for.

import { expect, test } from 'vitest';
import { isDue, kFirstBatch, nextBatch, untilLook } from '../../../web/src/record/batches.ts';

const kMost = 16_384;

test('a batch is what came in 50 ms, as the pace was', () => {
  expect(nextBatch(100, 50, 1000, kMost)).toBe(100);
  expect(nextBatch(100, 25, 1000, kMost)).toBe(200);
  expect(nextBatch(100, 100, 1000, kMost)).toBe(50);
  expect(nextBatch(99, 100, 1000, kMost)).toBe(49);
});

test('it is at least one event, at most twice the last one, and no more than there is space for', () => {
  expect(nextBatch(1, 10_000, 1000, kMost)).toBe(1);
  expect(nextBatch(0, 50, 1000, kMost)).toBe(1);
  expect(nextBatch(5000, 1, 30, kMost)).toBe(60);
  expect(nextBatch(5000, 1, kMost, 2000)).toBe(2000);
  expect(nextBatch(3, 0, kMost, kMost), 'in no time').toBe(kMost);
});

test('from its begin on a program is taken more and more rarely', () => {
  const batches = [kFirstBatch];
  for (let last = kFirstBatch; batches.length < 8; batches.push(last)) last = nextBatch(last, 0.01, last, 64);
  expect(batches).toEqual([1, 2, 4, 8, 16, 32, 64, 64]);
});

test('the clock is looked at 256 times in 50 ms, at least at each event', () => {
  expect(untilLook(25_600, 50)).toBe(100);
  expect(untilLook(25_600, 100)).toBe(50);
  expect(untilLook(25_700, 50)).toBe(100);
  expect(untilLook(10, 50)).toBe(1);
  expect(untilLook(2 ** 30, 1e-6)).toBe(65_536);
});

test('a batch is due when it is whole, or has waited for 50 ms', () => {
  expect([isDue(9, 10, 49), isDue(10, 10, 0), isDue(11, 10, 0), isDue(0, 10, 50)]).toEqual([false, true, true, true]);
});
