// Long runs of emptiness, folded: of a free chunk or a top of many rows the first rows are drawn, the next one says how
// far it goes, and the others stay empty, whose addresses are nobody's business. What is under the pointer there is
// still the chunk.
//
//   0x0007_1200 |=====|- - - - - - - - - -|     the chunk begins
//   0x0007_1400 |- - - - - - - - - - - - -|     kDrawnRows in all
//               | ⋮ the top goes on ...          the fold: rows without an address
//
//   F1  A fold is whole rows, each wholly inside the chunk: what ends or begins in a row is drawn.
//   F2  While a call is under way its top is for some events a free chunk like any other: both fold alike, so that stepping
//       through a call leaves these rows as they are.

import { ChunkState, type MapFrame } from '../protocol/frames.ts';
import { visibleRows } from './map_geometry.ts';
import { firstEndingAfter } from './map_marks.ts';
import type { MapView } from './map_view.ts';

export interface MapFold {
  readonly fromRow: number;
  readonly toRow: number; // behind the last
  readonly top: boolean;
  readonly end: number; // address behind the chunk
}

const kDrawnRows = 2;
const kLeastFolded = 2;

export function foldsOf({ chunks }: MapFrame, { layout, transform }: MapView): readonly MapFold[] {
  if (chunks === undefined) return [];
  const { origin, bytesPerRow } = transform;
  const rows = visibleRows(layout);
  const folds: MapFold[] = [];
  for (let index = firstEndingAfter(chunks, origin); index < chunks.count; index++) {
    const address = chunks.address[index] ?? 0;
    if (address >= origin + rows * bytesPerRow) break;
    const size = chunks.size[index] ?? 0;
    if (size < (kDrawnRows + kLeastFolded) * bytesPerRow) continue;
    const state = chunks.state[index];
    if (state !== ChunkState.free && state !== ChunkState.top && state !== ChunkState.victim) continue;
    const end = address + size;
    const fromRow = Math.max(Math.floor((address - origin) / bytesPerRow), 0) + kDrawnRows;
    const toRow = Math.min(Math.floor((end - origin) / bytesPerRow), rows);
    if (toRow - fromRow < kLeastFolded) continue;
    folds.push({ fromRow, toRow, top: state === ChunkState.top, end });
  }
  return folds;
}

export const isFolded = (folds: readonly MapFold[], row: number): boolean =>
  folds.some(({ fromRow, toRow }) => row >= fromRow && row < toRow);
