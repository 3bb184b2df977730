// An answer's evidence on the map: all else fades, what the answer is about keeps its colours.
//
//   blocks   as they are; outlined when they are what pins free memory. Where many lie within a pixel, and more of other things than
//            of them, the answer's colour: as it is the place has the colours of those others
//   holes    outlined with dashes; where many lie within a pixel, the answer's colour
//
//   The answer's colour is the stronger the more of the place is theirs.

import { bisectRight } from 'd3-array';
import type { Theme } from '../dom/palette.ts';
import type { BlockRanges } from '../protocol/answers.ts';
import { eachRowPart, rowStart, rowsOf, rowTop, visibleRows } from './map_geometry.ts';
import type { MapLit, MapRange } from './map_overlay.ts';
import { type MapView, pixelsPerByte } from './map_view.ts';

const kFaded = 0.72;
/** Narrower parts are widened to this many pixels, in the answer's colour: from far away one block is less than a pixel. */
const kLeast = 2;
/** Parts of fewer pixels have no outline. */
const kOutlined = 5;
const kFaintest = 0.25;
/** From this share on the picture's colour of a place is that of what is lit. */
const kMost = 0.5;

export function drawLit(
  context: CanvasRenderingContext2D,
  lit: MapLit,
  memoryBytes: number,
  view: MapView,
  theme: Theme,
): void {
  const { layout, transform } = view;
  const end = rowTop(layout, transform, rowsOf(layout, transform).rowOf(memoryBytes - 1) + 1);
  context.globalAlpha = kFaded;
  context.fillStyle = theme.css.bg;
  context.fillRect(layout.left, 0, layout.textWidth, Math.min(Math.max(end, 0), layout.height));
  context.globalAlpha = 1;
  forEachInView(lit.blocks, view, (range) =>
    (isAmongOthers(range, view) ? shade : uncover)(context, range, view, theme),
  );
  forEachInView(lit.holes, view, (range) => (isFine(range, view) ? shade : uncover)(context, range, view, theme));
  context.strokeStyle = theme.css.accent;
  context.lineWidth = 1;
  if (lit.outlined) forEachInView(lit.blocks, view, (range) => outline(context, range, view), 0);
  context.setLineDash([4, 3]);
  forEachInView(lit.holes, view, (range) => outline(context, range, view), 0);
  context.setLineDash([]);
}

/** Neighbours as one. */
interface LitRange extends MapRange {
  readonly parts: number;
  readonly full: number; // bytes of the parts
}

/** Several, and none of them is to be seen alone. */
const isFine = ({ parts, full }: LitRange, view: MapView): boolean =>
  parts > 1 && (full / parts) * pixelsPerByte(view) < kLeast;

const isAmongOthers = (range: LitRange, view: MapView): boolean =>
  isFine(range, view) && range.full < kMost * range.size;

/**
 * Neighbours with less than `apart` between them are one, if none of them, or each, is to be seen alone: by default a pixel, so that
 * a picture costs no more than its pixels.
 */
function forEachInView(
  { address, size }: BlockRanges,
  { layout, transform }: MapView,
  visit: (range: LitRange) => void,
  apart = transform.bytesPerRow / layout.textWidth,
): void {
  const end = rowStart(layout, transform, visibleRows(layout));
  const seen = (transform.bytesPerRow / layout.textWidth) * kLeast; // bytes
  let nth = Math.max(bisectRight(address, rowStart(layout, transform, 0)) - 1, 0); // the one before may reach in
  while (nth < address.length && (address[nth] ?? 0) < end) {
    const from = address[nth] ?? 0;
    let to = from + (size[nth] ?? 0);
    let [parts, full] = [1, to - from];
    const isSeen = full >= seen;
    for (nth++; nth < address.length && (address[nth] ?? 0) - to < apart; nth++) {
      if ((size[nth] ?? 0) >= seen !== isSeen) break;
      to = (address[nth] ?? 0) + (size[nth] ?? 0);
      parts += 1;
      full += size[nth] ?? 0;
    }
    visit({ address: from, size: to - from, parts, full });
  }
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

function shade(context: CanvasRenderingContext2D, range: LitRange, { layout, transform }: MapView, theme: Theme): void {
  context.fillStyle = theme.css.accent;
  context.globalAlpha = Math.max(range.full / range.size, kFaintest);
  eachRowPart(layout, transform, range.address, range.address + range.size, (x, y, width) => {
    context.fillRect(x, y, Math.max(width, kLeast), layout.rowHeight);
  });
  context.globalAlpha = 1;
}

function outline(context: CanvasRenderingContext2D, range: MapRange, { layout, transform }: MapView): void {
  eachRowPart(layout, transform, range.address, range.address + range.size, (x, y, width) => {
    if (width < kOutlined) return;
    context.strokeRect(Math.round(x) + 0.5, Math.round(y) + 0.5, Math.round(width) - 1, layout.rowHeight - 1);
  });
}
