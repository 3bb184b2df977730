// The exact inverse of apply.ts: after undoEvent the state is the one before the event, births included.
//
//   U1  Undoing event i needs the event, the state behind it, and lost[i] (A2). It searches nothing.
//   U2  A state that came from a walk cannot be undone: what was before is known only to the keyframes before that
//       barrier (time_travel.ts). events_lost itself changes nothing but `awaiting`.

import { assertThat, assertUnreachable } from '../../base/assert.ts';
import type { LostColumn } from '../../base/growing.ts';
import { EventKind, kWalkEvent } from '../../protocol/event_layout.ts';
import { detailOf, heapOf, kindOf } from '../../trace/trace.ts';
import { kRightWasYounger, movesOn } from './apply.ts';
import { kListWasUnknown, kUnknownList, markCached, moveCached, unmarkCached } from './cached_chunks.ts';
import {
  addSegment,
  countTaken,
  insertInBin,
  insertInTree,
  markBlock,
  moveTop,
  moveVictim,
  removeFromBin,
  removeFromTree,
  removeSegment,
  resizeSegmentDown,
  resizeSegmentUp,
  unmarkBlock,
} from './changes.ts';
import { type HeapEntry, reviveHeap, revivePool } from './entries.ts';
import { allocateBlockBack, freeBlockBack } from './foreign_blocks.ts';
import { type HeapState, kFirstWordSize, kHoldsBlock, kInUse, kSliverBytes } from './heap_state.ts';
import { changeThreadBack, moveBatch, moveNode } from './thread_caches.ts';

