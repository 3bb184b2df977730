// Where memory ends: its address in the gutter and a few words, once. Below them the map is empty ground, without rows.
//
//    0x000f_0000 |====|=========|...|        the last row with memory
//    0x0010_0000  memory ends here, 1 MiB    the first row without any

import { formatAddress, formatBytes } from '../base/format.ts';
import type { Theme } from '../dom/palette.ts';
import type { MapFrame } from '../protocol/map_frames.ts';
import { rowWordsFont } from './draw_folds.ts';
import { setGutterFont } from './draw_gutter.ts';
import { rowsOf, rowTop, visibleRows } from './map_geometry.ts';
import type { MapView } from './map_view.ts';

/** What a 32-bit memory can grow to. */
const kAddressSpace = 2 ** 32;

export function drawEnd(context: CanvasRenderingContext2D, frame: MapFrame, view: MapView, theme: Theme): void {
  const { layout, transform } = view;
  const { memoryBytes } = frame;
  if (memoryBytes <= 0 || memoryBytes >= kAddressSpace) return;
  const row = rowsOf(layout, transform).rowOf(memoryBytes - 1) + 1;
  if (row < 0 || row >= visibleRows(layout)) return;
  const y = rowTop(layout, transform, row) + layout.rowHeight / 2 + 0.5;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.fillStyle = theme.css.dim;
  const address = formatAddress(memoryBytes);
  setGutterFont(context, layout, theme);
  context.fillText(address, layout.left - 8 - context.measureText(address).width, y);
  context.font = rowWordsFont(layout, theme);
  const words = `memory ends here, ${formatBytes(memoryBytes)}`;
  const [x, bottom] = [layout.left + 6, y + layout.text / 2];
  const isLow = bottom > layout.height - layout.below;
  if (isLow && (bottom > layout.height || x + context.measureText(words).width > layout.belowFrom)) return; // something lies over the words
  context.fillText(words, x, y);
}
