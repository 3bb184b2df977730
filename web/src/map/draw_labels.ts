// Words inside chunks that are wide enough: sizes, the top, the victim, pools. Each chunk is labelled once, in the
// first of its row parts that has room. Text is what a canvas draws slowest, so there is a limit to it.

import { formatBytes } from '../base/format.ts';
import { kFullSteps, type Theme } from '../dom/palette.ts';
import {
  type ChunkMarks,
  ChunkState,
  hasNoHeader,
  kLegibleByte,
  kOwnWords,
  kSlabRest,
  kSlabTable,
  type MapFrame,
} from '../protocol/map_frames.ts';
import { kTextWord, linkWords } from './draw_words.ts';
import { groupColours } from './group_colours.ts';
import { eachRowPart, rowStart, rowsOf, visibleRows } from './map_geometry.ts';
import { anyWithin, firstEndingAfter, rangeAt } from './map_marks.ts';
import { headerWidth, type MapView, pixelsPerByte } from './map_view.ts';
import { type BlockNames, nameOfBlock } from './pool_names.ts';

const kMostLabels = 260;
const kPadding = 6;

export function drawLabels(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  view: MapView,
  theme: Theme,
  names: BlockNames,
): void {
  const { layout, transform } = view;
  context.font = `${layout.text}px ${theme.mono}`;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  const letter = context.measureText('0').width;
  const { chunks } = frame;
  if (chunks === undefined) return;
  const least = (3 * letter + 2 * kPadding) / pixelsPerByte(view); // bytes that have room for the shortest label
  const end = rowStart(layout, transform, visibleRows(layout));
  let drawn = 0;
  let unseen = unseenText(frame, view);
  for (let index = firstEndingAfter(chunks, transform.origin); index < chunks.count && drawn < kMostLabels; index++) {
    const address = chunks.address[index] ?? 0;
    if (address >= end) break;
    if ((chunks.size[index] ?? 0) < least) continue;
    const shown = drawLabel(context, frame, chunks, index, view, letter, theme, names, unseen);
    if (shown === undefined) continue;
    drawn++;
    if (unseen !== '' && shown.endsWith(unseen)) unseen = ''; // once: it is so of every block
  }
  drawNodeLabels(context, frame, view, letter, theme);
  drawSegmentLabels(context, frame, chunks, view, letter, theme);
}

/** A heap's state lies at the begin of its first segment; other segments begin with a few words only. */
const kStateBytes = 256;

function drawSegmentLabels(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  chunks: ChunkMarks,
  view: MapView,
  letter: number,
  theme: Theme,
): void {
  const { layout, transform } = view;
  context.fillStyle = theme.css.dim;
  for (const { base, size, heap } of frame.segments) {
    const first = chunks.address[firstEndingAfter(chunks, base)];
    if (first === undefined || first <= base || first >= base + size) continue;
    const text =
      frame.wordSize === 0
        ? 'no block was recorded here'
        : first - base < kStateBytes
          ? 'segment'
          : `state of heap #${heap}`;
    let done = false;
    eachRowPart(layout, transform, base, first, (x, y, space) => {
      if (done || space < text.length * letter + 2 * kPadding) return;
      done = true;
      context.fillText(text, x + kPadding, y + layout.rowHeight / 2 + 0.5);
    });
  }
}

function drawLabel(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  chunks: ChunkMarks,
  index: number,
  view: MapView,
  letter: number,
  theme: Theme,
  names: BlockNames,
  unseen: string,
): string | undefined {
  const { layout, transform } = view;
  const address = chunks.address[index] ?? 0;
  const size = chunks.size[index] ?? 0;
  const state = chunks.state[index] ?? 0;
  const from = labelStart(frame, view, address, state, chunks.slab?.[index]);
  const to = state === ChunkState.poolBlock ? poolLabelEnd(frame, address, size) : address + size;
  const text = kSlabWords[chunks.slab?.[index] ?? 0] ?? textOf(frame, state, address, size, names);
  const group = frame.groups?.group[index] ?? 0;
  const name = frame.groups?.by === 'size' ? undefined : frame.groups?.names[group - 1];
  const labels = frame.groups === undefined ? undefined : groupColours(theme, frame.groups.by).labels;
  const longer = name === undefined ? text : `${text} · ${name}`; // group.1
  const longest = state === ChunkState.inUse ? `${longer}${unseen}` : longer;
  const rows = rowsOf(layout, transform);
  let done: string | undefined;
  eachRowPart(layout, transform, from, to, (x, y, space, row) => {
    const shown = [longest, longer].find((words) => space >= words.length * letter + 2 * kPadding) ?? text;
    const width = shown.length * letter;
    if (done !== undefined || space < width + 2 * kPadding || rows.foldAt(row) !== undefined) return;
    done = shown;
    const middle = y + layout.rowHeight / 2 + 0.5;
    const hatched = state === ChunkState.free || state === ChunkState.victim || state === ChunkState.cached;
    if (hatched) {
      context.fillStyle = state === ChunkState.cached ? theme.css.cached : theme.css.free;
      context.fillRect(x + kPadding - 3, y + 4, width + 6, layout.rowHeight - 8);
    }
    context.fillStyle =
      state === ChunkState.inUse
        ? (labels?.[group] ?? theme.ageLabels[(chunks.age[index] ?? 0) >> 3] ?? theme.css.onInUse)
        : state === ChunkState.poolBlock
          ? poolLabelColour(frame, address, theme)
          : state === ChunkState.cached
            ? theme.css.text
            : theme.css.dim;
    context.fillText(shown, x + kPadding, middle);
  });
  return done;
}

