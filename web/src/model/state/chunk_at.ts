// From an address to the chunk around it, and what that chunk is.

import { ChunkState } from '../../protocol/map_frames.ts';
import { kHoldsBlock, kInUse } from './chunk_table.ts';
import type { SegmentEntry } from './entries.ts';
import { kHugePageBits, kLargePageBits, kPageBits } from './frame_table.ts';
import type { HeapState } from './heap_state.ts';
import { isHeadless } from './slabs.ts';

/** Begin of the chunk that `address` lies in; undefined outside all chunks. Skips empty pages, so big chunks are cheap. */
export function chunkContaining(state: HeapState, address: number): number | undefined {
  const segment = state.segmentAt(address);
  if (segment === undefined || address < segment.firstChunk) return undefined;
  if (address >= segment.base + segment.size - state.wordSize) return undefined; // the sentinel
  const found = lastStartUpTo(state, address);
  const isBefore = found !== undefined && address < found + state.wordSize && isHeadless(state, state.granuleAt(found));
  const at = isBefore ? lastStartUpTo(state, found - 1) : found; // slabs.ts, B4
  const isInGap = at !== undefined && state.isForeign && address - at >= state.sizeOf(state.granuleAt(at));
  return isInGap ? undefined : at;
}

/** The first chunk of the segment that ends behind `from`; `stop` when none begins before that. */
export function firstChunkBehind(state: HeapState, segment: SegmentEntry, from: number, stop: number): number {
  const begin = Math.max(segment.firstChunk, from);
  if (begin >= stop) return stop;
  return chunkContaining(state, begin) ?? (state.isForeign ? nextStart(state, begin, stop) : stop);
}

/** The next chunk behind one; `stop` or more when none begins before that. */
export function chunkAfter(state: HeapState, at: number, stop: number): number {
  if (state.isForeign) return nextStart(state, at + state.granuleBytes, stop);
  return state.after(at, state.sizeOf(state.granuleAt(at)));
}

/** In address order. */
export function forEachChunk(
  state: HeapState,
  segment: SegmentEntry,
  visit: (at: number, granule: number) => void,
): void {
  const sentinel = segment.base + segment.size - state.wordSize;
  let at = firstChunkBehind(state, segment, segment.firstChunk, sentinel);
  for (; at < sentinel; at = chunkAfter(state, at, sentinel)) visit(at, state.granuleAt(at));
}

/** The first chunk that begins in the granule of `from` or later; `stop` when none does before that. */
export function nextStart(state: HeapState, from: number, stop: number): number {
  const step = state.granuleBytes;
  for (let at = from - (from % step); at < stop; ) {
    const granule = state.granuleAt(at);
    if ((at & 0xffff) === 0 && state.largePageStarts[at >>> kLargePageBits] === 0) at += 0x10000;
    else if ((at & 0xfff) === 0 && state.pageStarts[at >>> kPageBits] === 0) at += 0x1000;
    else if ((state.chunks[granule] ?? 0) !== 0) return Math.min(state.addressOf(granule), stop);
    else at += step;
  }
  return stop;
}

/** The last chunk that begins at or before `address`. Skips empty pages: some hundred steps at most, however far it is. */
export function lastStartUpTo(state: HeapState, address: number): number | undefined {
  const here = state.granuleAt(address);
  const step = state.granuleBytes;
  let at = address - (address % step); // begin of the granule that is looked at
  if ((state.chunks[here] ?? 0) !== 0 && state.addressOf(here) > address) at -= step;
  while (at >= 0) {
    const granule = state.granuleAt(at);
    const atEnd = at + step; // of a page, when its low bits are 0
    if ((atEnd & 0xffffff) === 0 && state.hugePageStarts[at >>> kHugePageBits] === 0) at -= 0x1000000;
    else if ((atEnd & 0xffff) === 0 && state.largePageStarts[at >>> kLargePageBits] === 0) at -= 0x10000;
    else if ((atEnd & 0xfff) === 0 && state.pageStarts[at >>> kPageBits] === 0) at -= 0x1000;
    else if ((state.chunks[granule] ?? 0) !== 0) return state.addressOf(granule);
    else at -= step;
  }
  return undefined;
}

/** Where the free chunk that ends a segment begins; its end when its last chunk is in use, its begin when it has none. */
export function tailOf(state: HeapState, segment: SegmentEntry): number {
  const sentinel = segment.base + segment.size - state.wordSize;
  const last = lastStartUpTo(state, sentinel - 1);
  if (last === undefined || last < segment.firstChunk) return segment.base;
  const granule = state.granuleAt(last);
  if (state.isForeign) return last + state.sizeOf(granule);
  return ((state.chunks[granule] ?? 0) & kInUse) === 0 ? last : sentinel;
}

/** What a chunk is in the frame's terms. */
export function chunkStateOf(state: HeapState, granule: number): ChunkState {
  const word = state.chunks[granule] ?? 0;
  if ((word & kHoldsBlock) !== 0) return ChunkState.poolBlock;
  if ((word & kInUse) !== 0) return state.isCached(granule) ? ChunkState.cached : ChunkState.inUse;
  if (state.tag[granule] !== 0) return ChunkState.free;
  const address = state.addressOf(granule);
  const segment = state.segmentAt(address);
  const heap = segment === undefined ? undefined : state.heapById[segment.heap];
  if (heap?.top === address) return ChunkState.top;
  if (heap?.victim === address) return ChunkState.victim;
  return ChunkState.free; // kept nowhere, inside an operation
}

/** Chunks that begin in [from, to), counted by whole pages at the ends: never too few. */
export function countStarts(state: HeapState, from: number, to: number): number {
  let count = 0;
  const end = Math.min(Math.ceil(to / 4096), state.pageStarts.length);
  for (let page = Math.floor(from / 4096); page < end; ) {
    if ((page & 15) === 0 && page + 16 <= end) {
      count += state.largePageStarts[page >>> 4] ?? 0;
      page += 16;
    } else count += state.pageStarts[page++] ?? 0;
  }
  return count;
}

const kAgePerOctave = 11; // 255 is reached after some ten million events

/** 0 just born ... 255 oldest: the logarithm of the events since. */
export function ageOf(seq: number, born: number): number {
  const events = seq - born;
  return events <= 1 ? 0 : Math.min(255, Math.floor(Math.log2(events) * kAgePerOctave));
}
