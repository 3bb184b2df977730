// The map is text: rows of address space like lines on a page. Pure arithmetic between pixels and addresses; nothing
// here draws, listens or remembers.
//
//     gutter      text                                   row r shows [origin + r * bytesPerRow, + bytesPerRow)
//    +----------+--------------------------------+
//    |0x0003_e000|=====......====|==|............|  ^    origin       address at the left end of row 0, any real number;
//    |          |                                |  pitch             negative when memory begins below the top
//    |0x0003_f000|....|=========|................|  v    bytesPerRow  16 .. 2^32, a power of two when the zoom rests
//    +----------+--------------------------------+       shift        share of row 0 scrolled above the top, 0 <= shift < 1
//
//  G1  Zooming about a point keeps the address under it exactly (until clamped): see zoomAbout.
//  G2  A transform is immutable; every function returns a new one.
//  G3  After clamp some row of the map shows memory, and bytesPerRow is within its bounds.

import { type Addr, addr, bytes } from '../base/brand.ts';
import type { MapViewport } from '../protocol/frames.ts';

export const kMinBytesPerRow = 16;
export const kMaxBytesPerRow = 2 ** 32;
const kAddressSpace = 2 ** 32;

/** Where text lies on the canvas, in CSS pixels. */
export interface MapLayout {
  readonly width: number;
  readonly height: number;
  readonly left: number; // of the text: width of the gutter
  readonly top: number;
  readonly textWidth: number;
  readonly pitch: number; // from one row's top to the next one's
  readonly rowHeight: number; // the rest of the pitch is gap
}

export interface MapTransform {
  readonly origin: number;
  readonly bytesPerRow: number;
  readonly shift: number;
}

/** Where an address is drawn, CSS pixels; the row may lie outside of the canvas. */
export interface MapPoint {
  readonly x: number;
  readonly y: number; // top of the row
  readonly row: number;
}

/** The layout for a canvas of a size; a narrow one gets a narrower gutter and lower rows. */
export function layoutFor(width: number, height: number): MapLayout {
  const narrow = width < 520;
  const left = narrow ? 84 : 92;
  const right = narrow ? 8 : 18;
  return {
    width,
    height,
    left,
    top: narrow ? 8 : 16,
    textWidth: Math.max(width - left - right, 32),
    pitch: narrow ? 26 : 34,
    rowHeight: narrow ? 20 : 26,
  };
}

/** Rows that begin and end inside the canvas when shift is 0. */
export function wholeRows(layout: MapLayout): number {
  return Math.max(Math.floor((layout.height - layout.top) / layout.pitch), 1);
}

/** Rows of which something may be visible: from row 0 on. */
export function visibleRows(layout: MapLayout): number {
  return Math.max(Math.ceil((layout.height - layout.top) / layout.pitch) + 1, 1);
}

export const rowTop = (layout: MapLayout, transform: MapTransform, row: number): number =>
  layout.top + (row - transform.shift) * layout.pitch;

export const rowStart = (transform: MapTransform, row: number): number =>
  transform.origin + row * transform.bytesPerRow;

/** The row at a height; fractional parts are the place within the row's pitch. */
const rowAt = (layout: MapLayout, transform: MapTransform, y: number): number =>
  Math.floor((y - layout.top) / layout.pitch + transform.shift);

/** The column 0..1 at an x, at the nearest end when x is outside of the text. */
const columnAt = (layout: MapLayout, x: number): number =>
  Math.min(Math.max((x - layout.left) / layout.textWidth, 0), 1);

/** The address under a point, a real number; the gaps between rows belong to the row above them. */
export function addressAt(layout: MapLayout, transform: MapTransform, x: number, y: number): number {
  return rowStart(transform, rowAt(layout, transform, y) + columnAt(layout, x));
}

/** Whether a point is on a row's text: neither in the gutter nor in a gap. */
export function onText(layout: MapLayout, transform: MapTransform, x: number, y: number): boolean {
  const row = rowAt(layout, transform, y);
  const below = y - rowTop(layout, transform, row);
  return x >= layout.left && x < layout.left + layout.textWidth && below >= 0 && below < layout.rowHeight;
}

