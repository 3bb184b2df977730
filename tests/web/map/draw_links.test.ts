import { expect, test } from 'vitest';
import { strongLinks } from '../../../web/src/map/draw_links.ts';

const chainOf = (count: number) => ({
  bin: 3,
  address: Uint32Array.from({ length: count }, (_, nth) => 0x1000 + nth * 64),
  size: Uint32Array.from({ length: count }, () => 48),
});
const strongOf = (count: number, near: number | undefined) => {
  const isStrong = strongLinks(chainOf(count), near);
  return Array.from({ length: count }, (_, index) => index).filter(isStrong);
};

test('all links of a short list are strong, of a long one those that serve the next requests', () => {
  expect(strongOf(8, undefined)).toHaveLength(8);
  expect(strongOf(39, undefined)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('those around the chunk that is looked at are strong, and an address in no chunk of the list changes nothing', () => {
  expect(strongOf(39, 0x1000 + 20 * 64 + 17)).toEqual([16, 17, 18, 19, 20, 21, 22, 23]);
  expect(strongOf(39, 0x1000 + 1 * 64)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(strongOf(39, 0x1000 + 20 * 64 + 50)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});
