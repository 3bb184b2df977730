// Finding marks in a frame: binary searches over its ascending arrays. A frame lists no chunk twice, so a search by
// address finds at most one.

import type { BlockMarks, ChunkMarks, MapFrame, NodeMarks } from '../protocol/map_frames.ts';

interface Ranges {
  readonly count: number;
  readonly address: Uint32Array;
  readonly size: Uint32Array;
}

/** The first of `count` ascending ranges that ends after `address`; `count` when none does. */
export function firstEndingAfter(ranges: Ranges, address: number): number {
  let low = 0;
  let high = ranges.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges.address[middle] ?? 0) + (ranges.size[middle] ?? 0) > address) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Of the ranges that lie in [from, to), also in part, the first and the one behind the last. */
export function rangesWithin(ranges: Ranges, from: number, to: number): readonly [number, number] {
  const first = firstEndingAfter(ranges, from);
  const last = firstEndingAfter(ranges, to);
  const begins = last < ranges.count && (ranges.address[last] ?? 0) < to;
  return [first, Math.max(begins ? last + 1 : last, first)];
}

/** The range that holds an address; undefined when none does. */
export function rangeAt(ranges: Ranges, address: number): number | undefined {
  const index = firstEndingAfter(ranges, address);
  const start = ranges.address[index];
  return index < ranges.count && start !== undefined && start <= address ? index : undefined;
}

/** Whether any of the ranges begins in [from, to): a block whose nodes are too narrow to be seen has none. */
export function anyWithin(ranges: Ranges, from: number, to: number): boolean {
  const address = ranges.address[firstEndingAfter(ranges, from)];
  return address !== undefined && address < to;
}

export interface ChunkMark {
  readonly index: number;
  readonly address: number;
  readonly size: number;
  readonly state: number;
  readonly age: number;
  readonly heap: number;
}

export function chunkMark(chunks: ChunkMarks, index: number): ChunkMark {
  return {
    index,
    address: chunks.address[index] ?? 0,
    size: chunks.size[index] ?? 0,
    state: chunks.state[index] ?? 0,
    age: chunks.age[index] ?? 0,
    heap: chunks.heap[index] ?? 0,
  };
}

export interface Found {
  readonly chunk: ChunkMark | undefined;
  readonly block: { readonly address: number; readonly size: number; readonly index: number } | undefined;
  readonly node: { readonly address: number; readonly size: number; readonly state: number } | undefined;
}

/** What a frame shows at an address: the chunk, and inside a pool's block the block and node. */
export function findAt(frame: MapFrame, address: number): Found {
  const at = frame.chunks === undefined ? undefined : rangeAt(frame.chunks, address);
  const chunk = frame.chunks === undefined || at === undefined ? undefined : chunkMark(frame.chunks, at);
  return { chunk, block: blockAt(frame.blocks, address), node: nodeAt(frame.nodes, address) };
}

function blockAt(blocks: BlockMarks, address: number): Found['block'] {
  const index = rangeAt(blocks, address);
  if (index === undefined) return undefined;
  return { index, address: blocks.address[index] ?? 0, size: blocks.size[index] ?? 0 };
}

function nodeAt(nodes: NodeMarks, address: number): Found['node'] {
  const index = rangeAt(nodes, address);
  if (index === undefined) return undefined;
  return { address: nodes.address[index] ?? 0, size: nodes.size[index] ?? 0, state: nodes.state[index] ?? 0 };
}
