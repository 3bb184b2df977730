// The map of a viewport: single chunks while they can be told apart, cells of shares beyond; blocks and nodes inside.

import { addr, bytes } from '../../base/brand.ts';
import { GrowingUint32 } from '../../base/growing.ts';
import {
  type BlockMarks,
  type CellMarks,
  type ChunkMarks,
  ChunkState,
  hasNoHeader,
  kOwnWords,
  kSlabBlock,
  kSlabRest,
  kSlabTable,
  type MapFrame,
  type MapViewport,
  type NodeMarks,
  NodeState,
} from '../../protocol/map_frames.ts';
import { bandsOf, endOfViewport } from '../../protocol/viewport.ts';
import type { Trace } from '../../trace/trace.ts';
import { ageOf, chunkAfter, chunkStateOf, countStarts, firstChunkBehind, tailOf } from '../state/chunk_at.ts';
import type { HeapState } from '../state/heap_state.ts';
import { forEachNode } from '../state/nodes.ts';
import type { PageSummary } from '../state/page_summary.ts';
import { isHeadless, isSlabPart, ownBytes, slabListOf } from '../state/slabs.ts';
import { countFreeNodes } from '../state/walk.ts';
import { queryCells } from './query_cells.ts';
import { queryEmpty } from './query_empty.ts';

const kMostChunks = 20_000;
const kMostNodes = 60_000;
const kLeastNodePixels = 1.5;

export interface MapFacts {
  readonly memoryBytes: number;
  /** The node that the operation at this moment took or returned. */
  readonly touchedNode: number | undefined;
  /** Of the state: says which chunks an operation has in its hands. */
  readonly trace?: Trace;
}

export function queryMap(state: HeapState, pages: PageSummary, viewport: MapViewport, facts: MapFacts): MapFrame {
  const from = viewport.origin;
  const to = Math.min(endOfViewport(viewport), 2 ** 32);
  const dense = countStarts(state, from, to) > kMostChunks;
  const chunks = dense ? undefined : queryChunks(state, from, to);
  const inside = chunks === undefined ? noBlocks() : queryBlocks(state, chunks, viewport, to, facts.touchedNode);
  return {
    viewport,
    memoryBytes: bytes(facts.memoryBytes),
    wordSize: state.wordSize,
    segments: state.segments.map((segment) => ({
      base: addr(segment.base),
      size: bytes(segment.size),
      heap: segment.heap,
      firstChunk: addr(segment.firstChunk),
      tail: addr(tailOf(state, segment)),
    })),
    empty: queryEmpty(state, facts.memoryBytes, facts.trace),
    chunks,
    cells: dense ? cellsOf(state, pages, viewport) : undefined,
    ...inside,
  };
}

/** Band by band: what the viewport leaves out has no cells. */
function cellsOf(state: HeapState, pages: PageSummary, viewport: MapViewport): CellMarks {
  const parts = bandsOf(viewport).map(({ origin, rows }) =>
    queryCells(state, pages, { ...viewport, origin: addr(origin), rows }),
  );
  const [first] = parts;
  if (first === undefined || parts.length === 1) return first ?? queryCells(state, pages, viewport);
  const joined = (of: (cells: CellMarks) => Uint8Array): Uint8Array => {
    const all = new Uint8Array(viewport.rows * first.cellsPerRow);
    let at = 0;
    for (const part of parts) {
      all.set(of(part), at);
      at += of(part).length;
    }
    return all;
  };
  return {
    cellsPerRow: first.cellsPerRow,
    inUse: joined((cells) => cells.inUse),
    cached: joined((cells) => cells.cached),
    pool: joined((cells) => cells.pool),
    free: joined((cells) => cells.free),
    top: joined((cells) => cells.top),
    age: joined((cells) => cells.age),
  };
}

function queryChunks(state: HeapState, from: number, to: number): ChunkMarks {
  const address = new GrowingUint32();
  const heaps = new GrowingUint32();
  for (const segment of state.segments) {
    const stop = Math.min(segment.base + segment.size - state.wordSize, to);
    let at = firstChunkBehind(state, segment, from, stop);
    while (at < stop) {
      address.push(at);
      heaps.push(segment.heap);
      at = chunkAfter(state, at, stop);
    }
  }
  const count = address.count;
  const marks = {
    count,
    address: address.slice(),
    size: new Uint32Array(count),
    state: new Uint8Array(count),
    age: new Uint8Array(count),
    heap: Uint8Array.from(heaps.slice()),
  };
  for (let i = 0; i < count; ++i) {
    const granule = state.granuleAt(marks.address[i] as number);
    marks.size[i] = state.bytesOf(granule);
    marks.state[i] = chunkStateOf(state, granule);
    marks.age[i] = ageOf(state.seq, state.born[granule] ?? 0);
  }
  const slab = slabMarks(state, marks.address);
  return slab === undefined ? marks : { ...marks, slab };
}

