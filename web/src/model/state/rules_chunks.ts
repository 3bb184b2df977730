// Where chunks begin and end, and which are in use.
//
//   A3  A chunk in use keeps its birth when it is cut or expanded, backward too. Two free parts that are joined are as young as the
//       younger of them.

import { detailOf, heapOf } from '../../trace/trace.ts';
import { kHoldsBlock, kInUse } from './chunk_table.ts';
import { contradict } from './contradiction.ts';
import type { HeapEntry } from './entries.ts';
import { type HeapState, kSliverBytes } from './heap_state.ts';
import { checkRequest, countTaken, inUseGranuleOf } from './in_use.ts';
import type { Rule } from './rule.ts';

const kRightWasYounger = 0x8000_0000; // of the lost word of two free parts joined

export const kChunkRules = {
  chunkSplit: {
    about: 'chunk',
    apply: (state, _lost, seq, head, a, b, c) => {
      const heap = state.heap(heapOf(head));
      const granule = state.granuleOf(a);
      if (state.sizeOf(granule) !== b + c) contradict(`the chunk at ${a} does not have ${b} + ${c} bytes`);
      const flags = (state.chunks[granule] ?? 0) & (kInUse | kHoldsBlock);
      if (flags === 0) state.detachedGranuleOf(a, b + c, heap);
      else if (flags === kInUse) inUseGranuleOf(state, a, b + c);
      if (b < 16 || (b & 7) !== 0) contradict(`a chunk of ${b} bytes is impossible`);
      if ((flags & kHoldsBlock) !== 0) contradict(`the chunk at ${a} holds a block`);
      if (c === kSliverBytes) state.setSliver(a + b, seq);
      else state.addStart(a + b, c, 0, seq);
      state.setChunk(granule, b, flags);
      if (flags !== 0) countTaken(state, heap, -c);
    },
    undo: (state, _lost, _seq, head, a, b, c) => {
      const granule = state.granuleOf(a);
      const flags = (state.chunks[granule] ?? 0) & (kInUse | kHoldsBlock);
      if (state.sliver !== 0) state.sliver = 0;
      else state.removeStart(state.freeGranuleOf(a + b, c));
      state.setChunk(granule, b + c, flags);
      if (flags !== 0) countTaken(state, state.heap(heapOf(head)), c);
    },
  },
  chunksMerged: {
    about: 'chunk',
    apply: (state, lost, seq, head, a, b, c) =>
      lost.set(seq, mergeChunks(state, state.heap(heapOf(head)), detailOf(head), a, b, c)),
    undo: (state, lost, seq, head, a, b, c) =>
      undoMerge(state, state.heap(heapOf(head)), detailOf(head), a, b, c, lost.at(seq)),
  },
  chunkTaken: {
    about: 'chunk',
    apply: (state, lost, seq, head, a, b, c) => {
      checkRequest(a, b, c);
      const heap = state.heap(heapOf(head));
      const granule = state.detachedGranuleOf(a, b, heap);
      state.setChunk(granule, b, kInUse);
      countTaken(state, heap, b);
      heap.chunksInUse += 1;
      lost.set(seq, state.born[granule] ?? 0);
      state.born[granule] = seq;
    },
    undo: (state, lost, seq, head, a, b) => {
      const granule = state.granuleOf(a);
      const heap = state.heap(heapOf(head));
      state.setChunk(granule, b, 0);
      countTaken(state, heap, -b);
      heap.chunksInUse -= 1;
      state.born[granule] = lost.at(seq);
    },
  },
  chunkReleased: {
    about: 'chunk',
    apply: (state, lost, seq, head, a, b) => {
      const granule = inUseGranuleOf(state, a, b);
      const heap = state.heap(heapOf(head));
      state.setChunk(granule, b, 0);
      countTaken(state, heap, -b);
      heap.chunksInUse -= 1;
      lost.set(seq, state.born[granule] ?? 0);
      state.born[granule] = seq;
    },
    undo: (state, lost, seq, head, a, b) => {
      const granule = state.granuleOf(a);
      const heap = state.heap(heapOf(head));
      state.setChunk(granule, b, kInUse);
      countTaken(state, heap, b);
      heap.chunksInUse += 1;
      state.born[granule] = lost.at(seq);
    },
  },
  burstCarved: {
    about: 'chunk',
    apply: (state, lost, seq, head, a, b, c) => {
      const heap = state.heap(heapOf(head));
      const granule = state.detachedGranuleOf(a, b * c, heap);
      if (b < 16 || (b & 7) !== 0) contradict(`chunks of ${b} bytes are impossible`);
      state.countBurst(c);
      lost.set(seq, state.born[granule] ?? 0);
      state.setChunk(granule, b, kInUse);
      state.born[granule] = seq;
      for (let i = 1; i < c; ++i) state.addStart(a + i * b, b, kInUse, seq);
      countTaken(state, heap, b * c);
      heap.chunksInUse += c;
    },
    undo: (state, lost, seq, head, a, b, c) => {
      state.burstChunks -= c;
      for (let i = 1; i < c; ++i) state.removeStart(state.granuleOf(a + i * b));
      const granule = state.granuleOf(a);
      const heap = state.heap(heapOf(head));
      state.setChunk(granule, b * c, 0);
      countTaken(state, heap, -b * c);
      heap.chunksInUse -= c;
      state.born[granule] = lost.at(seq);
    },
  },
} satisfies Record<string, Rule>;

