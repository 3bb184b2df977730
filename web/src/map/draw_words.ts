// The nearest view: what stands in a chunk's own words, and its bytes when they were read from memory.
//
//     | size 0x160 B0 P1 C0 | next free | prev free | ...                | foot 0x160 |     free, in a bin
//     | size 0x160 B0 P1 C1 | next cached | ...                                       |     cached by malloc
//     |.......||...|.......||  32 bits of the header word, the set ones bright: where they have room
//
// The size and the flags follow from the frame (state of this chunk and of the one before); what the links hold is told
// by the inspector.

import type { Theme } from '../dom/palette.ts';
import {
  type ChunkMarks,
  ChunkState,
  hasNoHeader,
  kLegibleByte,
  kOwnWords,
  kSlabTable,
  type MapFrame,
} from '../protocol/map_frames.ts';
import { eachRowPart, rowStart, visibleRows } from './map_geometry.ts';
import { firstEndingAfter } from './map_marks.ts';
import type { MapBytes } from './map_overlay.ts';
import { headerWidth, type MapView, pixelsPerByte } from './map_view.ts';

/** CSS pixels of a word that make its text legible, and its 32 bits. */
export const kTextWord = 44;
const kBitsWord = 150;

export function drawWords(context: CanvasRenderingContext2D, frame: MapFrame, view: MapView, theme: Theme): void {
  const { chunks, wordSize } = frame;
  const word = headerWidth(view, wordSize);
  if (chunks === undefined || word < kTextWord) return;
  const { layout, transform } = view;
  context.font = `${layout.text}px ${theme.mono}`;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  const letter = context.measureText('0').width;
  const end = rowStart(layout, transform, visibleRows(layout));

  const write = (address: number, texts: readonly string[], colour: string): void =>
    eachRowPart(layout, transform, address, address + wordSize, (x, y, width) => {
      const text = texts.find((each) => each.length * letter + 8 <= width);
      if (text === undefined) return;
      context.fillStyle = colour;
      context.fillText(text, x + 5, y + layout.rowHeight / 2 + 0.5);
    });

  for (let index = firstEndingAfter(chunks, transform.origin); index < chunks.count; index++) {
    const address = chunks.address[index] ?? 0;
    if (address >= end) break;
    const size = chunks.size[index] ?? 0;
    const state = chunks.state[index];
    const slab = chunks.slab?.[index];
    if (hasNoHeader(slab) || slab === kOwnWords) continue; // the header of a slab has its whole size, which may end outside of the view
    const flags = flagsOf(chunks, index);
    if (isHatched(state)) drawWordField(context, view, address, wordSize, theme); // its stripes lie over the header's field
    write(address, headerTexts(size, flags), theme.css.text);
    if (word >= kBitsWord) drawBits(context, view, address, wordSize, size + flags, theme);
    if (slab === kSlabTable) continue;
    for (const [at, text] of linksOf(state, address, size, wordSize)) {
      drawWordField(context, view, at, wordSize, theme);
      write(at, [text, text.slice(0, 4)], theme.css.dim);
    }
  }
}

/** How many words behind the header of a chunk are links. */
export const linkWords = (state: number): number =>
  state === ChunkState.free ? 2 : state === ChunkState.cached ? 1 : 0;

function linksOf(
  state: number | undefined,
  address: number,
  size: number,
  wordSize: number,
): readonly (readonly [at: number, text: string])[] {
  if (state === ChunkState.cached) return [[address + wordSize, 'next cached']];
  if (state !== ChunkState.free) return [];
  return [
    [address + wordSize, 'next free'],
    [address + 2 * wordSize, 'prev free'],
    [address + size - wordSize, `foot 0x${size.toString(16)}`],
  ];
}

const isHatched = (state: number | undefined): boolean =>
  state === ChunkState.cached || state === ChunkState.free || state === ChunkState.victim;

