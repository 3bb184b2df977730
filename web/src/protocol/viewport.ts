// Which addresses a viewport covers: its rows, without the runs of emptiness that it leaves out.
//
//   origin ─▶ row 0  ┐
//             row 1  ┘ band: rows without a gap between them
//             ⋮ slots left out before row 2
//             row 2  ┐
//             ...    ┘ the next band
//
//   viewport.1  Bands ascend and do not touch; together they are all rows.

import type { MapViewport } from './map_frames.ts';

/** Rows of a viewport that follow one another in memory. */
export interface ViewportBand {
  readonly origin: number; // address of its first row
  readonly firstRow: number;
  readonly rows: number;
}

export function bandsOf({ origin, bytesPerRow, rows, gaps = [] }: MapViewport): readonly ViewportBand[] {
  const bands: ViewportBand[] = [];
  let [address, firstRow] = [origin as number, 0];
  const add = (end: number): void => {
    if (end > firstRow) bands.push({ origin: address, firstRow, rows: end - firstRow });
    address += (end - firstRow) * bytesPerRow;
    firstRow = end;
  };
  for (const { beforeRow, slots } of gaps) {
    add(beforeRow);
    address += slots * bytesPerRow;
  }
  add(rows);
  return bands;
}

/** The address behind the last row, or behind what is left out there. */
export function endOfViewport({ origin, bytesPerRow, rows, gaps = [] }: MapViewport): number {
  return origin + gaps.reduce((slots, gap) => slots + gap.slots, rows) * bytesPerRow;
}

/** The row that shows an address; undefined when none does. */
export function rowOfViewport(viewport: MapViewport, address: number): number | undefined {
  for (const { origin, firstRow, rows } of bandsOf(viewport)) {
    const row = Math.floor((address - origin) / viewport.bytesPerRow);
    if (row >= 0 && row < rows) return firstRow + row;
  }
  return undefined;
}
