import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';

test('the same seed gives the same numbers, another seed others', () => {
  const take = (seed: number) => {
    const random = createRandom(seed);
    return Array.from({ length: 100 }, () => random.next());
  };
  expect(take(7)).toEqual(take(7));
  expect(take(7)).not.toEqual(take(8));
  expect(new Set(take(0)).size).toBeGreaterThan(95);
});

test('below(n) gives every number under n and none else', () => {
  const { below } = createRandom(1);
  const seen = new Set(Array.from({ length: 1000 }, () => below(7)));
  expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(below(0)).toBe(0);
});
