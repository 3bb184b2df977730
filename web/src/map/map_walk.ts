// Where a key leads from the selected chunk or node: pure, over the marks of a frame.
//
//   A node's neighbours are nodes, as long as its block has one on that side; then the walk goes on with chunks. From a
//   pool's chunk it goes to the next chunk, not into the nodes: Enter does that (inside).

import type { MapFrame } from '../protocol/map_frames.ts';
import { type Found, findAt, firstEndingAfter, rangeAt } from './map_marks.ts';

/** What is selected when `address` is: the node that begins there or holds it, else the chunk. */
export function rangeOf(
  frame: MapFrame,
  address: number,
): { readonly address: number; readonly size: number } | undefined {
  const found = findAt(frame, address);
  return selectable(found, address);
}

/** A click on a chunk's header or a block's own words selects the chunk, on a node the node. */
export function selectable(
  found: Found,
  address: number,
): { readonly address: number; readonly size: number } | undefined {
  const { node, chunk } = found;
  if (node !== undefined && address >= node.address) return { address: node.address, size: node.size };
  return chunk === undefined ? undefined : { address: chunk.address, size: chunk.size };
}

/** The address to select one step to the left or right; undefined at an end, or when the frame has no chunks. */
export function neighbour(frame: MapFrame, selected: number, by: -1 | 1): number | undefined {
  const { chunks, nodes } = frame;
  const node = rangeAt(nodes, selected);
  const chunk = chunks === undefined ? undefined : rangeAt(chunks, selected);
  if (node !== undefined) {
    const next = nodes.address[node + by];
    if (next !== undefined && chunk !== undefined && sameChunk(frame, chunk, next)) return next;
    if (by < 0 && chunk !== undefined) return chunks?.address[chunk]; // before the first node: its own chunk
  }
  if (chunks === undefined) return undefined;
  return chunk === undefined ? chunks.address[firstEndingAfter(chunks, selected)] : chunks.address[chunk + by];
}

function sameChunk(frame: MapFrame, chunk: number, address: number): boolean {
  const start = frame.chunks?.address[chunk] ?? 0;
  return address >= start && address < start + (frame.chunks?.size[chunk] ?? 0);
}

/** The chunk nearest to an address: the one that holds it, else the next, else the last. */
export function nearest(frame: MapFrame, address: number): number | undefined {
  const { chunks } = frame;
  if (chunks === undefined || chunks.count === 0) return undefined;
  return chunks.address[Math.min(firstEndingAfter(chunks, address), chunks.count - 1)];
}

/** The first node inside the selected chunk; undefined when none is in the frame. */
export function inside(frame: MapFrame, selected: number): number | undefined {
  const { chunks, nodes } = frame;
  const chunk = chunks === undefined ? undefined : rangeAt(chunks, selected);
  if (chunk === undefined) return undefined;
  const first = nodes.address[firstEndingAfter(nodes, selected)];
  return first !== undefined && sameChunk(frame, chunk, first) ? first : undefined;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The bytes that the heap's segments span; undefined while there are none. */
export function heapSpan(frame: MapFrame): Span | undefined {
  let from = Infinity;
  let to = 0;
  for (const { base, size } of frame.segments) {
    from = Math.min(from, base);
    to = Math.max(to, base + size);
  }
  return to > from ? { from, to } : undefined;
}

/** Of the free tail at the heap's end as much is worth showing as an eighth of what lies before it, and at least this. */
const kTailShare = 0.125;
const kTailBytes = 1024;

/**
 * The part of the heap worth showing: from its first chunk on, with its free tail when that is folded, else with a little of
 * it, which may be far larger than the rest. It follows from the segments alone: what follows from the chunks in view would move the view, which would
 * change it again.
 */
export function usedSpan(frame: MapFrame, folded = false): Span | undefined {
  const all = heapSpan(frame);
  if (all === undefined) return undefined;
  let from = Infinity;
  let tail = 0;
  for (const segment of frame.segments) {
    from = Math.min(from, segment.firstChunk);
    if (segment.base + segment.size === all.to) tail = segment.tail;
  }
  if (folded) return { from, to: all.to };
  return { from, to: Math.min(tail + Math.max((tail - from) * kTailShare, kTailBytes), all.to) };
}
