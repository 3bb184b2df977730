// The blocks of a foreign heap: rule P7 of event.h. Of its segment only they are known; what lies between is nobody's.
//
//   |....[ block ]..[ block ][ block ].......[ block ]........|     segment: all of linear memory
//
//   F1  A block is a chunk in use without a header (chunk_table.ts, M9). Its size is in the lost column at its birth, for no event tells
//       it again once the block has ended.
//   F2  A block that replaces one (freed unseen) remembers the other's birth in lost.replaced.
//   F3  Freeing what lies in no block changes nothing; its lost word is 0, which is no block's birth.
//   F4  Freeing an address inside a block ends it (event.P10); where it began is in lost.begins.

import type { LostColumn } from '../../base/growing.ts';
import { lastStartUpTo } from './chunk_at.ts';
import { contradict } from './contradiction.ts';
import type { HeapEntry } from './entries.ts';
import type { HeapState } from './heap_state.ts';
import { countInUse } from './in_use.ts';

/** seq: of the event */
export function allocateBlock(
  state: HeapState,
  heap: HeapEntry,
  lost: LostColumn,
  seq: number,
  address: number,
  size: number,
): void {
  const there = blockAt(state, address);
  checkBlock(state, address, size, there);
  if (there !== undefined) lost.replaced.set(seq, endBlock(state, heap, lost, there));
  lost.set(seq, size);
  beginBlock(state, heap, address, size, seq);
}

export function allocateBlockBack(
  state: HeapState,
  heap: HeapEntry,
  lost: LostColumn,
  seq: number,
  address: number,
): void {
  endBlock(state, heap, lost, state.granuleOf(address));
  const before = lost.replaced.get(seq);
  if (before !== undefined) beginBlock(state, heap, address, lost.at(before), before);
}

export function freeBlock(state: HeapState, heap: HeapEntry, lost: LostColumn, seq: number, address: number): void {
  const there = blockAt(state, address) ?? blockAround(state, address);
  if (there === undefined) {
    lost.set(seq, 0);
    return;
  }
  const begin = state.addressOf(there);
  if (begin !== address) lost.begins.set(seq, begin);
  lost.set(seq, endBlock(state, heap, lost, there));
}

export function freeBlockBack(state: HeapState, heap: HeapEntry, lost: LostColumn, seq: number, address: number): void {
  const born = lost.at(seq);
  if (born !== 0) beginBlock(state, heap, lost.begins.get(seq) ?? address, lost.at(born), born);
}

/** The granule of the block that begins exactly there. */
function blockAt(state: HeapState, address: number): number | undefined {
  const granule = state.granuleAt(address);
  return state.chunks[granule] !== 0 && state.addressOf(granule) === address ? granule : undefined;
}

/** F4. pre: none begins exactly there */
function blockAround(state: HeapState, address: number): number | undefined {
  const begin = lastStartUpTo(state, address);
  if (begin === undefined) return undefined;
  const granule = state.granuleAt(begin);
  return address - begin < state.bytesOf(granule) ? granule : undefined;
}

/** replaced: the granule of the block that begins there, when one does. */
function checkBlock(state: HeapState, address: number, size: number, replaced: number | undefined): void {
  const segment = state.segmentAt(address);
  if (segment === undefined || size > segment.base + segment.size - address)
    contradict(`a block of ${size} bytes at ${address} is impossible`);
  const granule = state.granuleAt(address);
  if (replaced === undefined && state.chunks[granule] !== 0) contradict(`a chunk begins beside ${address} already`);
}

function beginBlock(state: HeapState, heap: HeapEntry, address: number, size: number, born: number): void {
  state.addBlock(address, size, born);
  countInUse(state, heap, size, 1);
}

/** Returns its birth. */
function endBlock(state: HeapState, heap: HeapEntry, lost: LostColumn, granule: number): number {
  const born = state.born[granule] ?? 0;
  state.removeStart(granule);
  countInUse(state, heap, -lost.at(born), -1);
  return born;
}
