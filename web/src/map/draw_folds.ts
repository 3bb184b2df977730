// Folds: a row in place of many, lower than the others, that says how much is not shown. A click opens it.
//
//    |=====|==|=======|   slots
//     ┄┄ ▸ free 1.2 MiB ┄┄┄┄   a fold; hollow where it is whole pages that could go back (draw_returnable.ts)
//    |==|=============|

import { formatBytes } from '../base/format.ts';
import type { Theme } from '../dom/palette.ts';
import { EmptyKind } from '../protocol/map_frames.ts';
import { wholePages } from './draw_returnable.ts';
import { type MapLayout, rowsOf, rowTop, visibleRows } from './map_geometry.ts';
import type { MapView } from './map_view.ts';

const kWords: Readonly<Record<number, string>> = {
  [EmptyKind.free]: 'free',
  [EmptyKind.top]: 'top',
  [EmptyKind.outside]: 'outside of the heap',
  [EmptyKind.unrecorded]: 'without a recorded block',
};

/** What a run of emptiness is, in words. */
export const emptyWord = (kind: number | undefined): string => kWords[kind ?? EmptyKind.free] ?? '';

/** Of words that take the place of rows. */
export const rowWordsFont = ({ text }: MapLayout, { mono }: Theme): string => `${text}px ${mono}`;

/** Above and below the band. */
const kInset = 4;
const kHatchPeriod = 7;

export function drawFolds(
  context: CanvasRenderingContext2D,
  wordSize: number,
  { layout, transform }: MapView,
  theme: Theme,
): void {
  const rows = rowsOf(layout, transform);
  context.font = rowWordsFont(layout, theme);
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.lineWidth = 1;
  for (let row = 0; row < visibleRows(layout); row++) {
    const run = rows.foldAt(row);
    if (run === undefined) continue;
    const kind = layout.empty.kind[run];
    const top = Math.round(rowTop(layout, transform, row)) + kInset;
    const height = layout.rowHeight - 2 * kInset;
    const bytes = rows.end(row) - rows.start(row);
    const back = returnableIn(layout, run, rows.start(row), rows.end(row), wordSize);
    const isHollow = back === bytes;
    const ground = kind === EmptyKind.free ? theme.css.free : theme.css.panel;
    context.fillStyle = isHollow ? theme.css.bg : ground;
    context.fillRect(layout.left, top, layout.textWidth, height);
    if (kind === EmptyKind.free && !isHollow) hatch(context, layout, top, height, theme);
    context.strokeStyle = kind === EmptyKind.outside || kind === EmptyKind.unrecorded ? theme.css.line : theme.css.top;
    context.setLineDash([2, 3]);
    context.strokeRect(layout.left + 0.5, top + 0.5, Math.round(layout.textWidth) - 1, height - 1);
    context.setLineDash([]);
    const words = `▸ ${formatBytes(bytes)} ${emptyWord(kind)}${backWords(back, bytes)}`;
    if (kind === EmptyKind.free && !isHollow) {
      context.fillStyle = theme.css.free;
      context.fillRect(layout.left + 1, top + 1, context.measureText(words).width + 10, height - 2);
    }
    context.fillStyle = theme.css.dim;
    context.fillText(words, layout.left + 6, top + height / 2 + 0.5);
  }
}

const backWords = (back: number, bytes: number): string => {
  if (back <= 0) return '';
  return back === bytes ? ', could go back' : `, ${formatBytes(back)} could go back`;
};

/** Bytes of the run's whole free pages among those of a fold. */
function returnableIn({ empty }: MapLayout, run: number, start: number, end: number, wordSize: number): number {
  if (wordSize === 0 || empty.kind[run] === EmptyKind.outside) return 0;
  const { from, to } = wholePages(empty.address[run] ?? 0, empty.size[run] ?? 0, wordSize);
  return Math.max(0, Math.min(to, end) - Math.max(from, start));
}

/** The stripes of what is free. */
function hatch(context: CanvasRenderingContext2D, layout: MapLayout, top: number, height: number, theme: Theme): void {
  context.strokeStyle = theme.css.hatch;
  context.beginPath();
  for (let x = layout.left; x + height <= layout.left + layout.textWidth; x += kHatchPeriod) {
    context.moveTo(x, top + height);
    context.lineTo(x + height, top);
  }
  context.stroke();
}
