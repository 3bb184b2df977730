// A whole state, packed: what a seek restores before it replays.
//
// Chunks lie side by side (M1), so their size words in address order say where each begins; what a chunk has beside is
// kept in the same order.
//
//   segments  | base size firstChunk heap | ...
//   chunks    | size word | size word | ...       one a chunk: flags included
//   starts    | address | address | ...           one a block of a foreign heap, whose blocks lie apart
//   born      | event     | event     | ...       one a chunk
//   tags      | bin, pool or cache list | ...     one a chunk
//   links     | next | ...                        one a chunk whose tag is not 0
//   nodes     | address bits | ...                the words of nodes that are not 0 and that a block covers, block by block
//
//   K1  restore(capture(state)) is the state: same walk, same births, same counters.
//   K2  None is taken where there is a sliver (heap_state.ts, M6); one event later it is gone.

import { GrowingUint32 } from '../../base/growing.ts';
import { forEachChunk } from './chunk_at.ts';
import { copyHeaps, copyPools, type HeapEntry, type PoolEntry, type SegmentEntry } from './entries.ts';
import {
  type HeapState,
  kChunkFlags,
  kFrameBits,
  kFrameBytes,
  kGranuleStep,
  kHoldsBlock,
  type WordSize,
} from './heap_state.ts';

const kNodeWordBytes = 128; // that a word of node bits covers

/** All of a state but its chunks and nodes. */
export interface Facts {
  readonly seq: number;
  readonly awaiting: boolean;
  readonly inSnapshot: boolean;
  readonly wordSize: WordSize;
  readonly heaps: readonly HeapEntry[];
  readonly pools: readonly PoolEntry[];
  readonly segments: readonly SegmentEntry[];
  readonly inUse: number;
  readonly cached: number;
  readonly footprint: number;
  readonly acting: number;
  readonly threads: readonly number[];
  readonly burstChunks: number;
  readonly poolNodes: number;
  readonly actingAssumed: boolean;
}

export interface WholeKeyframe extends Facts {
  readonly chunks: Uint32Array;
  readonly starts: Uint32Array;
  readonly born: Uint32Array;
  readonly tags: Uint16Array;
  readonly links: Uint32Array;
  readonly nodes: Uint32Array;
}

/** What became of chunks and nodes since another keyframe: keyframe_chain.ts. */
export interface Changes {
  readonly addresses: Uint32Array;
  readonly words: Uint32Array;
  readonly born: Uint32Array;
  readonly next: Uint32Array;
  readonly tags: Uint16Array;
  readonly nodes: Uint32Array;
}

export interface ChangedKeyframe extends Facts {
  readonly from: Keyframe;
  readonly changes: Changes;
}
export type Keyframe = WholeKeyframe | ChangedKeyframe;

const columnsOf = (frame: Keyframe): readonly (Uint32Array | Uint16Array)[] =>
  'changes' in frame
    ? Object.values<Uint32Array | Uint16Array>({ ...frame.changes })
    : [frame.chunks, frame.starts, frame.born, frame.tags, frame.links, frame.nodes];

/** Of its own, without what it shares with others. */
export const keyframeBytes = (frame: Keyframe): number =>
  columnsOf(frame).reduce((bytes, column) => bytes + column.byteLength, 0);

// Measured with two million chunks: one of a whole keyframe takes 10 ns, for they lie in order; a changed one 40 to 60, an event some 200.
const kEventsPerChunk = 0.06;
const kEventsPerChange = 0.25;

/** What restoring it takes, in events that could be applied meanwhile. */
export const restoringCost = (frame: Keyframe): number =>
  'changes' in frame
    ? frame.changes.addresses.length * kEventsPerChange + restoringCost(frame.from)
    : frame.chunks.length * kEventsPerChunk;

export function captureKeyframe(state: HeapState): WholeKeyframe {
  const chunks = new GrowingUint32();
  const starts = new GrowingUint32();
  const born = new GrowingUint32();
  const tags = new GrowingUint32();
  const links = new GrowingUint32();
  const nodes = new GrowingUint32();
  for (const segment of state.segments) {
    forEachChunk(state, segment, (at, granule) => {
      const word = state.chunks[granule] ?? 0;
      const tag = state.tag[granule] ?? 0;
      chunks.push(word);
      if (state.isForeign) starts.push(at);
      born.push(state.born[granule] ?? 0);
      tags.push(tag);
      if (tag !== 0) links.push(state.next[granule] ?? 0);
      if ((word & kHoldsBlock) !== 0) {
        captureNodes(state, at + state.wordSize, state.pool(tag).blockBytes, nodes);
      }
    });
  }
  return {
    ...captureFacts(state),
    chunks: chunks.slice(),
    starts: starts.slice(),
    born: born.slice(),
    tags: Uint16Array.from(tags.slice()),
    links: links.slice(),
    nodes: nodes.slice(),
  };
}

