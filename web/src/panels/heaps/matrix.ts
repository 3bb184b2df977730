// What a matrix of caches shows, for the grid that draws it: pure, so that it can be tested without a page.

import { formatCount } from '../../base/format.ts';

export interface MatrixColumn {
  readonly key: string;
  readonly kind: 'inUse' | 'central' | 'cache' | 'cachedChunks';
  readonly title: string; // in the head
  readonly name: string; // in a sentence
  readonly acting: boolean;
}

export interface MatrixCell {
  readonly key: string;
  readonly kind: MatrixColumn['kind'];
  readonly count: number;
  readonly share: number; // how far the cell is filled, 0..1
  readonly shown: string; // in the cell
  readonly text: string; // "128 B, thread 2: 16 blocks, 2 KiB"; has what is shown in it (WCAG 2.5.3)
}

export interface MatrixRow {
  readonly key: number;
  readonly title: string;
  readonly extra: string | undefined; // behind the cells
  readonly cells: readonly MatrixCell[];
}

/** What moved last: indexes of its row, and of the columns it went from and to. */
export interface MatrixMove {
  readonly seq: number;
  readonly row: number;
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface Matrix {
  readonly columns: readonly MatrixColumn[];
  readonly rows: readonly MatrixRow[];
  readonly move: MatrixMove | undefined;
  /** Columns from this one on stand a little apart from those before. */
  readonly apart: number;
}

/** "4,096": short enough for a cell of four letters; from ten thousand on in thousands. */
export function shortCount(count: number): string {
  if (count < 10_000) return formatCount(count);
  return count < 1e6 ? `${Math.round(count / 1000)}k` : `${(count / 1e6).toFixed(1)}M`;
}
