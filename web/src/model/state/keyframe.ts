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
//       Over 300 lines: what captures a format and what restores it are read beside each other.
//   K2  None is taken where there is a sliver (heap_state.ts, M6); one event later it is gone.
//   K3  A chain of keyframes is restored region by region of kRegionBytes of addresses: the chunks of the whole one, then what each
//       later one changed in them. So what is written again and again is in the processor's cache meanwhile. Each change costs some
//       four times less than when one keyframe after the other goes through the whole heap.

import { GrowingUint32 } from '../../base/growing.ts';
import { kChunkFlags, kHoldsBlock } from './chunk_table.ts';
import { copyHeaps, copyPools, type HeapEntry, type PoolEntry, type SegmentEntry } from './entries.ts';
import { kFrameBits, kFrameBytes, kGranuleStep, type WordSize } from './frame_table.ts';
import type { HeapState } from './heap_state.ts';

const kBinBytes = 16;
const kNodeWordBytes = 128; // that a word of node bits covers
const kRegionBytes = 1 << 19; // of addresses: 512 KiB of the state's arrays

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
  /** In which its chunks begin. */
  readonly frames: number;
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

/** About as many bytes as the rest of it takes: the bins of living heaps above all. */
export const factBytes = ({ heaps, pools, threads }: Facts): number =>
  heaps.reduce((bytes, { binFirst }) => bytes + binFirst.length * kBinBytes, 0) + pools.length * 8 + threads.length * 8;

// Measured with two million chunks: one of a whole keyframe takes 8 ns and one of changes no more (K3), an event some 200.
const kEventsPerChunk = 0.05;
const kEventsPerChange = 0.05;

/** What restoring it takes, in events that could be applied meanwhile. */
export const restoringCost = (frame: Keyframe): number =>
  'changes' in frame
    ? frame.changes.addresses.length * kEventsPerChange + restoringCost(frame.from)
    : frame.chunks.length * kEventsPerChunk;

