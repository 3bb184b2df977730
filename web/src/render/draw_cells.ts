// The far view of one row: no chunks, only shares. Each pixel is the mean colour of what its cell holds, striped as
// strongly as it is free, so that near and far pictures go over into each other. Cells that malloc caches most of
// are striped its way.

import type { CellMarks, MapFrame } from '../protocol/frames.ts';
import { cachedFromFar } from './draw_chunks.ts';
import type { RowSpan } from './map_view.ts';
import type { Theme } from './palette.ts';
import { fillSpan, mixPixels, paintLine, type RowRaster } from './row_raster.ts';

/** `frame` is the frame of the cells: its viewport may differ from the row's while the map moves. */
export function drawCells(raster: RowRaster, row: RowSpan, frame: MapFrame, cells: CellMarks, theme: Theme): void {
  const { origin, bytesPerRow, rows } = frame.viewport;
  const cellBytes = bytesPerRow / cells.cellsPerRow;
  const first = Math.max(Math.floor((row.start - origin) / cellBytes), 0);
  const last = Math.min(Math.ceil((row.end - origin) / cellBytes), rows * cells.cellsPerRow);
  for (let index = first; index < last; index++) {
    const inUse = cells.inUse[index] ?? 0;
    const cached = cells.cached[index] ?? 0;
    const pool = cells.pool[index] ?? 0;
    const free = cells.free[index] ?? 0;
    const top = cells.top[index] ?? 0;
    const total = inUse + cached + pool + free + top;
    if (total === 0) continue;
    const from = (origin + index * cellBytes - row.start) * row.scale;
    const pixel = meanPixel(inUse, cached, pool, free, top, cells.age[index] ?? 255, theme);
    const known = Math.min(total, 255) / 255;
    const shown = known >= 0.99 ? pixel : mixPixels(theme.pixel.raised, pixel, known);
    fillSpan(raster, from, from + cellBytes * row.scale, shown, theme.pixel.hatch, free / Math.max(total, 255));
    if (cached >= 128) paintLine(raster.weave, from, from + cellBytes * row.scale, theme.pixel.cachedStripe);
  }
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
  const { origin, bytesPerRow } = frame.viewport;
  const cellBytes = bytesPerRow / cells.cellsPerRow;
  let start = -1;
  for (let index = 0; index <= cells.top.length; index++) {
    const isTop = (cells.top[index] ?? 0) >= 128;
    if (isTop && start < 0) start = index;
    if (isTop || start < 0) continue;
    visit(origin + start * cellBytes, origin + index * cellBytes);
    start = -1;
  }
}