export function pointOf(layout: MapLayout, transform: MapTransform, address: number): MapPoint {
  const rows = (address - transform.origin) / transform.bytesPerRow;
  const row = Math.floor(rows);
  return { x: layout.left + (rows - row) * layout.textWidth, y: rowTop(layout, transform, row), row };
}

/** Visits the parts of [from, to) on visible rows, top to bottom: x and width in CSS pixels, y of the row's top. */
export function eachRowPart(
  layout: MapLayout,
  transform: MapTransform,
  from: number,
  to: number,
  visit: (x: number, y: number, width: number, row: number) => void,
): void {
  const { origin, bytesPerRow } = transform;
  const first = Math.max(Math.floor((from - origin) / bytesPerRow), 0);
  const last = Math.min(Math.ceil((to - origin) / bytesPerRow), visibleRows(layout));
  for (let row = first; row < last; row++) {
    const start = rowStart(transform, row);
    const begin = Math.max(from - start, 0) / bytesPerRow;
    const end = Math.min(to - start, bytesPerRow) / bytesPerRow;
    if (end <= begin) continue;
    visit(
      layout.left + begin * layout.textWidth,
      rowTop(layout, transform, row),
      (end - begin) * layout.textWidth,
      row,
    );
  }
}

const clampBytesPerRow = (wanted: number): number => Math.min(Math.max(wanted, kMinBytesPerRow), kMaxBytesPerRow);

/** Another zoom with the same address under (x, y): G1. */
export function zoomAbout(
  layout: MapLayout,
  transform: MapTransform,
  x: number,
  y: number,
  bytesPerRow: number,
): MapTransform {
  const wanted = clampBytesPerRow(bytesPerRow);
  const place = rowAt(layout, transform, y) + columnAt(layout, x); // in rows from the origin
  return { ...transform, origin: transform.origin + place * (transform.bytesPerRow - wanted), bytesPerRow: wanted };
}

/** Moves the picture by pixels: across moves along the addresses, down by rows. What was under the hand stays there. */
export function panBy(layout: MapLayout, transform: MapTransform, dx: number, dy: number): MapTransform {
  const rows = transform.shift - dy / layout.pitch;
  const whole = Math.floor(rows);
  return {
    ...transform,
    origin: transform.origin + whole * transform.bytesPerRow - (dx / layout.textWidth) * transform.bytesPerRow,
    shift: rows - whole,
  };
}

/** Keeps memory in sight: its first row at most half way down, its last one at least at the top. */
export function clamp(layout: MapLayout, transform: MapTransform, memoryBytes: number): MapTransform {
  const bytesPerRow = clampBytesPerRow(transform.bytesPerRow);
  const lowest = -Math.floor(wholeRows(layout) / 2) * bytesPerRow;
  const highest = Math.max(Math.min(memoryBytes, kAddressSpace) - bytesPerRow, 0);
  if (transform.origin < lowest) return { origin: lowest, bytesPerRow, shift: 0 };
  if (transform.origin > highest) return { origin: highest, bytesPerRow, shift: 0 };
  return bytesPerRow === transform.bytesPerRow ? transform : { ...transform, bytesPerRow };
}

/** The closest zoom, resting, at which [from, to) is on whole rows, beginning at a multiple of bytesPerRow. */
export function fitRange(layout: MapLayout, from: number, to: number): MapTransform {
  const rows = wholeRows(layout);
  let bytesPerRow = kMinBytesPerRow;
  while (bytesPerRow < kMaxBytesPerRow && Math.ceil(to / bytesPerRow) - Math.floor(from / bytesPerRow) > rows) {
    bytesPerRow *= 2;
  }
  return { origin: Math.floor(from / bytesPerRow) * bytesPerRow, bytesPerRow, shift: 0 };
}

