// state = apply(state, event): what each kind of event changes, and nothing it does not say.
//
//   A1  Every event is checked against the state; one that does not fit is a Contradiction, and the fold ends before it.
//   A2  What an event overwrites and does not tell goes into the lost column, one word an event, for undo:
//         6, 7, 22, 23, 24, 26   born of the chunk that is gone, or was freed or taken
//         25                 the block's size, see foreign_blocks.ts
//         21                 born of the part that is gone; of two free parts the older, bit 31 telling that the right
//                            part was the younger (the whole is as young as its youngest part)
//         53                 who acted before, see thread_caches.ts
//         54                 born of the chunk
//         55                 born of the chunk, bit 31 telling that its list was not known
//         57                 bit 31 as in 55
//         62, 67, 69         bit 0: the state was awaiting, bit 1: it was in a snapshot
//   A3  A chunk in use keeps its birth when it is cut or expanded, backward too. One that malloc caches is born
//       when it was freed, one that it gave out when it was reused.
//   A5  An event is checked whole before anything of it is applied: one that does not fit leaves the state as it was.
//   A4  The events of a snapshot change nothing: what it says is taken at its end, by the history (snapshot.ts). While
//       the state is awaiting, no event does.

import type { LostColumn } from '../../base/growing.ts';
import { EventKind, kOpNames, kWalkEvent } from '../../protocol/event_layout.ts';
import { detailOf, heapOf, kindOf } from '../../trace/trace.ts';
import {
  cacheChunk,
  cachedGranuleOf,
  kListWasUnknown,
  kUnknownList,
  listOf,
  moveCached,
  unmarkCached,
} from './cached_chunks.ts';
import {
  addSegment,
  blockGranuleOf,
  checkInTree,
  countTaken,
  insertInBin,
  insertInTree,
  inUseGranuleOf,
  isBlock,
  markBlock,
  moveTop,
  moveVictim,
  removeFromBin,
  removeFromTree,
  removeSegment,
  resizeSegmentDown,
  resizeSegmentUp,
  rulePool,
  shapePool,
  unmarkBlock,
} from './changes.ts';
import { chunkContaining } from './chunk_at.ts';
import { contradict } from './contradiction.ts';
import { type HeapEntry, kNoBins, makeHeap, makePool, type PoolEntry } from './entries.ts';
import { allocateBlock, freeBlock } from './foreign_blocks.ts';
import { type HeapState, kHoldsBlock, kInUse, kSliverBytes } from './heap_state.ts';
import { nodeAt } from './nodes.ts';
import { changeThread, moveBatch, moveNode } from './thread_caches.ts';

export const kRightWasYounger = 0x8000_0000;
const kMostMemoryPages = 65_536; // of 64 KiB: 4 GiB

