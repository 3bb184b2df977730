// An answer's evidence on the map: all else fades, what the answer is about keeps its colours.
//
//   blocks   as they are; outlined when they are what pins free memory
//   holes    outlined with dashes

import type { Theme } from '../dom/palette.ts';
import { eachRowPart } from './map_geometry.ts';
import type { MapLit, MapRange } from './map_overlay.ts';
import type { MapView } from './map_view.ts';

const kFaded = 0.72;
/** Narrower parts are widened to this many pixels, in the answer's colour: from far away one block is less than a pixel. */
const kLeast = 2;
/** Parts of fewer pixels have no outline. */
const kOutlined = 5;

export function drawLit(context: CanvasRenderingContext2D, lit: MapLit, view: MapView, theme: Theme): void {
  const { layout } = view;
  context.globalAlpha = kFaded;
  context.fillStyle = theme.css.bg;
  context.fillRect(layout.left, 0, layout.textWidth, layout.height);
  context.globalAlpha = 1;
  for (const range of [...lit.blocks, ...lit.holes]) uncover(context, range, view, theme);
  context.strokeStyle = theme.css.accent;
  context.lineWidth = 1;
  if (lit.outlined) for (const block of lit.blocks) outline(context, block, view);
  context.setLineDash([4, 3]);
  for (const hole of lit.holes) outline(context, hole, view);
  context.setLineDash([]);
}

function uncover(
  context: CanvasRenderingContext2D,
  range: MapRange,
  { layout, transform }: MapView,
  theme: Theme,
): void {
  eachRowPart(layout, transform, range.address, range.address + range.size, (x, y, width) => {
    if (width >= kLeast) {
      context.clearRect(x, y, width, layout.rowHeight);
      return;
    }
    context.fillStyle = theme.css.accent;
    context.fillRect(x, y, kLeast, layout.rowHeight);
  });
}

function outline(context: CanvasRenderingContext2D, range: MapRange, { layout, transform }: MapView): void {
  eachRowPart(layout, transform, range.address, range.address + range.size, (x, y, width) => {
    if (width < kOutlined) return;
    context.strokeRect(Math.round(x) + 0.5, Math.round(y) + 0.5, Math.round(width) - 1, layout.rowHeight - 1);
  });
}
