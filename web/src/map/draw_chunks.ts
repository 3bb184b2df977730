// Chunks of one row into its raster: a colour by state and age, free ones striped, those that malloc caches
// striped the other way, a hairline where each begins.
//
// The hairline is the header word. From far it is one pixel, and none where chunks are too narrow to bear it; nearer it
// is as wide as the word; nearest the word becomes a quiet field that draw_words.ts writes on. Where a block of a slab begins, which has
// no header, the hairline is fainter and stays a pixel.

import type { Theme } from '../dom/palette.ts';
import { type ChunkGroups, type ChunkMarks, ChunkState, hasNoHeader, type MapFrame } from '../protocol/map_frames.ts';
import { groupColours } from './group_colours.ts';
import { firstEndingAfter } from './map_marks.ts';
import type { RowSpan } from './map_view.ts';
import { coverSpan, fillSpan, mixPixels, paintLine, type RowRaster } from './row_raster.ts';

/** Chunks narrower than this many CSS pixels show no hairline; from twice as many on, a full one. */
const kHairlineFrom = 3;
/** Header words wider than this many CSS pixels begin to turn into fields; at the second figure they are. */
const kFieldFrom = 12;
const kFieldAt = 44;

/** Ground of the segments' own words, under the chunks. */
export function drawSegments(raster: RowRaster, row: RowSpan, frame: MapFrame, theme: Theme): void {
  const outside = mixPixels(theme.pixel.bg, theme.pixel.panel, 0.55);
  coverSpan(raster, (0 - row.start) * row.scale, (frame.memoryBytes - row.start) * row.scale, outside);
  for (const { base, size } of frame.segments) {
    if (base + size <= row.start || base >= row.end) continue;
    const from = (base - row.start) * row.scale;
    coverSpan(raster, from, from + size * row.scale, theme.pixel.raised);
  }
}

export function drawChunks(
  raster: RowRaster,
  row: RowSpan,
  chunks: ChunkMarks,
  groups: ChunkGroups | undefined,
  theme: Theme,
): void {
  const pixels = groups === undefined ? undefined : groupColours(theme, groups.by).pixels;
  for (let index = firstEndingAfter(chunks, row.start); index < chunks.count; index++) {
    const address = chunks.address[index] ?? 0;
    if (address >= row.end) break;
    const from = (address - row.start) * row.scale;
    const to = from + (chunks.size[index] ?? 0) * row.scale;
    const state = chunks.state[index];
    if (state === ChunkState.inUse) {
      const byAge = theme.agePixels[(chunks.age[index] ?? 0) >> 3] ?? theme.pixel.inUse;
      const pixel = pixels?.[groups?.group[index] ?? 0] ?? byAge;
      fillSpan(raster, from, to, pixel);
    } else if (state === ChunkState.poolBlock) fillSpan(raster, from, to, theme.pixel.poolGround);
    else if (state === ChunkState.cached) drawCached(raster, from, to, theme);
    else if (state === ChunkState.top) fillSpan(raster, from, to, theme.pixel.segment);
    else fillSpan(raster, from, to, theme.pixel.free, theme.pixel.hatch);
  }
}

/** The stripes go on from chunk to chunk, whole pixels, so that also many narrow ones are striped. */
function drawCached(raster: RowRaster, from: number, to: number, theme: Theme): void {
  fillSpan(raster, from, to, theme.pixel.cached);
  paintLine(raster.weave, from, to, theme.pixel.cachedStripe);
}

/** Stripes and ground of what is cached, as one colour. */
export const cachedFromFar = (theme: Theme): number => mixPixels(theme.pixel.cached, theme.pixel.cachedStripe, 0.3);

/** The header words, over resolved chunks and blocks. `ratio`: device pixels a CSS pixel. */
export function drawHeaders(
  raster: RowRaster,
  row: RowSpan,
  chunks: ChunkMarks,
  wordSize: number,
  ratio: number,
  theme: Theme,
): void {
  const word = wordSize * row.scale;
  const hairline = Math.max(Math.round(ratio), 1);
  const least = kHairlineFrom * ratio;
  const field = Math.min(Math.max((word / ratio - kFieldFrom) / (kFieldAt - kFieldFrom), 0), 1);
  const pixel = mixPixels(theme.pixel.header, theme.pixel.raised, field);
  for (let index = firstEndingAfter(chunks, row.start); index < chunks.count; index++) {
    const address = chunks.address[index] ?? 0;
    if (address >= row.end) break;
    const from = (address - row.start) * row.scale;
    const width = (chunks.size[index] ?? 0) * row.scale;
    if (hasNoHeader(chunks.slab?.[index])) {
      if (width >= least && from > -hairline)
        coverLine(raster, from, hairline, theme.pixel.header, Math.min(width / least - 1, 1) / 2);
      continue;
    }
    if (width < least || from + Math.max(word, hairline) < 0) continue;
    const strength = Math.min(width / least - 1, 1) * strengthOf(chunks.state[index]);
    if (word > hairline) coverSpan(raster, from, from + word, pixel, Math.max(strength, field));
    if (from > -hairline) coverLine(raster, from, hairline, theme.pixel.header, strength);
  }
}

/** A hairline that begins at x, always as many pixels wide wherever x lies between two. */
function coverLine(raster: RowRaster, x: number, width: number, pixel: number, share: number): void {
  const from = Math.round(x);
  coverSpan(raster, from, from + width, pixel, share);
}

/** Free chunks and the top have a header too, but nobody's data behind it: quieter. */
function strengthOf(state: number | undefined): number {
  if (state === ChunkState.inUse || state === ChunkState.poolBlock || state === ChunkState.cached) return 1;
  return state === ChunkState.top ? 0.35 : 0.45;
}