/** Where a zoom comes to rest: the next power of two in the direction of the movement (+1 outwards), nearest for 0. */
export function restingBytesPerRow(bytesPerRow: number, direction: number): number {
  const exact = Math.log2(bytesPerRow);
  const near = Math.round(exact);
  if (Math.abs(exact - near) < 0.02 || direction === 0) return clampBytesPerRow(2 ** near);
  return clampBytesPerRow(2 ** (direction > 0 ? Math.ceil(exact) : Math.floor(exact)));
}

/** A transform at rest: bytesPerRow a power of two, rows begin at multiples of it; what was at the point stays in its row. */
export function rest(
  layout: MapLayout,
  transform: MapTransform,
  x: number,
  y: number,
  direction: number,
): MapTransform {
  const bytesPerRow = restingBytesPerRow(transform.bytesPerRow, direction);
  const row = Math.floor(addressAt(layout, transform, x, y) / bytesPerRow);
  return { ...transform, origin: (row - rowAt(layout, transform, y)) * bytesPerRow, bytesPerRow };
}

/** Between two transforms, 0..1: the zoom moves by equal factors, and the address both have in place stays in place. */
export function between(from: MapTransform, to: MapTransform, share: number): MapTransform {
  if (share <= 0) return from;
  if (share >= 1) return to;
  const start = from.origin - from.shift * from.bytesPerRow;
  const end = to.origin - to.shift * to.bytesPerRow;
  const bytesPerRow = from.bytesPerRow * (to.bytesPerRow / from.bytesPerRow) ** share;
  const change = to.bytesPerRow - from.bytesPerRow;
  // The top moves in step with bytesPerRow, not with time: then a common fixed point stays fixed all the way.
  const moved = Math.abs(change) < 1e-9 ? share : (bytesPerRow - from.bytesPerRow) / change;
  const shift = from.shift + (to.shift - from.shift) * moved;
  return { origin: start + (end - start) * moved + shift * bytesPerRow, bytesPerRow, shift };
}

/** Scrolled by as few whole rows as bring the row of an address (and the last one of a small range) into sight. */
export function scrollTo(layout: MapLayout, transform: MapTransform, from: number, to: number): MapTransform {
  const rows = wholeRows(layout);
  const first = Math.floor((from - transform.origin) / transform.bytesPerRow);
  const last = Math.max(Math.ceil((to - transform.origin) / transform.bytesPerRow) - 1, first);
  const least = transform.shift > 0 ? 1 : 0;
  if (first >= least && last < rows) return transform;
  const margin = Math.min(2, Math.floor((rows - 1) / 2));
  const wanted = first < least ? first - margin : Math.min(last - rows + 1 + margin, first - margin);
  return { ...transform, origin: transform.origin + wanted * transform.bytesPerRow, shift: 0 };
}

/** Rows asked for beyond each end, so that a moving map has something to show until the next frame comes. */
const kSpareRows = 2;

/** The frame to ask for: whole numbers that cover all visible rows, none below address 0. */
export function viewportOf(layout: MapLayout, transform: MapTransform): MapViewport {
  const bytesPerRow = Math.min(Math.ceil(transform.bytesPerRow / 16) * 16, kMaxBytesPerRow);
  const first = transform.origin - kSpareRows * transform.bytesPerRow;
  const start = Math.max(Math.floor(first / 4) * 4, 0);
  const rows = visibleRows(layout) + kSpareRows;
  const end = Math.min(transform.origin + rows * transform.bytesPerRow, kAddressSpace);
  return {
    origin: addr(Math.min(start, kAddressSpace - 4)),
    bytesPerRow: bytes(bytesPerRow),
    rows: Math.max(Math.ceil((end - start) / bytesPerRow), 1),
    columns: Math.round(layout.textWidth),
  };
}

/** The transform that shows a place chosen before. */
export const transformOf = (origin: Addr | number, bytesPerRow: number): MapTransform => ({
  origin,
  bytesPerRow: clampBytesPerRow(bytesPerRow),
  shift: 0,
});