/** Where bytes would be legible and are not known: who came so near looks for them. */
const unseenText = (frame: MapFrame, view: MapView): string =>
  frame.bytes === undefined && pixelsPerByte(view) >= kLegibleByte ? ' · what is in blocks was not recorded' : '';

/** Behind the header word, and behind the links of a cached chunk where these are written out (draw_words.ts). */
function labelStart(frame: MapFrame, view: MapView, address: number, state: number, slab: number | undefined): number {
  const header = headerWidth(view, frame.wordSize);
  if (header < 1) return address;
  if (hasNoHeader(slab) || slab === kOwnWords) return address;
  const words = header >= kTextWord && slab !== kSlabTable ? 1 + linkWords(state) : 1;
  return address + words * frame.wordSize;
}

/** A pool block's label needs the room before its first node; without nodes in view it has the whole block. */
function poolLabelEnd(frame: MapFrame, address: number, size: number): number {
  const { nodes } = frame;
  const first = nodes.address[firstEndingAfter(nodes, address)];
  return first === undefined ? address + size : Math.min(first, address + size);
}

/** A block without nodes in view is filled as far as it is full: draw_nodes.ts. */
function poolLabelColour(frame: MapFrame, address: number, theme: Theme): string {
  const block = rangeAt(frame.blocks, address + frame.wordSize);
  if (block === undefined) return theme.css.text;
  const start = frame.blocks.address[block] ?? 0;
  if (anyWithin(frame.nodes, start, start + (frame.blocks.size[block] ?? 0))) return theme.css.text;
  const free = (frame.blocks.freeNodes[block] ?? 0) / Math.max(frame.blocks.nodes[block] ?? 1, 1);
  return theme.blockLabels[Math.round((1 - free) * kFullSteps)] ?? theme.css.text;
}

/** What of a slab is nobody's block. */
const kSlabWords: Readonly<Record<number, string>> = {
  [kOwnWords]: 'slab',
  [kSlabRest]: 'rest',
  [kSlabTable]: 'where slabs lie',
};

function textOf(frame: MapFrame, state: number, address: number, size: number, names: BlockNames): string {
  if (state === ChunkState.top) return `top ${formatBytes(size)}`;
  if (state === ChunkState.victim) return `victim ${formatBytes(size)}`;
  if (state !== ChunkState.poolBlock) return formatBytes(size);
  const block = rangeAt(frame.blocks, address + frame.wordSize);
  return block === undefined ? `pool ${formatBytes(size)}` : nameOfBlock(names, frame.blocks.pool[block] ?? 0);
}

/** Nodes wide enough say that they are free, or how large they are. */
function drawNodeLabels(
  context: CanvasRenderingContext2D,
  frame: MapFrame,
  view: MapView,
  letter: number,
  theme: Theme,
): void {
  const { layout, transform } = view;
  const { nodes } = frame;
  const least = (4 * letter + kPadding) / pixelsPerByte(view);
  const end = rowStart(layout, transform, visibleRows(layout));
  let drawn = 0;
  for (let index = firstEndingAfter(nodes, transform.origin); index < nodes.count && drawn < kMostLabels; index++) {
    const address = nodes.address[index] ?? 0;
    const size = nodes.size[index] ?? 0;
    if (address >= end) break;
    if (size < least) continue;
    const state = nodes.state[index];
    const text = state === 0 ? 'free' : formatBytes(size);
    let done = false;
    eachRowPart(layout, transform, address, address + size, (x, y, space) => {
      if (done || space < text.length * letter + kPadding) return;
      done = true;
      context.fillStyle = state === 0 ? theme.css.dim : state === 2 ? theme.css.poolGround : theme.css.onNode;
      context.fillText(text, x + kPadding / 2 + 1, y + layout.rowHeight / 2 + 0.5);
    });
    if (done) drawn++;
  }
}
