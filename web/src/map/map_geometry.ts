// The map is text: rows of address space like lines on a page. Pure arithmetic between pixels and addresses; nothing
// here draws, listens or remembers. Over 300 lines: some twenty small functions on one transform, each a few lines.
//
//     gutter      text                                   row r shows bytesPerRow bytes, or a fold (map_rows.ts)
//    +----------+--------------------------------+
//    |0x0003_e000|=====......====|==|............|  ^    origin       address at the left end of row 0, any real number;
//    |          |                                |  pitch             negative when memory begins below the top
//    |0x0003_f000|....|=========|................|  v    bytesPerRow  16 .. 2^32, a power of two when the zoom rests
//    +----------+--------------------------------+       shift        share of row 0 scrolled above the top, 0 <= shift < 1
//
//  G1  Zooming about a point keeps the address under it exactly (until clamped): see zoomAbout. In a fold it keeps its row.
//  G2  A transform is immutable; every function returns a new one.
//  G3  After clamp some row of the map shows memory, and bytesPerRow is within its bounds.

import { type Addr, addr, type Bytes, bytes } from '../base/brand.ts';
import type { EmptyRuns, MapViewport, ViewportGap } from '../protocol/map_frames.ts';
import { kNothingEmpty, MapRows, type SlotGrid } from './map_rows.ts';

export const kMinBytesPerRow = 16;
export const kMaxBytesPerRow = 2 ** 32;
const kAddressSpace = 2 ** 32;