/** One event, given as its words. pre: seq == state.seq */
export function applyEvent(state: HeapState, lost: LostColumn, head: number, a: number, b: number, c: number): void {
  const kind = kindOf(head);
  const seq = state.seq;
  if (kind === EventKind.opBegun || kind === EventKind.opEnded) checkOperation(detailOf(head));
  if (kind >= kWalkEvent || ((state.awaiting || state.inSnapshot) && !movesOn(kind))) {
    state.seq = seq + 1;
    return;
  }
  if (state.sliver !== 0 && changesState(kind)) checkSliverJoins(state, kind, head, a, b);
  if (kind >= EventKind.chunkSplit) checkPlace(state, kind, head, a, b);
  switch (kind) {
    case EventKind.heapCreated:
      applyHeapCreated(state, heapOf(head), detailOf(head), a, b, c);
      break;
    case EventKind.heapDestroyed:
      applyHeapDestroyed(state, heapOf(head), a);
      break;
    case EventKind.segmentAdded:
      addSegment(state, heapOf(head), a, b, c, seq);
      break;
    case EventKind.segmentExtended:
      resizeSegmentUp(state, heapOf(head), a, b, c, seq);
      break;
    case EventKind.segmentTrimmed:
      lost.set(seq, resizeSegmentDown(state, heapOf(head), a, b, c));
      break;
    case EventKind.segmentRemoved:
      lost.set(seq, removeSegment(state, heapOf(head), a, b, c));
      break;
    case EventKind.chunkSplit: {
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
      break;
    }
    case EventKind.chunksMerged:
      lost.set(seq, mergeChunks(state, state.heap(heapOf(head)), detailOf(head), a, b, c));
      break;
    case EventKind.chunkTaken: {
      const heap = state.heap(heapOf(head));
      const granule = state.detachedGranuleOf(a, b, heap);
      state.setChunk(granule, b, kInUse);
      countTaken(state, heap, b);
      heap.chunksInUse += 1;
      lost.set(seq, state.born[granule] ?? 0);
      state.born[granule] = seq;
      break;
    }
    case EventKind.chunkReleased: {
      const granule = inUseGranuleOf(state, a, b);
      const heap = state.heap(heapOf(head));
      state.setChunk(granule, b, 0);
      countTaken(state, heap, -b);
      heap.chunksInUse -= 1;
      lost.set(seq, state.born[granule] ?? 0);
      state.born[granule] = seq;
      break;
    }
    case EventKind.burstCarved: {
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
      break;
    }
    case EventKind.blockAllocated:
      allocateBlock(state, state.heap(heapOf(head)), lost, seq, a, b);
      break;
    case EventKind.blockFreed:
      freeBlock(state, state.heap(heapOf(head)), lost, seq, a);
      break;
    case EventKind.binInserted:
      insertInBin(state, state.heap(heapOf(head)), detailOf(head), a, b, c);
      break;
    case EventKind.binRemoved:
      removeFromBin(state, state.heap(heapOf(head)), detailOf(head), a, b, c);
      break;
    case EventKind.topChanged:
      moveTop(state, state.heap(heapOf(head)), a, b);
      break;
    case EventKind.victimChanged:
      moveVictim(state, state.heap(heapOf(head)), a, b);
      break;
    case EventKind.poolCreated:
      applyPoolCreated(state, heapOf(head), detailOf(head), a, b, c);
      break;
    case EventKind.poolShaped:
      shapePool(poolOf(state, head), a, b, c);
      break;
    case EventKind.poolRuled:
      rulePool(poolOf(state, head), a, b, c);
      break;
    case EventKind.poolDestroyed: {
      const pool = poolOf(state, head);
      const elsewhere = pool.address !== a && pool.address !== 0; // 0: not known, read from a walk
      if (elsewhere || pool.blocks !== 0) contradict(`pool ${pool.id} at ${a} still has blocks`);
      pool.living = false;
      break;
    }
    case EventKind.blockMade:
      markBlock(state, poolOf(state, head), a);
      break;
    case EventKind.blockRetired:
      unmarkBlock(state, poolOf(state, head), a);
      break;
    case EventKind.blockInserted:
      insertInTree(state, poolOf(state, head), a, b);
      break;
    case EventKind.blockRemoved:
      removeFromTree(state, poolOf(state, head), a, b);
      break;
    case EventKind.blockMoved: {
      const pool = poolOf(state, head);
      if (c !== 0) checkInTree(state, pool, c);
      if (c === a) contradict(`the block at ${a} cannot follow itself`);
      removeFromTree(state, pool, a, b);
      insertInTree(state, pool, a, c);
      break;
    }
    case EventKind.nodeTaken:
    case EventKind.nodeReturned: {
      const pool = poolOf(state, head);
      checkNode(state, pool, a, b);
      moveNode(state, pool, a, kind === EventKind.nodeTaken);
      break;
    }
    case EventKind.batchFetched:
    case EventKind.batchStored:
      moveBatch(state, poolOf(state, head), c, kind === EventKind.batchFetched ? b : -b);
      break;
    case EventKind.threadChanged:
      lost.set(seq, changeThread(state, a, b));
      break;
    case EventKind.chunkCached: {
      const granule = cacheChunk(state, state.heap(heapOf(head)), detailOf(head), a, b, c);
      lost.set(seq, state.born[granule] ?? 0);
      state.born[granule] = seq;
      break;
    }
    case EventKind.chunkReused: {
      const granule = cachedGranuleOf(state, detailOf(head), a, b, state.acting);
      lost.set(seq, ((state.born[granule] ?? 0) | unknownList(state, granule)) >>> 0);
      unmarkCached(state, state.heap(heapOf(head)), granule);
      state.born[granule] = seq;
      break;
    }
    case EventKind.cachedMoved:
      moveCached(state, state.heap(heapOf(head)), detailOf(head), a, b, c);
      break;
    case EventKind.cachedEnded: {
      const granule = cachedGranuleOf(state, detailOf(head), a, b, c);
      lost.set(seq, unknownList(state, granule) >>> 0);
      unmarkCached(state, state.heap(heapOf(head)), granule);
      break;
    }
    case EventKind.eventsLost:
      lost.set(seq, standingOf(state));
      state.awaiting = true;
      state.inSnapshot = false;
      break;
    case EventKind.snapshotBegun:
    case EventKind.snapshotEnded:
      lost.set(seq, standingOf(state));
      state.inSnapshot = kind === EventKind.snapshotBegun;
      break;
    case EventKind.memoryGrown: // a fact beside the heap, as those that follow: told by the history's own lists
      checkMemory(a, b);
      break;
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
      refuseKind(kind);
  }
  state.seq = seq + 1;
}

/** never: the compiler names a kind that has no case. */
function refuseKind(kind: never): never {
  contradict(`there is no event of kind ${kind}`);
}

function checkOperation(op: number): void {
  if (!kOpNames.has(op)) contradict(`there is no operation ${op}`);
}