/** detail: 0 both parts are free, 1 the left is in use, 2 the right. Returns the lost word (A2). */
function mergeChunks(state: HeapState, heap: HeapEntry, inUse: number, a: number, b: number, c: number): number {
  if (inUse > 2) contradict(`a join of kind ${inUse} is impossible`);
  if (inUse === 2 && b === kSliverBytes && a === state.sliver) return mergeSliver(state, heap, a, c);
  const left = inUse === 1 ? inUseGranuleOf(state, a, b) : state.detachedGranuleOf(a, b, heap);
  const right = inUse === 2 ? inUseGranuleOf(state, a + b, c) : state.detachedGranuleOf(a + b, c, heap);
  const leftBorn = state.born[left] ?? 0;
  const rightBorn = state.born[right] ?? 0;
  state.removeStart(right);
  state.setChunk(left, b + c, inUse === 0 ? 0 : kInUse);
  if (inUse === 1) {
    countTaken(state, heap, c);
    return rightBorn;
  }
  if (inUse === 2) {
    countTaken(state, heap, b);
    state.born[left] = rightBorn;
    return leftBorn;
  }
  if (leftBorn >= rightBorn) return rightBorn;
  state.born[left] = rightBorn;
  return (leftBorn | kRightWasYounger) >>> 0;
}

function mergeSliver(state: HeapState, heap: HeapEntry, address: number, size: number): number {
  const right = inUseGranuleOf(state, address + kSliverBytes, size);
  const born = state.born[right] ?? 0;
  state.sliver = 0;
  state.removeStart(right);
  state.addStart(address, kSliverBytes + size, kInUse, born);
  countTaken(state, heap, kSliverBytes);
  return state.sliverBorn;
}

function undoMerge(
  state: HeapState,
  heap: HeapEntry,
  inUse: number,
  a: number,
  b: number,
  c: number,
  lost: number,
): void {
  if (inUse === 2 && b === kSliverBytes) {
    undoMergeSliver(state, heap, a, c, lost);
    return;
  }
  const left = state.granuleOf(a);
  const whole = state.born[left] ?? 0;
  const swapped = inUse === 2 || (inUse === 0 && (lost & kRightWasYounger) !== 0);
  const other = inUse === 0 ? (lost & ~kRightWasYounger) >>> 0 : lost;
  state.setChunk(left, b, inUse === 1 ? kInUse : 0);
  state.addStart(a + b, c, inUse === 2 ? kInUse : 0, swapped ? whole : other);
  state.born[left] = swapped ? other : whole;
  if (inUse !== 0) countTaken(state, heap, inUse === 1 ? -c : -b);
}

function undoMergeSliver(state: HeapState, heap: HeapEntry, address: number, size: number, lost: number): void {
  const whole = state.granuleOf(address);
  const born = state.born[whole] ?? 0;
  state.removeStart(whole);
  state.setSliver(address, lost);
  state.addStart(address + kSliverBytes, size, kInUse, born);
  countTaken(state, heap, -kSliverBytes);
}
