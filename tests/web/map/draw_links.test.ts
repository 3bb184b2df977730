import { expect, test } from 'vitest';
import { kDarkTheme } from '../../../web/src/dom/palette.ts';
import { drawLinks, strongLinks } from '../../../web/src/map/draw_links.ts';
import { layoutFor, pointOf, transformOf } from '../../../web/src/map/map_geometry.ts';
import { fakeCanvas } from './fake_canvas.ts';

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

test('each chunk of a list has one outline, where it lies, and nothing else has one', () => {
  const layout = layoutFor({ width: 800, height: 320 });
  const view = { layout, transform: transformOf(0, 0x1000), ratio: 1 };
  const { context, outlines } = fakeCanvas(layout.width, layout.height);
  const chain = chainOf(3);
  drawLinks(context, chain, undefined, view, kDarkTheme);
  const places = [...chain.address].map((address) => Math.round(pointOf(layout, view.transform, address).x) + 0.5);
  expect(outlines.map(({ x }) => x)).toEqual(places);
});