function checkMemory(oldPages: number, newPages: number): void {
  if (newPages < oldPages || newPages > kMostMemoryPages)
    contradict(`memory cannot go from ${oldPages} to ${newPages} pages`);
}

/** Of what lies in heaps and pools; the other kinds are facts beside it. */
function changesState(kind: EventKind): boolean {
  if (kind >= EventKind.mark || kind === EventKind.threadChanged) return false;
  return kind !== EventKind.memoryGrown && (kind < EventKind.opBegun || kind > EventKind.commandTried);
}

/** M6: the first event that changes anything behind a sliver joins it. */
function checkSliverJoins(state: HeapState, kind: EventKind, head: number, a: number, b: number): void {
  const joins = kind === EventKind.chunksMerged && detailOf(head) === 2 && a === state.sliver && b === kSliverBytes;
  if (!joins) contradict(`the chunk of 8 bytes at ${state.sliver} is left`);
}

/** The pool that an event names; the event is of its heap. */
function poolOf(state: HeapState, head: number): PoolEntry {
  const pool = state.pool(detailOf(head));
  if (pool.heap !== heapOf(head)) contradict(`pool ${pool.id} is of heap ${pool.heap}, not of ${heapOf(head)}`);
  return pool;
}

/** A heap's events are about what lies in its own segments. */
function checkPlace(state: HeapState, kind: EventKind, head: number, a: number, b: number): void {
  const isBlock = kind === EventKind.blockAllocated || kind === EventKind.blockFreed;
  if (kind <= EventKind.cachedEnded && kind !== EventKind.threadChanged && isBlock !== state.isForeign)
    contradict(isBlock ? 'blocks are told of a foreign heap only' : 'of a foreign heap only blocks are told');
  const isChunk = kind <= EventKind.victimChanged || (kind >= EventKind.chunkCached && kind <= EventKind.cachedEnded);
  if (!isChunk) return;
  if (kind === EventKind.topChanged || kind === EventKind.victimChanged) {
    if (a !== 0) state.checkOwner(heapOf(head), a);
    else if (b === 0) contradict('what was nowhere goes nowhere');
  } else state.checkOwner(heapOf(head), a);
}

/** A node begins there in a block of the pool; the event may name the block (event.P2). */
function checkNode(state: HeapState, pool: PoolEntry, node: number, named: number): void {
  let block = named;
  if (block === 0) {
    const known = state.lastBlock.get(pool.id) ?? 0;
    const isIn = isBlock(state, pool, known) && node >= known && node < known + pool.blockBytes;
    block = isIn ? known : (chunkContaining(state, node) ?? 0) + state.wordSize;
  }
  blockGranuleOf(state, pool, block);
  state.lastBlock.set(pool.id, block);
  if (nodeAt(pool, block, node) !== node) contradict(`no node of pool ${pool.id} begins at ${node}`);
}

/** Of events that count while the state stands still. */
export const movesOn = (kind: EventKind): boolean =>
  kind === EventKind.eventsLost || kind === EventKind.snapshotBegun || kind === EventKind.snapshotEnded;

const standingOf = (state: HeapState): number => (state.awaiting ? 1 : 0) | (state.inSnapshot ? 2 : 0);

const unknownList = (state: HeapState, granule: number): number =>
  listOf(state, granule) === kUnknownList ? kListWasUnknown : 0;

function applyHeapCreated(state: HeapState, id: number, word: number, a: number, b: number, c: number): void {
  const before = state.heapById[id];
  if (id === 0) contradict('there is no heap 0');
  if (before?.living) contradict(`heap ${id} exists already`);
  if (word !== 0 && word !== 4 && word !== 8) contradict(`a word of ${word} bytes is impossible`);
  if (state.heaps.length !== 0 && word !== state.wordSize) contradict('heaps of different word sizes');
  const heap = makeHeap(state.heaps.length, id, a, word, b, c, before);
  state.wordSize = word;
  state.heaps.push(heap);
  state.heapById[id] = heap;
}

function applyHeapDestroyed(state: HeapState, id: number, address: number): void {
  const heap = state.heap(id);
  const segments = state.segments.some((segment) => segment.heap === id);
  if (heap.address !== address || segments) contradict(`heap ${id} at ${address} still has segments`);
  heap.living = false;
  Object.assign(heap, kNoBins);
}

function applyPoolCreated(state: HeapState, heap: number, id: number, a: number, b: number, c: number): void {
  const before = state.poolById.get(id);
  if (id === 0) contradict('there is no pool 0');
  if (before?.living) contradict(`pool ${id} exists already`);
  state.heap(heap);
  if (b < 4) contradict(`nodes of ${b} bytes are impossible`);
  const pool = makePool(id, heap, a, b, c, before);
  state.pools.push(pool);
  state.poolById.set(id, pool);
}

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
