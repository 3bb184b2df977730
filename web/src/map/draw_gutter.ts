// The address at the left of each row. The upper half is bright only where it differs from the row above: the eye finds
// where a 64 KiB page begins.

import { formatAddress } from '../base/format.ts';
import type { Theme } from '../dom/palette.ts';
import type { MapFrame } from '../protocol/map_frames.ts';
import { type MapLayout, rowsOf, rowTop, visibleRows } from './map_geometry.ts';
import type { MapView } from './map_view.ts';

/** Between an address and the text, and at least before it. */
const kGap = 8;
const kBefore = 3;
const kWidest = '0x0000_0000';

/** A size at which an address fits into the gutter: where the page's own font is not there, another one may be wider. */
export function setGutterFont(context: CanvasRenderingContext2D, { text, left }: MapLayout, { mono }: Theme): void {
  const size = text + 0.5;
  context.font = `${size}px ${mono}`;
  const fits = (left - kGap - kBefore) / context.measureText(kWidest).width;
  if (fits < 1) context.font = `${size * fits}px ${mono}`;
}

export function drawGutter(context: CanvasRenderingContext2D, frame: MapFrame, view: MapView, theme: Theme): void {
  const { layout, transform } = view;
  setGutterFont(context, layout, theme);
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  const upperWidth = context.measureText('0x0000').width;
  const left = layout.left - kGap - context.measureText(kWidest).width;
  const rows = rowsOf(layout, transform);
  let before = '';
  for (let row = 0; row < visibleRows(layout); row++) {
    const start = Math.round(rows.start(row)); // at rest a whole word; sums on the way there are not exact
    if (rows.end(row) <= 0 || start >= frame.memoryBytes) continue;
    const text = formatAddress(Math.max(start, 0)); // the row may begin below address 0
    const upper = text.slice(0, -5);
    const y = rowTop(layout, transform, row) + layout.rowHeight / 2 + 0.5;
    context.fillStyle = upper === before ? theme.css.dim : theme.css.text;
    context.fillText(upper, left, y);
    context.fillText(text.slice(-5), left + upperWidth, y);
    before = upper;
  }
}
