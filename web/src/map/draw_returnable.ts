// Whole free pages of 64 KiB are hollow: what would go back. The rim keeps the stripes of free memory, or the dashes of top.
//
//   ▒▒▒▒▒┌──────────────────┐▒▒▒   a free chunk: striped where its pages hold a block, too, or its own words
//   ▒▒▒▒▒│                  │▒▒▒   the pages between are empty
//   ▒▒▒▒▒└──────────────────┘▒▒▒
//
//  Of the runs of emptiness that a frame lists, which are the longest there are: a run without a whole page is none of them.

import type { Theme } from '../dom/palette.ts';
import { EmptyKind, type MapFrame } from '../protocol/map_frames.ts';
import type { RowSpan } from './map_view.ts';
import { paintLine, type RowRaster } from './row_raster.ts';

const kPage = 65_536;
const kHeadWords = 3; // size, next, previous
/** Narrower ones would be a rim alone, CSS pixels. */
const kLeast = 3;

/** After the chunks, whose rows it hollows. `ratio`: device pixels a CSS pixel. */
export function drawReturnable(raster: RowRaster, row: RowSpan, frame: MapFrame, ratio: number, theme: Theme): void {
  const { empty, wordSize } = frame;
  for (let i = 0; i < empty.count; i++) {
    const address = empty.address[i] ?? 0;
    if (address >= row.end) break;
    if (empty.kind[i] === EmptyKind.outside || wordSize === 0) continue;
    const { from, to } = wholePages(address, empty.size[i] ?? 0, wordSize);
    if (to <= row.start || (to - from) * row.scale < kLeast * ratio) continue;
    const rim = (at: number): number => (at - row.start) * row.scale;
    paintLine(raster.inner, rim(from) + ratio, rim(to) - ratio, theme.pixel.bg);
  }
}

/** The pages of a free chunk that hold none of its own words; to <= from: none. */
export function wholePages(address: number, size: number, wordSize: number): { from: number; to: number } {
  return {
    from: Math.ceil((address + kHeadWords * wordSize) / kPage) * kPage,
    to: Math.floor((address + size - wordSize) / kPage) * kPage,
  };
}