const isUsed = (state: number | undefined): boolean =>
  state === ChunkState.inUse || state === ChunkState.poolBlock || state === ChunkState.cached;

/** B, P and C as the header word holds them: bits 2, 1 and 0. */
function flagsOf(chunks: ChunkMarks, index: number): number {
  const state = chunks.state[index];
  const before = chunks.state[index - 1];
  const touching = (chunks.address[index - 1] ?? 0) + (chunks.size[index - 1] ?? 0) === chunks.address[index];
  const beforeInUse = !touching || isUsed(before);
  const previous = beforeInUse ? 2 : 0;
  if (state === ChunkState.cached && chunks.slab?.[index] !== kSlabTable) return 4 | previous;
  return (state === ChunkState.poolBlock ? 4 : 0) | previous | (isUsed(state) ? 1 : 0);
}

function headerTexts(size: number, flags: number): readonly string[] {
  const hex = `0x${size.toString(16)}`;
  const [b, p, c] = [(flags >> 2) & 1, (flags >> 1) & 1, flags & 1];
  return [`size ${hex} B${b} P${p} C${c}`, `${hex} B${b}P${p}C${c}`, `${hex} ${b}${p}${c}`, hex];
}

function drawWordField(context: CanvasRenderingContext2D, view: MapView, at: number, size: number, theme: Theme): void {
  const { layout, transform } = view;
  eachRowPart(layout, transform, at, at + size, (x, y, width) => {
    context.fillStyle = theme.css.free;
    context.fillRect(x, y, width, layout.rowHeight);
    context.fillStyle = theme.css.hatch;
    context.fillRect(Math.round(x), y, 1, layout.rowHeight);
    context.fillRect(Math.round(x + width) - 1, y, 1, layout.rowHeight);
  });
}

function drawBits(
  context: CanvasRenderingContext2D,
  view: MapView,
  at: number,
  wordSize: number,
  word: number,
  theme: Theme,
): void {
  const { layout, transform } = view;
  eachRowPart(layout, transform, at, at + wordSize, (x, y, width) => {
    const bits = wordSize * 8;
    if (width < kBitsWord) return; // the word wraps: its parts would mislead
    const step = width / bits;
    for (let bit = 0; bit < bits; bit++) {
      // The highest bit at the left, as in a bit ruler.
      const set = Math.floor(word / 2 ** (bits - 1 - bit)) % 2 === 1;
      context.fillStyle = set ? theme.css.header : theme.css.control;
      context.fillRect(x + bit * step + 0.5, y + layout.rowHeight - (set ? 5 : 3), step - 1, set ? 4 : 2);
    }
  });
}

/** Bytes as hex digits, where these are legible: of each run of them, in place of its chunk's label. */
export function drawBytes(
  context: CanvasRenderingContext2D,
  runs: readonly MapBytes[],
  view: MapView,
  theme: Theme,
): void {
  const width = pixelsPerByte(view);
  if (width < kLegibleByte) return;
  for (const bytes of runs) drawRun(context, bytes, width, view, theme);
}

function drawRun(context: CanvasRenderingContext2D, bytes: MapBytes, width: number, view: MapView, theme: Theme): void {
  const { layout, transform } = view;
  const { from, values } = bytes;
  if (bytes.ground !== undefined) {
    context.fillStyle = bytes.ground;
    eachRowPart(layout, transform, from, from + values.length, (x, y, part) =>
      context.fillRect(x, y + 1, part, layout.rowHeight - 2),
    );
  }
  context.font = `${width < 20 ? 10 : layout.text}px ${theme.mono}`;
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  context.fillStyle = bytes.colour;
  values.forEach((value, index) => {
    const text = value.toString(16).padStart(2, '0');
    eachRowPart(layout, transform, from + index, from + index + 1, (x, y, part) => {
      if (part > width * 0.75) context.fillText(text, x + part / 2, y + layout.rowHeight / 2 + 0.5);
    });
  });
  context.textAlign = 'left';
}