function slabMarks(state: HeapState, addresses: Uint32Array): Uint8Array | undefined {
  let marks: Uint8Array | undefined;
  addresses.forEach((address, i) => {
    const granule = state.granuleAt(address);
    if (!isSlabPart(state, granule)) return;
    marks ??= new Uint8Array(addresses.length);
    if (slabListOf(state, granule) !== undefined) marks[i] = kSlabBlock;
    else if (isHeadless(state, granule)) marks[i] = kSlabRest;
    else marks[i] = state.sizeOf(granule) > ownBytes(state) ? kSlabTable : kOwnWords;
  });
  return marks;
}

/** Blocks of slabs where they lie: behind the word that their address names (slabs.ts, B4). For whoever looks at the frame, not at the state. */
export function placeBlocks(map: MapFrame, state: HeapState): MapFrame {
  const { chunks } = map;
  const slab = chunks?.slab;
  if (chunks === undefined || slab === undefined) return map;
  const word = state.wordSize;
  const begins = (i: number) => (hasNoHeader(slab[i]) ? word : 0);
  const last = chunks.count - 1;
  const behind = (chunks.address[last] ?? 0) + (chunks.size[last] ?? 0);
  const endsInSlab = last >= 0 && slab[last] !== 0 && isHeadlessAt(state, behind);
  const ends = (i: number) => (i < last ? begins(i + 1) : endsInSlab ? word : 0);
  return {
    ...map,
    chunks: {
      ...chunks,
      address: chunks.address.map((address, i) => address + begins(i)),
      size: chunks.size.map((size, i) => size - begins(i) + ends(i)),
    },
  };
}

function isHeadlessAt(state: HeapState, address: number): boolean {
  const granule = state.granuleAt(address);
  return (state.chunks[granule] ?? 0) !== 0 && state.addressOf(granule) === address && isHeadless(state, granule);
}

function queryBlocks(
  state: HeapState,
  chunks: ChunkMarks,
  viewport: MapViewport,
  to: number,
  touchedNode: number | undefined,
): { readonly blocks: BlockMarks; readonly nodes: NodeMarks } {
  const places = new GrowingUint32();
  for (let i = 0; i < chunks.count; ++i) {
    if (chunks.state[i] === ChunkState.poolBlock) places.push((chunks.address[i] as number) + state.wordSize);
  }
  const count = places.count;
  const blocks = {
    count,
    address: places.slice(),
    size: new Uint32Array(count),
    pool: new Uint16Array(count),
    freeNodes: new Uint32Array(count),
    nodes: new Uint32Array(count),
    subBlockBytes: new Uint32Array(count),
  };
  const nodes = new NodeList();
  const bytesPerPixel = viewport.bytesPerRow / viewport.columns;
  for (let i = 0; i < count; ++i) {
    const block = blocks.address[i] as number;
    const pool = state.pool(state.tag[state.granuleAt(block - state.wordSize)] ?? 0);
    blocks.size[i] = pool.blockBytes;
    blocks.pool[i] = pool.id;
    blocks.freeNodes[i] = countFreeNodes(state, pool, block);
    blocks.nodes[i] = pool.nodesPerBlock;
    blocks.subBlockBytes[i] = pool.subBlockBytes;
    if (pool.nodeSize < kLeastNodePixels * bytesPerPixel || nodes.address.count > kMostNodes) continue;
    const visitNode = (node: number) => {
      const inUse = state.nodeInUse(node) ? NodeState.inUse : NodeState.free;
      nodes.add(node, pool.nodeSize, node === touchedNode ? NodeState.lastTouched : inUse);
    };
    forEachNode(pool, block, viewport.origin, to, visitNode, (subBlock) => nodes.subBlocks.push(subBlock));
  }
  return { blocks, nodes: nodes.marks() };
}

const noBlocks = () => ({
  blocks: {
    count: 0,
    address: new Uint32Array(0),
    size: new Uint32Array(0),
    pool: new Uint16Array(0),
    freeNodes: new Uint32Array(0),
    nodes: new Uint32Array(0),
    subBlockBytes: new Uint32Array(0),
  },
  nodes: new NodeList().marks(),
});

class NodeList {
  readonly address = new GrowingUint32();
  readonly size = new GrowingUint32();
  readonly state = new GrowingUint32();
  readonly subBlocks = new GrowingUint32();

  add(address: number, size: number, state: NodeState): void {
    this.address.push(address);
    this.size.push(size);
    this.state.push(state);
  }

  marks(): NodeMarks {
    return {
      count: this.address.count,
      address: this.address.slice(),
      size: this.size.slice(),
      state: Uint8Array.from(this.state.slice()),
      subBlocks: this.subBlocks.slice(),
    };
  }
}
