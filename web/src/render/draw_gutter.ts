// The address at the left of each row. The upper half is bright only where it differs from the row above: the eye finds
// where a 64 KiB page begins.

import { formatAddress } from '../base/format.ts';
import type { MapFrame } from '../protocol/frames.ts';
import { isFolded, type MapFold } from './map_folds.ts';
import { rowStart, rowTop, visibleRows } from './map_geometry.ts';
import type { MapView } from './map_view.ts';
import type { Theme } from './palette.ts';

export function drawGutter(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  view: MapView,
  theme: Theme,
  folds: readonly MapFold[],
): void {
  const { layout, transform } = view;
  context.font = `${layout.pitch < 30 ? 10.5 : 11.5}px ${theme.mono}`;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  const upperWidth = context.measureText('0x0000').width;
  const left = layout.left - 8 - context.measureText('0x0000_0000').width;
  let before = '';
  for (let row = 0; row < visibleRows(layout); row++) {
    const start = Math.round(rowStart(transform, row)); // at rest a whole word; sums on the way there are not exact
    if (start + transform.bytesPerRow <= 0 || start >= frame.memoryBytes || isFolded(folds, row)) continue;
    const text = formatAddress(Math.max(start, 0)); // the row may begin below address 0
    const upper = text.slice(0, -5);
    const y = rowTop(layout, transform, row) + layout.rowHeight / 2 + 0.5;
    context.fillStyle = upper === before ? theme.css.dim : theme.css.text;
    context.fillText(upper, left, y);
    context.fillText(text.slice(-5), left + upperWidth, y);
    before = upper;
  }
}
