// Lives that are too many, as shares: each cell where something is in use has its colour, by what has most of it.

import { expect, test } from 'vitest';
import { bytes } from '../../../web/src/base/brand.ts';
import { kDarkTheme as theme } from '../../../web/src/dom/palette.ts';
import { drawLives, livesLayout } from '../../../web/src/map/draw_lives.ts';
import { livesText } from '../../../web/src/map/lives.ts';
import { mixPixels } from '../../../web/src/map/row_raster.ts';
import { cssOf } from '../../../web/src/map/svg_context.ts';
import type { LivesFrame } from '../../../web/src/protocol/whole_trace.ts';
import { fakeCanvas } from './fake_canvas.ts';

test('a cell is as bright as it is full, in the colour of pools where they have more of it', () => {
  const layout = livesLayout(506, 342);
  const frame = {
    window: { from: 0, to: 100, low: 0, high: 600, columns: 2 },
    lives: undefined,
    shares: {
      rows: 3,
      cellBytes: bytes(200),
      inUse: Uint8Array.of(255, 0, 51, 100, 200, 0),
      pool: Uint8Array.of(0, 0, 102, 0, 255, 0),
    },
  } as unknown as LivesFrame;
  const { context, fills } = fakeCanvas(layout.width, layout.height);
  drawLives(context, frame, layout, { cursor: 50, selected: undefined }, theme);
  const colour = (of: 'inUse' | 'node', share: number) =>
    cssOf(mixPixels(theme.pixel.panel, theme.pixel[of], share / 255));
  const wide = (layout.right - layout.left) / 2;
  const high = (layout.bottom - layout.top) / 3;
  const at = (column: number, row: number, style: string) => ({
    x: Math.floor(layout.left + column * wide),
    y: Math.floor(layout.top + row * high),
    width: Math.ceil(wide),
    height: Math.ceil(high),
    style,
  });
  const cells = fills.filter(({ width }) => width === Math.ceil(wide));
  expect(cells).toEqual([
    at(0, 0, colour('inUse', 255)),
    at(0, 2, colour('node', 153)),
    at(1, 0, colour('inUse', 100)),
    at(1, 1, colour('node', 255)),
  ]);
});

test('how many blocks there are is said of the moments that were looked at', () => {
  const of = (columns: number): string =>
    livesText({
      window: { from: 0, to: 100, low: 0, high: 1024, columns },
      lives: { count: 3, ended: Uint32Array.of(0, 7, 9) },
    } as unknown as LivesFrame).replaceAll('\u202f', ' ');
  expect(of(101)).toBe('Events 0 to 100, 1 KiB of memory: 3 blocks, of which 2 were freed (paler).');
  expect(of(50)).toBe(
    'Events 0 to 100, 1 KiB of memory, looked at 50 times: 3 blocks, of which 2 were freed (paler). Nearer there may be more, of shorter lives.',
  );
});
