import { expect, test } from 'vitest';
import { GrowingUint32, SparseUint32 } from '../../../web/src/base/growing.ts';
import { createRandom } from '../../../web/src/base/random.ts';

test('a growing list keeps what was pushed, beyond its first size', () => {
  const list = new GrowingUint32();
  for (let i = 0; i < 1000; ++i) list.push(i * 3);
  expect(list.count).toBe(1000);
  expect(list.at(999)).toBe(2997);
  expect(list.slice(10, 12)).toEqual(Uint32Array.of(30, 33));
  expect(list.last()).toBe(2997);
  list.clear();
  expect([list.count, list.last()]).toEqual([0, undefined]);
});

test('countBelow finds the place of a number in an ascending list', () => {
  const list = new GrowingUint32();
  for (const value of [2, 4, 4, 9]) list.push(value);
  expect([0, 2, 3, 4, 5, 9, 10].map((value) => list.countBelow(value))).toEqual([0, 0, 1, 1, 3, 3, 4]);
});

test('a sparse column has what a map has, written in order and written again', () => {
  const { below } = createRandom(5);
  const column = new SparseUint32();
  const twin = new Map<number, number>();
  const write = (index: number, value: number) => {
    column.set(index, value);
    twin.set(index, value);
  };
  for (let index = 0; index < 200_000; index += 1 + below(below(50) === 0 ? 5000 : 6)) {
    write(index, below(3) === 0 ? 0 : below(2 ** 32));
    const again = index - below(Math.min(index + 1, 300));
    if (below(5) === 0 && twin.has(again)) write(again, twin.get(again) === 0 ? below(9) : below(2 ** 32)); // rare: where 0 was
  }
  for (const [index, value] of twin) expect([index, column.at(index)]).toEqual([index, value]);
  for (let index = 0; index < 1000; ++index) expect(column.at(index)).toBe(twin.get(index) ?? 0);
  expect(column.at(10_000_000)).toBe(0);
});
