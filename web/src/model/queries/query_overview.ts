// All memory that heaps have, from far: a column of equal cells, top to bottom, for the strip beside the map.
//
//   O1  The cells begin at the first segment and end behind the last one, so what lies before and between is to scale.

import { addr, bytes } from '../../base/brand.ts';
import type { OverviewFrame } from '../../protocol/map_frames.ts';
import type { HeapState } from '../state/heap_state.ts';
import type { PageSummary } from '../state/page_summary.ts';
import { queryCells } from './query_cells.ts';

/** A cell is whole words. */
const kLeastCell = 16;

/** undefined: there is no segment. */
export function queryOverview(state: HeapState, pages: PageSummary, rows: number): OverviewFrame | undefined {
  let from = 2 ** 32;
  let to = 0;
  for (const { base, size } of state.segments) {
    from = Math.min(from, base);
    to = Math.max(to, base + size);
  }
  if (to <= from || rows < 1) return undefined;
  const cellBytes = Math.ceil((to - from) / rows / kLeastCell) * kLeastCell;
  const viewport = { origin: addr(from), bytesPerRow: bytes(cellBytes), rows, columns: 1 };
  return { from: addr(from), cellBytes: bytes(cellBytes), to: addr(to), cells: queryCells(state, pages, viewport) };
}
