// The canvas above the map: links, selection, hover, bytes, and headers on their way in a split or merge.

import type { Theme } from '../dom/palette.ts';
import { drawLetters } from './draw_letters.ts';
import { drawLinks } from './draw_links.ts';
import { drawLit } from './draw_lit.ts';
import { drawBytes } from './draw_words.ts';
import { eachRowPart, pointOf } from './map_geometry.ts';
import type { MapOverlay, MapRange } from './map_overlay.ts';
import type { MapView } from './map_view.ts';

export function drawOverlay(context: CanvasRenderingContext2D, overlay: MapOverlay, view: MapView, theme: Theme): void {
  const { layout, ratio } = view;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, layout.width, layout.height);
  if (overlay.lit !== undefined) drawLit(context, overlay.lit, overlay.memoryBytes, view, theme);
  drawBytes(context, overlay.bytes, view, theme);
  if (overlay.chain !== undefined)
    drawLinks(context, overlay.chain, (overlay.hovered ?? overlay.selected)?.address, view, theme);
  drawChanges(context, overlay, view, theme);
  if (overlay.hovered !== undefined) drawOutline(context, overlay.hovered, view, theme.css.text, 1, 0);
  if (overlay.selected !== undefined) {
    drawOutline(context, overlay.selected, view, theme.css.bg, 1, -1); // keeps the outline apart from the fill
    drawOutline(context, overlay.selected, view, theme.css.accent, 2, 1);
    drawPointer(context, overlay.selected, view, theme);
    if (overlay.focused) drawOutline(context, overlay.selected, view, theme.css.text, 1, 3);
  }
  drawLetters(context, overlay.letters, view, theme);
}

/** Around all visible row parts of a range; `grow` pixels outside of it. Parts of one pixel stay visible. */
function drawOutline(
  context: CanvasRenderingContext2D,
  range: MapRange,
  view: MapView,
  colour: string,
  width: number,
  grow: number,
): void {
  const { layout, transform } = view;
  context.strokeStyle = colour;
  context.lineWidth = width;
  eachRowPart(layout, transform, range.address, range.address + range.size, (x, y, part) => {
    if (grow < 0 && part < 8) return; // it would hide what it lies on
    const left = Math.round(x) - grow + 0.5;
    const top = Math.round(y) - grow + 0.5;
    const wide = Math.max(Math.round(part) - 1 + 2 * grow, 3);
    context.strokeRect(left, top, wide, layout.rowHeight - 1 + 2 * grow);
  });
}

/** A small mark above a selection that is too narrow to be found by its outline. */
function drawPointer(context: CanvasRenderingContext2D, range: MapRange, view: MapView, theme: Theme): void {
  const { layout, transform } = view;
  if ((range.size / transform.bytesPerRow) * layout.textWidth > 10) return;
  eachRowPart(layout, transform, range.address, range.address + range.size, (x, y, width) => {
    const middle = x + width / 2;
    context.fillStyle = theme.css.accent;
    context.beginPath();
    context.moveTo(middle, y - 2);
    context.lineTo(middle - 4, y - 8);
    context.lineTo(middle + 4, y - 8);
    context.closePath();
    context.fill();
  });
}

function drawChanges(context: CanvasRenderingContext2D, overlay: MapOverlay, view: MapView, theme: Theme): void {
  const { layout, transform } = view;
  const { progress } = overlay;
  const eased = progress < 0.5 ? 2 * progress * progress : 1 - (2 - 2 * progress) ** 2 / 2;
  for (const change of overlay.changes) {
    const { kind, from, to, size } = change;
    context.globalAlpha = 0.35 * (1 - progress);
    context.fillStyle = theme.css.accent;
    const begin = kind === 'merge' ? from : to;
    let first = true; // a chunk of many rows is the same one in all: lit up whole, it would flash
    eachRowPart(layout, transform, begin, begin + size, (x, y, width) => {
      if (first) context.fillRect(x, y, Math.max(width, 1), layout.rowHeight);
      first = false;
    });
    if (kind === 'state') continue;
    // A header on its way: brightest while it moves.
    context.globalAlpha = Math.min(4 * (1 - progress), 1);
    const at = pointOf(layout, transform, from + (to - from) * eased);
    if (at.y < -layout.pitch || at.y > layout.height) continue;
    context.fillRect(Math.round(at.x) - 1, at.y - 3, 3, layout.rowHeight + 6);
  }
  context.globalAlpha = 1;
}
