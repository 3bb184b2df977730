// What every draw function of the map gets besides the frame and the theme: where text lies, which part of memory it
// shows, and how many device pixels a CSS pixel has.

import { type MapLayout, type MapTransform, rowsOf } from './map_geometry.ts';

export interface MapView {
  readonly layout: MapLayout;
  readonly transform: MapTransform;
  readonly ratio: number;
}

/** CSS pixels a byte is wide. */
export const pixelsPerByte = (view: MapView): number => view.layout.textWidth / view.transform.bytesPerRow;

/** A row in device pixels: `scale` a byte, addresses [start, end). */
export interface RowSpan {
  readonly start: number;
  readonly end: number;
  readonly scale: number;
}

export function rowSpan({ layout, transform }: MapView, row: number, width: number): RowSpan {
  const rows = rowsOf(layout, transform);
  const [start, end] = [rows.start(row), rows.end(row)];
  return { start, end, scale: width / (end - start) };
}

/** A header word's width in CSS pixels on the map. */
export const headerWidth = (view: MapView, wordSize: number): number => wordSize * pixelsPerByte(view);
