// The far view of one row: no chunks, only shares. Each pixel is the mean colour of what its cell holds, striped as
// strongly as it is free, so that near and far pictures go over into each other. Cells that malloc caches most of
// are striped its way.

import type { Theme } from '../dom/palette.ts';
import type { CellMarks, MapFrame } from '../protocol/map_frames.ts';
import { bandsOf, type ViewportBand } from '../protocol/viewport.ts';
import { cachedFromFar } from './draw_chunks.ts';
import type { RowSpan } from './map_view.ts';
import { fillSpan, mixPixels, paintLine, type RowRaster } from './row_raster.ts';

/** `frame` is the frame of the cells: its viewport may differ from the row's while the map moves. */
export function drawCells(raster: RowRaster, row: RowSpan, frame: MapFrame, cells: CellMarks, theme: Theme): void {
  for (const band of bandsOf(frame.viewport)) drawBand(raster, row, band, frame, cells, theme);
}

function drawBand(
  raster: RowRaster,
  row: RowSpan,
  band: ViewportBand,
  frame: MapFrame,
  cells: CellMarks,
  theme: Theme,
): void {
  const cellBytes = frame.viewport.bytesPerRow / cells.cellsPerRow;
  const before = band.firstRow * cells.cellsPerRow;
  const origin = band.origin - before * cellBytes;
  const first = Math.max(Math.floor((row.start - origin) / cellBytes), before);
  const last = Math.min(Math.ceil((row.end - origin) / cellBytes), before + band.rows * cells.cellsPerRow);
  for (let index = first; index < last; index++) {
    const total = totalOf(cells, index);
    const shown = cellPixel(cells, index, theme);
    if (shown === undefined) continue;
    const from = (origin + index * cellBytes - row.start) * row.scale;
    const free = cells.free[index] ?? 0;
    fillSpan(raster, from, from + cellBytes * row.scale, shown, theme.pixel.hatch, free / Math.max(total, 255));
    if ((cells.cached[index] ?? 0) >= 128)
      paintLine(raster.weave, from, from + cellBytes * row.scale, theme.pixel.cachedStripe);
  }
}

const totalOf = ({ inUse, cached, pool, free, top }: CellMarks, index: number): number =>
  (inUse[index] ?? 0) + (cached[index] ?? 0) + (pool[index] ?? 0) + (free[index] ?? 0) + (top[index] ?? 0);

/** A cell's colour; undefined where no segment is. */
export function cellPixel(cells: CellMarks, index: number, theme: Theme): number | undefined {
  const total = totalOf(cells, index);
  if (total === 0) return undefined;
  const pixel = meanPixel(
    cells.inUse[index] ?? 0,
    cells.cached[index] ?? 0,
    cells.pool[index] ?? 0,
    cells.free[index] ?? 0,
    cells.top[index] ?? 0,
    cells.age[index] ?? 255,
    theme,
  );
  const known = Math.min(total, 255) / 255;
  return known >= 0.99 ? pixel : mixPixels(theme.pixel.raised, pixel, known);
}

function meanPixel(
  inUse: number,
  cached: number,
  pool: number,
  free: number,
  top: number,
  age: number,
  theme: Theme,
): number {
  let sum = top;
  let pixel = theme.pixel.segment;
  const add = (share: number, colour: number): void => {
    if (share === 0) return;
    sum += share;
    pixel = mixPixels(pixel, colour, share / sum);
  };
  add(free, theme.pixel.free);
  add(inUse, theme.agePixels[age >> 3] ?? theme.pixel.inUse);
  add(cached, cachedFromFar(theme));
  add(pool, theme.pixel.node);
  return pixel;
}

/** Visits runs of cells that are mostly top, as address ranges: they get the top's dashes. */
export function eachTopRun(frame: MapFrame, cells: CellMarks, visit: (from: number, to: number) => void): void {
  const cellBytes = frame.viewport.bytesPerRow / cells.cellsPerRow;
  for (const { origin, firstRow, rows } of bandsOf(frame.viewport)) {
    const first = firstRow * cells.cellsPerRow;
    const count = rows * cells.cellsPerRow;
    let start = -1;
    for (let cell = 0; cell <= count; cell++) {
      const isTop = cell < count && (cells.top[first + cell] ?? 0) >= 128;
      if (isTop && start < 0) start = cell;
      if (isTop || start < 0) continue;
      visit(origin + start * cellBytes, origin + cell * cellBytes);
      start = -1;
    }
  }
}