/** Where text lies on the canvas, in CSS pixels, and what of memory is folded. */
export interface MapLayout {
  readonly width: number;
  readonly height: number;
  readonly left: number; // of the text: width of the gutter
  readonly top: number;
  readonly textWidth: number;
  readonly pitch: number; // from one row's top to the next one's
  readonly rowHeight: number; // the rest of the pitch is gap
  readonly text: number; // of labels and figures, CSS pixels
  readonly below: number; // at the lower edge, where something lies over the rows
  readonly belowFrom: number; // x from which on it does
  readonly empty: EmptyRuns; // these fold
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

/** By the canvas' width: a wide one is looked at from farther away. */
const kSizes = [
  { from: 0, left: 84, right: 8, top: 8, pitch: 26, gap: 6, text: 10 },
  { from: 520, left: 92, right: 18, top: 16, pitch: 34, gap: 8, text: 11 },
  { from: 1100, left: 102, right: 20, top: 18, pitch: 38, gap: 8, text: 12 },
  { from: 1400, left: 112, right: 22, top: 20, pitch: 42, gap: 8, text: 13 },
] as const;
/** Rows that are few are so much higher, by the first of these that has room. */
const kHighRows = [1.5, 1.25, 1] as const;

/** What of the canvas does not change as memory does. */
export interface LayoutSize {
  readonly width: number;
  readonly height: number;
  readonly below?: number;
  readonly belowFrom?: number;
}

/** The layout for a canvas of a size; a narrow one gets a narrower gutter and lower rows. rows: high ones, if so many have room. */
export function layoutFor(
  { width, height, below = 0, belowFrom = 0 }: LayoutSize,
  empty = kNothingEmpty,
  rows?: number,
): MapLayout {
  const { left, right, top, pitch, gap, text } = kSizes.findLast(({ from }) => width >= from) ?? kSizes[0];
  const high = kHighRows.find((each) => (rows ?? Number.POSITIVE_INFINITY) * pitch * each <= height - top - below) ?? 1;
  const chosen = pitch * high;
  return {
    width,
    height,
    left,
    top,
    textWidth: Math.max(width - left - right, 32),
    pitch: chosen,
    rowHeight: chosen - gap,
    text,
    below,
    belowFrom,
    empty,
  };
}

/** Rows that begin and end inside the canvas, with nothing over them, when shift is 0. */
export function wholeRows(layout: MapLayout): number {
  return Math.max(Math.floor((layout.height - layout.top - layout.below) / layout.pitch), 1);
}

/** Rows of which something may be visible: from row 0 on. */
export function visibleRows(layout: MapLayout): number {
  return Math.max(Math.ceil((layout.height - layout.top) / layout.pitch) + 1, 1);
}

export const rowTop = (layout: MapLayout, transform: MapTransform, row: number): number =>
  layout.top + (row - transform.shift) * layout.pitch;

/** Rows of the last layout that a transform was seen with: all of a picture is drawn with one. */
const kRows = new WeakMap<MapTransform, MapRows>();

export function rowsOf(layout: MapLayout, transform: MapTransform): MapRows {
  const known = kRows.get(transform);
  if (known?.runs === layout.empty) return known;
  const made = new MapRows(layout.empty, transform);
  kRows.set(transform, made);
  return made;
}

export const rowStart = (layout: MapLayout, transform: MapTransform, row: number): number =>
  rowsOf(layout, transform).start(row);

/** The row at a height; fractional parts are the place within the row's pitch. */
const rowAt = (layout: MapLayout, transform: MapTransform, y: number): number =>
  Math.floor((y - layout.top) / layout.pitch + transform.shift);

/** The column 0..1 at an x, at the nearest end when x is outside of the text. */
const columnAt = (layout: MapLayout, x: number): number =>
  Math.min(Math.max((x - layout.left) / layout.textWidth, 0), 1);

/** The address under a point, a real number; the gaps between rows belong to the row above them. */
export function addressAt(layout: MapLayout, transform: MapTransform, x: number, y: number): number {
  const rows = rowsOf(layout, transform);
  const row = rowAt(layout, transform, y);
  const start = rows.start(row);
  return start + columnAt(layout, x) * (rows.end(row) - start);
}

/** The address in the row `by` rows on, in the same column. */
export function addressBeside(layout: MapLayout, transform: MapTransform, address: number, by: number): number {
  const rows = rowsOf(layout, transform);
  const row = rows.rowOf(address);
  const start = rows.start(row + by);
  return start + columnOf(rows, row, address) * (rows.end(row + by) - start);
}

/** 0..1 */
function columnOf(rows: MapRows, row: number, address: number): number {
  const start = rows.start(row);
  return (address - start) / (rows.end(row) - start);
}

/** The run that is folded into the row under a point; undefined when none is. */
export function foldUnder(layout: MapLayout, transform: MapTransform, y: number): number | undefined {
  return rowsOf(layout, transform).foldAt(rowAt(layout, transform, y));
}

/** Whether an address is shown by a fold. */
export function isFolded(layout: MapLayout, transform: MapTransform, address: number): boolean {
  const rows = rowsOf(layout, transform);
  return rows.foldAt(rows.rowOf(address)) !== undefined;
}

/** Whether a point is on a row's text: neither in the gutter nor in a gap. */
export function onText(layout: MapLayout, transform: MapTransform, x: number, y: number): boolean {
  const row = rowAt(layout, transform, y);
  const below = y - rowTop(layout, transform, row);
  return x >= layout.left && x < layout.left + layout.textWidth && below >= 0 && below < layout.rowHeight;
}

export function pointOf(layout: MapLayout, transform: MapTransform, address: number): MapPoint {
  const rows = rowsOf(layout, transform);
  const row = rows.rowOf(address);
  return {
    x: layout.left + columnOf(rows, row, address) * layout.textWidth,
    y: rowTop(layout, transform, row),
    row,
  };
}

/** Visits the parts of [from, to) on visible rows, top to bottom: x and width in CSS pixels, y of the row's top. */
export function eachRowPart(
  layout: MapLayout,
  transform: MapTransform,
  from: number,
  to: number,
  visit: (x: number, y: number, width: number, row: number) => void,
): void {
  const rows = rowsOf(layout, transform);
  const first = Math.max(rows.rowOf(from), 0);
  const last = Math.min(rows.rowOf(to), visibleRows(layout) - 1);
  for (let row = first; row <= last; row++) {
    const start = rows.start(row);
    const size = rows.end(row) - start;
    const begin = Math.max(from - start, 0) / size;
    const end = Math.min(to - start, size) / size;
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

/** The transform whose row `row` holds `start`, at its left end when it is no fold. */
export function placeRow(layout: MapLayout, start: number, bytesPerRow: number, row: number, shift = 0): MapTransform {
  const rows = new MapRows(layout.empty, { origin: start, bytesPerRow });
  return { origin: rows.start(-row), bytesPerRow, shift };
}

/** Another zoom with the same address under (x, y): G1. */
export function zoomAbout(
  layout: MapLayout,
  transform: MapTransform,
  x: number,
  y: number,
  bytesPerRow: number,
): MapTransform {
  const wanted = clampBytesPerRow(bytesPerRow);
  const start = addressAt(layout, transform, x, y) - columnAt(layout, x) * wanted;
  return placeRow(layout, start, wanted, rowAt(layout, transform, y), transform.shift);
}

/** So many rows on. */
export function scrollBy(layout: MapLayout, transform: MapTransform, rows: number): MapTransform {
  return { ...transform, origin: rowStart(layout, transform, rows) };
}

/** Moves the picture by pixels: across moves along the addresses, down by rows. What was under the hand stays there. */
export function panBy(layout: MapLayout, transform: MapTransform, dx: number, dy: number): MapTransform {
  const rows = transform.shift - dy / layout.pitch;
  const whole = Math.floor(rows);
  return {
    ...transform,
    origin: rowStart(layout, transform, whole) - (dx / layout.textWidth) * transform.bytesPerRow,
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

/** The closest zoom, resting, from `least` on, at which [from, to) is on whole rows, beginning at a multiple of bytesPerRow. */
export function fitRange(layout: MapLayout, from: number, to: number, least = kMinBytesPerRow): MapTransform {
  const most = wholeRows(layout);
  for (let bytesPerRow = least; ; bytesPerRow *= 2) {
    const origin = Math.floor(from / bytesPerRow) * bytesPerRow;
    const last = Math.ceil((to - origin) / bytesPerRow) - 1;
    const rows = new MapRows(layout.empty, { origin, bytesPerRow });
    if (bytesPerRow >= kMaxBytesPerRow || rows.rowOfSlot(last) < most) return { origin, bytesPerRow, shift: 0 };
  }
}

/** At most so many times farther than who asks for a place wants it. */
const kFarther = 8;

/** The nearest place from bytesPerRow on at which [from, to) is on whole rows, as long as that is not too far. */
export function placeFor(
  layout: MapLayout,
  from: number,
  to: number,
  bytesPerRow: number,
): { readonly origin: Addr; readonly bytesPerRow: Bytes } {
  const { bytesPerRow: whole } = fitRange(layout, from, to, bytesPerRow);
  const chosen = Math.min(whole, bytesPerRow * kFarther);
  return { origin: addr(Math.floor(from / chosen) * chosen), bytesPerRow: bytes(chosen) };
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
  const start = Math.floor(addressAt(layout, transform, x, y) / bytesPerRow) * bytesPerRow;
  return placeRow(layout, start, bytesPerRow, rowAt(layout, transform, y), transform.shift);
}

/** Between two transforms, 0..1: the zoom moves by equal factors, and the address both have in place stays in place. */
export function between(layout: MapLayout, from: MapTransform, to: MapTransform, share: number): MapTransform {
  if (share <= 0) return from;
  if (share >= 1) return to;
  const [rowsFrom, rowsTo] = [rowsOf(layout, from), rowsOf(layout, to)];
  const anchor = addressAt(layout, to, layout.left, layout.height / 2); // in view at the end
  const [rowFrom, rowTo] = [rowsFrom.rowOf(anchor), rowsTo.rowOf(anchor)];
  const change = to.bytesPerRow - from.bytesPerRow;
  const shift = (moved: number): number => from.shift + (to.shift - from.shift) * moved;
  const column = columnOf(rowsFrom, rowFrom, anchor);
  if (change === 0 && (column === 0 || rowsFrom.foldAt(rowFrom) !== undefined)) {
    // Rows begin at the same addresses: they move up or down as they are.
    const place = rowFrom + (rowTo - rowFrom) * share - shift(share);
    const row = Math.ceil(place);
    return { ...to, origin: rowsFrom.start(rowFrom - row), shift: row - place };
  }
  const bytesPerRow = from.bytesPerRow * (to.bytesPerRow / from.bytesPerRow) ** share;
  // The anchor moves in step with bytesPerRow, not with time: then a common fixed point stays fixed all the way.
  const moved = Math.abs(change) < 1e-9 ? share : (bytesPerRow - from.bytesPerRow) / change;
  const start = (rowFrom + column) * from.bytesPerRow;
  const end = (rowTo + columnOf(rowsTo, rowTo, anchor)) * to.bytesPerRow;
  const place = (start + (end - start) * moved) / bytesPerRow;
  const row = Math.floor(place);
  return placeRow(layout, anchor - (place - row) * bytesPerRow, bytesPerRow, row, shift(moved));
}

/** Scrolled by as few whole rows as bring the row of an address (and the last one of a small range) into sight. */
export function scrollTo(layout: MapLayout, transform: MapTransform, from: number, to: number): MapTransform {
  const most = wholeRows(layout);
  const rows = rowsOf(layout, transform);
  const first = rows.rowOf(from);
  const last = Math.max(rows.start(rows.rowOf(to)) === to ? rows.rowOf(to) - 1 : rows.rowOf(to), first);
  const least = transform.shift > 0 ? 1 : 0;
  if (first >= least && last < most) return transform;
  const margin = Math.min(2, Math.floor((most - 1) / 2));
  const wanted = first < least ? first - margin : Math.min(last - most + 1 + margin, first - margin);
  return { ...transform, origin: rows.start(wanted), shift: 0 };
}

/** Rows asked for beyond each end, so that a moving map has something to show until the next frame comes. */
const kSpareRows = 2;

/** The frame to ask for: whole numbers that cover all visible rows, none below address 0. */
export function viewportOf(layout: MapLayout, transform: MapTransform): MapViewport {
  const bytesPerRow = Math.min(Math.ceil(transform.bytesPerRow / 16) * 16, kMaxBytesPerRow);
  const start = Math.max(Math.floor(rowStart(layout, transform, -kSpareRows) / 4) * 4, 0);
  const end = Math.min(rowStart(layout, transform, visibleRows(layout) + kSpareRows), kAddressSpace);
  const origin = Math.min(start, kAddressSpace - 4);
  return {
    origin: addr(origin),
    bytesPerRow: bytes(bytesPerRow),
    columns: Math.round(layout.textWidth),
    ...rowsAndGaps(layout, { origin, bytesPerRow }, end),
  };
}

/** Rows from the grid's origin on to `end`, and between them the folds, which need no row. */
function rowsAndGaps(layout: MapLayout, grid: SlotGrid, end: number): Pick<MapViewport, 'rows' | 'gaps'> {
  const all = new MapRows(layout.empty, grid);
  const gaps: ViewportGap[] = [];
  let rows = 0;
  for (let row = 0; all.start(row) < end; row++) {
    if (all.foldAt(row) === undefined) rows++;
    else gaps.push({ beforeRow: rows, slots: all.slotOf(row + 1) - Math.max(all.slotOf(row), 0) });
  }
  return gaps.length === 0 ? { rows: Math.max(rows, 1) } : { rows, gaps };
}

/** The transform that shows a place chosen before. */
export const transformOf = (origin: Addr | number, bytesPerRow: number): MapTransform => ({
  origin,
  bytesPerRow: clampBytesPerRow(bytesPerRow),
  shift: 0,
});
