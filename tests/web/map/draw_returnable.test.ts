import { expect, it } from 'vitest';
import { kDarkTheme as theme } from '../../../web/src/dom/palette.ts';
import { drawMap } from '../../../web/src/map/draw_map.ts';
import { wholePages } from '../../../web/src/map/draw_returnable.ts';
import { layoutFor, pointOf, transformOf } from '../../../web/src/map/map_geometry.ts';
import type { MapView } from '../../../web/src/map/map_view.ts';
import { ChunkState, EmptyKind } from '../../../web/src/protocol/map_frames.ts';
import { fakeCanvas } from './fake_canvas.ts';
import { emptyRuns, frameOf } from './map_frames.ts';

const kPage = 65_536;
const layout = layoutFor({ width: 622, height: 320 }); // text 512 pixels wide
const kRow = 4 * kPage;

/** Memory of 1 MiB: a block, a free chunk of 300,000 bytes from page 1 on, a block, top. */
function pixels() {
  const free = { at: kPage, size: 300_000 };
  const top = { at: 10 * kPage + 4096, size: 6 * kPage - 4096 };
  const frame = frameOf({
    chunks: [
      { at: 4096, size: kPage - 4096 },
      { ...free, state: ChunkState.free },
      { at: kPage + 300_000, size: top.at - kPage - 300_000 },
      { ...top, state: ChunkState.top },
    ],
  });
  const empty = emptyRuns([
    { ...free, kind: EmptyKind.free },
    { ...top, kind: EmptyKind.top },
  ]);
  const drawn = fakeCanvas(layout.width, layout.height);
  const view: MapView = { layout, transform: transformOf(0, kRow), ratio: 1 };
  drawMap(drawn.context, { ...frame, memoryBytes: (16 * kPage) as typeof frame.memoryBytes, empty }, view, theme);
  return (address: number, down: number): number => {
    const point = pointOf(layout, view.transform, address);
    return drawn.pixel(Math.round(point.x), Math.round(point.y + down));
  };
}

it('whole free pages are hollow, and what is left of their chunk is striped', () => {
  const at = pixels();
  const middle = Math.round(layout.rowHeight / 2);
  // The chunk begins with its words, so its first whole page is the next one.
  expect([theme.pixel.free, theme.pixel.hatch]).toContain(at(kPage + 30_000, middle));
  for (const page of [2, 3, 4]) expect(at(page * kPage + 30_000, middle)).toBe(theme.pixel.bg);
  for (const page of [2, 3, 4]) expect([theme.pixel.free, theme.pixel.hatch]).toContain(at(page * kPage + 30_000, 2));
  expect([theme.pixel.free, theme.pixel.hatch]).toContain(at(kPage + 290_000, middle));
  expect(at(12 * kPage, middle)).toBe(theme.pixel.bg); // top
  expect(at(10 * kPage + 20_000, middle)).toBe(theme.pixel.segment);
});

it('the pages are those that the allocator lists', () => {
  expect(wholePages(kPage, 4 * kPage, 4)).toEqual({ from: 2 * kPage, to: 4 * kPage });
  expect(wholePages(kPage - 12, kPage + 16, 4)).toEqual({ from: kPage, to: 2 * kPage });
  expect(wholePages(kPage - 11, kPage + 16, 4)).toEqual({ from: 2 * kPage, to: 2 * kPage });
  const { from, to } = wholePages(100, 1000, 8);
  expect(to).toBeLessThanOrEqual(from);
});