export function captureKeyframe(state: HeapState): WholeKeyframe {
  const { words, frameStep, isForeign } = state;
  const count = state.largePageStarts.reduce((sum, starts) => sum + starts, 0);
  const chunks = new Uint32Array(count);
  const starts = new Uint32Array(isForeign ? count : 0);
  const born = new Uint32Array(count);
  const tags = new Uint16Array(count);
  const links = new GrowingUint32();
  const nodes = new GrowingUint32();
  let nth = 0;
  let frames = 0;
  state.forEachFrame((frame) => {
    const first = frame * frameStep;
    const before = nth;
    for (let granule = first; granule < first + frameStep; granule += kGranuleStep) {
      const word = words[granule] as number;
      if (word === 0) continue;
      const tag = words[granule + 3] as number;
      chunks[nth] = word;
      if (isForeign) starts[nth] = state.addressOf(granule);
      born[nth] = words[granule + 1] as number;
      tags[nth] = tag;
      nth += 1;
      if (tag !== 0) links.push(words[granule + 2] as number);
      if ((word & kHoldsBlock) !== 0) {
        captureNodes(state, state.addressOf(granule) + state.wordSize, state.pool(tag).blockBytes, nodes);
      }
    }
    if (nth > before) frames += 1;
  });
  return {
    ...captureFacts(state),
    frames,
    chunks,
    starts,
    born,
    tags,
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
  state.clearChunks(); // while the word size is still that of what is cleared
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
  state.poolById.length = 0;
  for (const pool of state.pools) state.poolById[pool.id] = pool;
  restoreChunks(state, frame);
}

function restoreChunks(state: HeapState, frame: Keyframe): void {
  const changes: Changes[] = [];
  let whole = frame;
  for (; 'changes' in whole; whole = whole.from) changes.push(whole.changes);
  for (const { base, size } of [...whole.segments, ...frame.segments]) state.reserve(base + size);
  state.reserveFrames(whole.frames + 1);
  const later = changes.reverse().map((it) => new ChangesFromHere(it));
  restoreWhole(state, whole, (end) => {
    for (const it of later) it.restoreUpTo(state, end);
  });
  restoreNodes(state, whole.nodes);
  for (const { nodes } of changes) restoreNodes(state, nodes);
}

/**
 * Millions of chunks at a time, in address order: frame by frame, in local names. restoreLater: what changed later below an address.
 * pre: no chunk begins anywhere, all pages are dirty
 */
function restoreWhole(
  state: HeapState,
  { segments, chunks, starts, born, tags, links }: WholeKeyframe,
  restoreLater: (end: number) => void,
): void {
  const areApart = starts.length > 0; // M9
  const granuleBits = Math.log2(state.granuleBytes);
  const linkOf = links.length === 0 ? Uint32Array.of(0) : links;
  const lastLink = linkOf.length - 1;
  let to = state.words;
  let nth = 0;
  let link = 0;
  let frame = -1; // of the chunk before
  let first = 0; // granule of the frame
  let begun = 0; // chunks in the frame
  let regionEnd = 0;
  for (const segment of segments) {
    const sentinel = segment.base + segment.size - state.wordSize;
    let at = areApart ? (starts[nth] ?? sentinel) : segment.firstChunk;
    while (at < sentinel && nth < chunks.length) {
      if (at >>> kFrameBits !== frame) {
        if (begun !== 0) state.addStarts(frame * kFrameBytes, begun);
        begun = 0;
        if (at >= regionEnd) {
          restoreLater(at - (at % kFrameBytes));
          regionEnd = at + kRegionBytes;
        }
        frame = at >>> kFrameBits;
        first = state.frameFor(at);
        to = state.words;
      }
      const granule = first + ((at & (kFrameBytes - 1)) >>> granuleBits) * kGranuleStep;
      const word = chunks[nth] as number;
      const tag = tags[nth] as number;
      to[granule] = word;
      to[granule + 1] = born[nth] as number;
      const isLinked = (tag | -tag) >>> 31; // computed: which chunks are cannot be foreseen, and a wrong guess costs as much as all this
      to[granule + 2] = (linkOf[Math.min(link, lastLink)] as number) & -isLinked;
      link += isLinked;
      to[granule + 3] = tag;
      begun += 1;
      nth += 1;
      at = areApart ? (starts[nth] ?? sentinel) : at + ((word & ~kChunkFlags) >>> 0);
    }
  }
  if (begun !== 0) state.addStarts(frame * kFrameBytes, begun);
  restoreLater(2 ** 32);
}

/** The changes of one keyframe, restored in parts: K3. */
class ChangesFromHere {
  readonly #changes: Changes;
  #nth = 0;
  #there = 0; // of those that are chunks

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  /** Of each granule that is named below `end`, what is there now: nothing, or a chunk in place of nothing or of another. */
  restoreUpTo(state: HeapState, end: number): void {
    const { addresses, words, born, next, tags } = this.#changes;
    let to = state.words;
    let nth = this.#nth;
    let there = this.#there;
    for (; nth < addresses.length; ++nth) {
      const address = addresses[nth] as number;
      if (address >= end) break;
      const word = words[nth] as number;
      if (word !== 0 && state.frameIsEmpty(address)) {
        state.frameFor(address);
        to = state.words;
      }
      const granule = state.granuleAt(address);
      const was = to[granule] as number;
      if (word === 0) {
        if (was !== 0) state.addStarts(address, -1);
        to[granule] = 0;
        continue;
      }
      to[granule] = word;
      to[granule + 1] = born[there] as number;
      to[granule + 2] = next[there] as number;
      to[granule + 3] = tags[there] as number;
      there += 1;
      if (was === 0) state.addStarts(address, 1);
    }
    this.#nth = nth;
    this.#there = there;
  }
}

function restoreNodes(state: HeapState, nodes: Uint32Array): void {
  for (let i = 0; i < nodes.length; i += 2) state.setNodeWord(nodes[i] as number, nodes[i + 1] as number);
}
