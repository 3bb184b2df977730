// The heap map's picture: rows as pixels first, then what is line or text. The overlay (selection, links, hover) is
// drawn on a canvas above, so that moving the mouse does not draw this again.

import type { Theme } from '../dom/palette.ts';
import { ChunkState, type MapFrame } from '../protocol/map_frames.ts';
import { drawCells, eachTopRun } from './draw_cells.ts';
import { drawChunks, drawHeaders, drawSegments } from './draw_chunks.ts';
import { drawEnd } from './draw_end.ts';
import { drawFolds } from './draw_folds.ts';
import { drawGutter } from './draw_gutter.ts';
import { drawLabels } from './draw_labels.ts';
import { drawBlocks } from './draw_nodes.ts';
import { drawReturnable } from './draw_returnable.ts';
import { drawWords } from './draw_words.ts';
import { eachRowPart, rowsOf, rowTop, visibleRows } from './map_geometry.ts';
import { type MapView, rowSpan } from './map_view.ts';
import { type BlockNames, kNoNames } from './pool_names.ts';
import { beginRow, finishRow, makeRowRaster, type RowRaster, resolve } from './row_raster.ts';

/** Nodes keep this distance from the block's outline, CSS pixels. */
const kNodeInset = 4;

export function drawMap(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  view: MapView,
  theme: Theme,
  names: BlockNames = kNoNames,
): void {
  const { ratio } = view;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawGround(context, view, theme);
  drawRows(context, frame, view, theme);
  drawMarks(context, frame, view, theme, names);
}

/** What lies under the rows. */
export function drawGround(context: CanvasRenderingContext2D, { layout }: MapView, theme: Theme): void {
  context.fillStyle = theme.css.bg;
  context.fillRect(0, 0, layout.width, layout.height);
}

/** What is line or text, over the rows. */
export function drawMarks(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  view: MapView,
  theme: Theme,
  names: BlockNames,
): void {
  drawTops(context, frame, view, theme);
  drawLabels(context, frame, view, theme, names);
  drawWords(context, frame, view, theme);
  drawFolds(context, frame.wordSize, view, theme);
  drawGutter(context, frame, view, theme);
  drawEnd(context, frame, view, theme);
}

function drawRows(context: CanvasRenderingContext2D, frame: MapFrame, view: MapView, theme: Theme): void {
  const { layout, transform, ratio } = view;
  const left = Math.round(layout.left * ratio);
  const width = Math.round(layout.textWidth * ratio);
  const height = Math.round(layout.rowHeight * ratio);
  const raster = rasterOf(context, width, height);
  const rows = rowsOf(layout, transform);
  for (let row = 0; row < visibleRows(layout); row++) {
    if (rows.start(row) >= frame.memoryBytes || rows.end(row) <= 0 || rows.foldAt(row) !== undefined) continue;
    drawRow(raster, row, frame, view, theme);
    context.putImageData(raster.image, left, Math.round(rowTop(layout, transform, row) * ratio));
  }
}

function drawRow(raster: RowRaster, row: number, frame: MapFrame, view: MapView, theme: Theme): void {
  const { ratio } = view;
  const span = rowSpan(view, row, raster.width);
  beginRow(raster, theme.pixel.bg);
  drawSegments(raster, span, frame, theme);
  if (frame.cells !== undefined) drawCells(raster, span, frame, frame.cells, theme);
  if (frame.chunks !== undefined) drawChunks(raster, span, frame.chunks, frame.groups, theme);
  resolve(raster, theme.pixel.hatch);
  drawReturnable(raster, span, frame, ratio, theme);
  if (frame.chunks !== undefined) {
    drawBlocks(raster, span, frame, ratio, theme);
    drawHeaders(raster, span, frame.chunks, frame.wordSize, ratio, theme);
  }
  finishRow(raster, Math.max(Math.round(ratio), 1), Math.round(kNodeInset * ratio), ratio);
}

/** Scratch of a canvas: a picture needs it for a moment only, but making it for each one would feed the collector. */
const kRasters = new WeakMap<CanvasRenderingContext2D, RowRaster>();

function rasterOf(context: CanvasRenderingContext2D, width: number, height: number): RowRaster {
  const known = kRasters.get(context);
  if (known !== undefined && known.width === width && known.height === height) return known;
  const made = makeRowRaster(context, width, height);
  kRasters.set(context, made);
  return made;
}

/** The top in dashes, the designated victim in dots. */
function drawTops(context: CanvasRenderingContext2D, frame: MapFrame, view: MapView, theme: Theme): void {
  const { layout, transform } = view;
  const rows = rowsOf(layout, transform);
  context.lineWidth = 1;
  context.strokeStyle = theme.css.top;
  const outline = (from: number, to: number): void =>
    eachRowPart(layout, transform, from, to, (x, y, width, row) => {
      if (width > 3 && rows.foldAt(row) === undefined)
        context.strokeRect(Math.round(x) + 0.5, Math.round(y) + 0.5, Math.round(width) - 1, layout.rowHeight - 1);
    });
  context.setLineDash([4, 3]);
  if (frame.cells !== undefined) eachTopRun(frame, frame.cells, outline);
  const { chunks } = frame;
  for (let index = 0; index < (chunks?.count ?? 0); index++) {
    const state = chunks?.state[index];
    if (state !== ChunkState.top && state !== ChunkState.victim) continue;
    const address = chunks?.address[index] ?? 0;
    const end = address + (chunks?.size[index] ?? 0);
    context.setLineDash(state === ChunkState.top ? [4, 3] : [1, 3]);
    outline(address, end);
  }
  context.setLineDash([]);
}