export function captureFacts(state: HeapState): Facts {
  return {
    seq: state.seq,
    awaiting: state.awaiting,
    inSnapshot: state.inSnapshot,
    wordSize: state.wordSize,
    heaps: copyHeaps(state.heaps),
    pools: copyPools(state.pools),
    segments: state.segments.map((segment) => ({ ...segment })),
    inUse: state.inUse,
    cached: state.cached,
    footprint: state.footprint,
    acting: state.acting,
    threads: [...state.threads],
    burstChunks: state.burstChunks,
    poolNodes: state.poolNodes,
    actingAssumed: state.actingAssumed,
  };
}

function captureNodes(state: HeapState, block: number, bytes: number, nodes: GrowingUint32): void {
  for (let at = block - (block % kNodeWordBytes); at < block + bytes; ) {
    if (state.frameIsEmpty(at)) {
      at = state.afterEmptyFrame(at);
      continue;
    }
    const bits = state.nodeWordAt(at);
    if (bits !== 0) {
      nodes.push(at);
      nodes.push(bits);
    }
    at += kNodeWordBytes;
  }
}

/** Makes `state` what it was; its arrays are used again. */
export function restoreKeyframe(state: HeapState, frame: Keyframe): void {
  state.seq = frame.seq;
  state.awaiting = frame.awaiting;
  state.inSnapshot = frame.inSnapshot;
  state.wordSize = frame.wordSize;
  state.heaps = copyHeaps(frame.heaps);
  state.pools = copyPools(frame.pools);
  state.segments = frame.segments.map((segment) => ({ ...segment }));
  state.inUse = frame.inUse;
  state.cached = frame.cached;
  state.footprint = frame.footprint;
  state.acting = frame.acting;
  state.setThreads(frame.threads);
  state.burstChunks = frame.burstChunks;
  state.poolNodes = frame.poolNodes;
  state.actingAssumed = frame.actingAssumed;
  state.sliver = 0;
  state.heapById.fill(undefined);
  for (const heap of state.heaps) state.heapById[heap.id] = heap;
  state.poolById.clear();
  for (const pool of state.pools) state.poolById.set(pool.id, pool);
  state.clearChunks();
  restoreChunks(state, frame);
}

function restoreChunks(state: HeapState, frame: Keyframe): void {
  for (const { base, size } of frame.segments) state.reserve(base + size);
  if ('changes' in frame) {
    restoreChunks(state, frame.from);
    changeChunks(state, frame.changes);
    return;
  }
  restoreWhole(state, frame);
}

/** Millions of chunks at a time, in address order: frame by frame, in local names. pre: no chunk begins anywhere, all pages are dirty */
function restoreWhole(state: HeapState, { segments, chunks, starts, born, tags, links, nodes }: WholeKeyframe): void {
  const areApart = starts.length > 0; // M9
  const granuleBits = Math.log2(state.granuleBytes);
  let to = state.words;
  let nth = 0;
  let link = 0;
  let frame = -1; // of the chunk before
  let first = 0; // granule of the frame
  let begun = 0; // chunks in the frame
  for (const segment of segments) {
    const sentinel = segment.base + segment.size - state.wordSize;
    let at = areApart ? (starts[nth] ?? sentinel) : segment.firstChunk;
    while (at < sentinel && nth < chunks.length) {
      if (at >>> kFrameBits !== frame) {
        if (begun !== 0) state.addStarts(frame * kFrameBytes, begun);
        begun = 0;
        frame = at >>> kFrameBits;
        first = state.frameFor(at);
        to = state.words;
      }
      const granule = first + ((at & (kFrameBytes - 1)) >>> granuleBits) * kGranuleStep;
      const word = chunks[nth] as number;
      const tag = tags[nth] as number;
      to[granule] = word;
      to[granule + 1] = born[nth] as number;
      to[granule + 2] = tag === 0 ? 0 : (links[link++] as number);
      to[granule + 3] = tag;
      begun += 1;
      nth += 1;
      at = areApart ? (starts[nth] ?? sentinel) : at + ((word & ~kChunkFlags) >>> 0);
    }
  }
  if (begun !== 0) state.addStarts(frame * kFrameBytes, begun);
  restoreNodes(state, nodes);
}

/** Of each granule that is named, what is there now: nothing, or a chunk in place of nothing or of another. */
function changeChunks(state: HeapState, { addresses, words, born, next, tags, nodes }: Changes): void {
  let to = state.words;
  let nth = 0;
  for (let i = 0; i < addresses.length; ++i) {
    const address = addresses[i] as number;
    const word = words[i] as number;
    if (word !== 0 && state.frameIsEmpty(address)) {
      state.frameFor(address);
      to = state.words;
    }
    const granule = state.granuleAt(address);
    const was = to[granule] as number;
    to[granule] = word;
    if (word === 0) {
      if (was !== 0) state.addStarts(address, -1);
      continue;
    }
    to[granule + 1] = born[nth] as number;
    to[granule + 2] = next[nth] as number;
    to[granule + 3] = tags[nth] as number;
    nth += 1;
    if (was === 0) state.addStarts(address, 1);
  }
  restoreNodes(state, nodes);
}

function restoreNodes(state: HeapState, nodes: Uint32Array): void {
  for (let i = 0; i < nodes.length; i += 2) state.setNodeWord(nodes[i] as number, nodes[i + 1] as number);
}
