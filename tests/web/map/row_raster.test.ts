// A row of the map as pixels: what several spans share is their average, and stripes, lines and bands lie where they should.

import { expect, test } from 'vitest';
import {
  beginRow,
  coverSpan,
  fillSpan,
  finishRow,
  makeRowRaster,
  paintLine,
  resolve,
} from '../../../web/src/map/row_raster.ts';
import { fakeCanvas } from './fake_canvas.ts';

const [kWidth, kHeight] = [24, 16];
const pixelOf = (red: number, green: number, blue: number): number =>
  (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
const kBelow = pixelOf(40, 60, 80);

function begun() {
  const raster = makeRowRaster(fakeCanvas(kWidth, kHeight).context, kWidth, kHeight);
  beginRow(raster, kBelow);
  return raster;
}

test('a pixel of several spans is their average by area, and what is covered by none is what lies below', () => {
  const raster = begun();
  fillSpan(raster, 0, 1.25, pixelOf(200, 100, 16));
  fillSpan(raster, 1.25, 3, pixelOf(0, 12, 80));
  fillSpan(raster, 4, 4.5, pixelOf(240, 160, 180));
  resolve(raster, 0);
  expect([...raster.ground.subarray(0, 6)]).toEqual([
    pixelOf(200, 100, 16),
    pixelOf(50, 34, 64),
    pixelOf(0, 12, 80),
    kBelow,
    pixelOf(140, 110, 130),
    kBelow,
  ]);
});

test('what lies outside of the row is cut off', () => {
  const raster = begun();
  const [one, other] = [pixelOf(1, 2, 3), pixelOf(9, 8, 7)];
  fillSpan(raster, -5, 1, one);
  fillSpan(raster, kWidth - 1, kWidth + 5, one);
  fillSpan(raster, -9, -1, other);
  fillSpan(raster, kWidth, kWidth + 2, other);
  resolve(raster, 0);
  expect([...raster.ground].map((pixel) => pixel === one)).toEqual(
    Array.from({ length: kWidth }, (_, x) => x === 0 || x === kWidth - 1),
  );
  coverSpan(raster, -3, 2, other);
  expect([...raster.ground.subarray(0, 3)]).toEqual([other, other, kBelow]);
});

test('stripes go down to the left, those of cached chunks the other way; bands and edges have their lines alone', () => {
  const raster = begun();
  const [ground, stripe, woven, inner, edge] = [1, 2, 3, 4, 5].map((part) => pixelOf(part, part, part));
  if (ground === undefined || stripe === undefined || woven === undefined) throw new Error('there are five');
  raster.ground.fill(ground);
  raster.hatch.fill(stripe, 0, 12);
  raster.hatch.fill(ground, 12);
  paintLine(raster.weave, 14, kWidth + 3, woven);
  paintLine(raster.inner, 3, 5, inner ?? 0);
  paintLine(raster.edge, 4, 9, edge ?? 0);
  const [border, inset] = [1, 4];
  finishRow(raster, border, inset, 1);
  const isStriped = (x: number, y: number) => x + (y % 7) - 6 >= 0 && (x + (y % 7) - 6) % 7 < 2;
  const isWoven = (x: number, y: number) => (x - (y % 7) + 7) % 7 < 2;
  for (let y = 0; y < kHeight; ++y) {
    for (let x = 0; x < kWidth; ++x) {
      const isEdge = (y < border || y >= kHeight - border) && x >= 4 && x < 9;
      const isInner = y >= inset && y < kHeight - inset && x >= 3 && x < 5;
      const below = x < 12 ? (isStriped(x, y) ? stripe : ground) : x >= 14 && isWoven(x, y) ? woven : ground;
      expect([x, y, raster.pixels[y * kWidth + x]]).toEqual([x, y, isEdge ? edge : isInner ? inner : below]);
    }
  }
});