/** Takes back the last applied event, given as its words. pre: it is event state.seq - 1 */
export function undoEvent(state: HeapState, lost: LostColumn, head: number, a: number, b: number, c: number): void {
  const kind = kindOf(head);
  const seq = state.seq - 1;
  if (kind >= kWalkEvent || ((state.awaiting || state.inSnapshot) && !movesOn(kind))) {
    state.seq = seq;
    return;
  }
  switch (kind) {
    case EventKind.heapCreated: {
      const heap = state.heaps.pop();
      assertThat(heap !== undefined && heap.id === heapOf(head), 'heaps are a stack');
      state.heapById[heap.id] = heap.before;
      if (state.heaps.length === 0) state.wordSize = kFirstWordSize;
      break;
    }
    case EventKind.heapDestroyed: {
      const heap = state.heapById[heapOf(head)];
      assertThat(heap !== undefined && !heap.living, 'only an ended heap revives');
      state.heapById[heap.id] = reviveHeap(state.heaps, heap);
      break;
    }
    case EventKind.segmentAdded:
      removeSegment(state, heapOf(head), a, b, c);
      break;
    case EventKind.segmentExtended:
      resizeSegmentDown(state, heapOf(head), a, c, b);
      break;
    case EventKind.segmentTrimmed:
      resizeSegmentUp(state, heapOf(head), a, c, b, lost.at(seq));
      break;
    case EventKind.segmentRemoved:
      addSegment(state, heapOf(head), a, b, c, lost.at(seq));
      break;
    case EventKind.chunkSplit: {
      const granule = state.granuleOf(a);
      const flags = (state.chunks[granule] ?? 0) & (kInUse | kHoldsBlock);
      if (state.sliver !== 0) state.sliver = 0;
      else state.removeStart(state.freeGranuleOf(a + b, c));
      state.setChunk(granule, b + c, flags);
      if (flags !== 0) countTaken(state, state.heap(heapOf(head)), c);
      break;
    }
    case EventKind.chunksMerged:
      undoMerge(state, state.heap(heapOf(head)), detailOf(head), a, b, c, lost.at(seq));
      break;
    case EventKind.chunkTaken: {
      const granule = state.granuleOf(a);
      const heap = state.heap(heapOf(head));
      state.setChunk(granule, b, 0);
      countTaken(state, heap, -b);
      heap.chunksInUse -= 1;
      state.born[granule] = lost.at(seq);
      break;
    }
    case EventKind.chunkReleased: {
      const granule = state.granuleOf(a);
      const heap = state.heap(heapOf(head));
      state.setChunk(granule, b, kInUse);
      countTaken(state, heap, b);
      heap.chunksInUse += 1;
      state.born[granule] = lost.at(seq);
      break;
    }
    case EventKind.burstCarved: {
      state.burstChunks -= c;
      for (let i = 1; i < c; ++i) state.removeStart(state.granuleOf(a + i * b));
      const granule = state.granuleOf(a);
      const heap = state.heap(heapOf(head));
      state.setChunk(granule, b * c, 0);
      countTaken(state, heap, -b * c);
      heap.chunksInUse -= c;
      state.born[granule] = lost.at(seq);
      break;
    }
    case EventKind.blockAllocated:
      allocateBlockBack(state, state.heap(heapOf(head)), lost, seq, a);
      break;
    case EventKind.blockFreed:
      freeBlockBack(state, state.heap(heapOf(head)), lost, seq, a);
      break;
    case EventKind.binInserted:
      removeFromBin(state, state.heap(heapOf(head)), detailOf(head), a, b, c);
      break;
    case EventKind.binRemoved:
      insertInBin(state, state.heap(heapOf(head)), detailOf(head), a, b, c);
      break;
    case EventKind.topChanged:
      moveTop(state, state.heap(heapOf(head)), b, a);
      break;
    case EventKind.victimChanged:
      moveVictim(state, state.heap(heapOf(head)), b, a);
      break;
    case EventKind.poolCreated: {
      const pool = state.pools.pop();
      assertThat(pool !== undefined && pool.id === detailOf(head), 'pools are a stack');
      if (pool.before === undefined) state.poolById.delete(pool.id);
      else state.poolById.set(pool.id, pool.before);
      break;
    }
    case EventKind.poolShaped:
      Object.assign(state.pool(detailOf(head)), { subBlockBytes: 0, subBlocks: 0, shape: 0, maxFreeBlocks: 0 });
      break;
    case EventKind.poolRuled:
      Object.assign(state.pool(detailOf(head)), { firstNode: 0, laterNode: 0, blockBytes: 0 });
      break;
    case EventKind.poolDestroyed: {
      const pool = state.poolById.get(detailOf(head));
      assertThat(pool !== undefined && !pool.living, 'only an ended pool revives');
      state.poolById.set(pool.id, revivePool(state.pools, pool));
      break;
    }
    case EventKind.blockMade:
      unmarkBlock(state, state.pool(detailOf(head)), a);
      break;
    case EventKind.blockRetired:
      markBlock(state, state.pool(detailOf(head)), a);
      break;
    case EventKind.blockInserted:
      removeFromTree(state, state.pool(detailOf(head)), a, b);
      break;
    case EventKind.blockRemoved:
      insertInTree(state, state.pool(detailOf(head)), a, b);
      break;
    case EventKind.blockMoved: {
      const pool = state.pool(detailOf(head));
      removeFromTree(state, pool, a, c);
      insertInTree(state, pool, a, b);
      break;
    }
    case EventKind.nodeTaken:
      moveNode(state, state.pool(detailOf(head)), a, false);
      break;
    case EventKind.nodeReturned:
      moveNode(state, state.pool(detailOf(head)), a, true);
      break;
    case EventKind.batchFetched:
      moveBatch(state, state.pool(detailOf(head)), c, -b);
      break;
    case EventKind.batchStored:
      moveBatch(state, state.pool(detailOf(head)), c, b);
      break;
    case EventKind.threadChanged:
      changeThreadBack(state, lost.at(seq));
      break;
    case EventKind.chunkCached: {
      const granule = state.granuleOf(a);
      unmarkCached(state, state.heap(heapOf(head)), granule);
      state.born[granule] = lost.at(seq);
      break;
    }
    case EventKind.chunkReused: {
      const granule = state.granuleOf(a);
      const told = lost.at(seq);
      markCached(state, state.heap(heapOf(head)), granule, listBefore(told, detailOf(head)), state.acting);
      state.born[granule] = (told & ~kListWasUnknown) >>> 0;
      break;
    }
    case EventKind.cachedMoved:
      moveCached(state, state.heap(heapOf(head)), detailOf(head), a, c, b);
      break;
    case EventKind.cachedEnded:
      markCached(state, state.heap(heapOf(head)), state.granuleOf(a), listBefore(lost.at(seq), detailOf(head)), c);
      break;
    case EventKind.eventsLost:
    case EventKind.snapshotBegun:
    case EventKind.snapshotEnded:
      state.awaiting = (lost.at(seq) & 1) !== 0;
      state.inSnapshot = (lost.at(seq) & 2) !== 0;
      break;
    case EventKind.memoryGrown:
    case EventKind.opBegun:
    case EventKind.opEnded:
    case EventKind.binSearched:
    case EventKind.commandTried:
    case EventKind.mark:
    case EventKind.checkpoint:
    case EventKind.text:
    case EventKind.stringDefined:
    case EventKind.siteDefined:
    case EventKind.siteEntered:
    case EventKind.snapshotHeap:
      break;
    default:
      assertUnreachable(kind);
  }
  state.seq = seq;
}

const listBefore = (lost: number, list: number): number => ((lost & kListWasUnknown) !== 0 ? kUnknownList : list);

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
