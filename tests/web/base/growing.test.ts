import { expect, test } from 'vitest';
import { GrowingUint32, PagedUint32 } from '../../../web/src/base/growing.ts';

test('a growing list keeps what was pushed, beyond its first size', () => {
  const list = new GrowingUint32();
  for (let i = 0; i < 1000; ++i) list.push(i * 3);
  expect(list.count).toBe(1000);
  expect(list.at(999)).toBe(2997);
  expect(list.slice(10, 12)).toEqual(Uint32Array.of(30, 33));
  expect(list.last()).toBe(2997);
});

test('countBelow finds the place of a number in an ascending list', () => {
  const list = new GrowingUint32();
  for (const value of [2, 4, 4, 9]) list.push(value);
  expect([0, 2, 3, 4, 5, 9, 10].map((value) => list.countBelow(value))).toEqual([0, 0, 1, 1, 3, 3, 4]);
});

test('paged numbers are 0 where nothing was written, across pages', () => {
  const pages = new PagedUint32();
  pages.set(200_000, 5);
  expect([pages.at(199_999), pages.at(200_000), pages.at(9_000_000)]).toEqual([0, 5, 0]);
});
