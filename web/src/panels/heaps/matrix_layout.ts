// Where the columns and rows of a matrix lie, in the width there is.

import type { Matrix, MatrixMove } from './matrix.ts';

export const kHead = 44;
export const kRow = 28;
const kLeastTitle = 62;
const kLetter = 7.2; // of the figures, caches.css
const kBehindTitle = 10;
const kGap = 4;
const kLeastCell = 40;
export const kMostCell = 64;
const kExtra = 76; // for a text behind the cells

export interface MatrixLayout {
  /** Where titles of rows end. */
  readonly titleEnd: number;
  readonly wide: number;
  readonly high: number;
  readonly cellWidth: number;
  readonly cellX: (column: number) => number;
}

export function layoutMatrix({ columns, rows, apart }: Matrix, width: number): MatrixLayout {
  const extra = rows.some((row) => row.extra !== undefined) ? kExtra : 0;
  const longest = Math.max(0, ...rows.map((row) => row.title.length));
  const title = Math.max(kLeastTitle, Math.ceil(longest * kLetter) + kBehindTitle);
  const space = (width - title - 10 - extra) / Math.max(1, columns.length) - kGap;
  const cellWidth = Math.max(kLeastCell, Math.min(kMostCell, Math.floor(space)));
  const cellX = (column: number): number => title + column * (cellWidth + kGap) + (column >= apart ? 10 : 0);
  const [wide, high] = [cellX(columns.length) + 2 + extra, kHead + rows.length * kRow + 2];
  return { titleEnd: title - kBehindTitle, wide, high, cellWidth, cellX };
}

/** From cell to cell along the upper edge of the row, so that no number is crossed. */
export function arrowOf(
  move: MatrixMove,
  { cellX, cellWidth }: MatrixLayout,
): { readonly line: string; readonly point: string } {
  const y = kHead + move.row * kRow + 3;
  const edge = (column: number, other: number) => cellX(column) + (column < other ? cellWidth - 8 : 8);
  const [from, to] = [edge(move.from, move.to), edge(move.to, move.from)];
  const up = Math.min(14, 7 + Math.abs(to - from) / 30);
  const line = `M${from} ${y + 4}C${from} ${y - up} ${to} ${y - up} ${to} ${y + 2}`;
  return { line, point: `translate(${to} ${y + 6}) rotate(90)` };
}
