// From an address to the chunk around it, and what that chunk is.

import { ChunkState } from '../protocol/frames.ts';
import { type HeapState, kHoldsBlock, kInUse, kLargePageBits, kPageBits } from './heap_state.ts';

/** Begin of the chunk that `address` lies in; undefined outside all chunks. Skips empty pages, so big chunks are cheap. */
export function chunkContaining(state: HeapState, address: number): number | undefined {
  const segment = state.segmentAt(address);
  if (segment === undefined || address < segment.firstChunk) return undefined;
  if (address >= segment.base + segment.size - state.wordSize) return undefined; // the sentinel
  return lastStartUpTo(state, address);
}

/** The last chunk that begins at or before `address`. pre: there is one in its segment */
function lastStartUpTo(state: HeapState, address: number): number | undefined {
  const here = state.granuleAt(address);
  let at = address - (address % 16); // begin of the granule that is looked at
  if ((state.chunks[here] ?? 0) !== 0 && state.addressOf(here) > address) at -= 16;
  while (at >= 0) {
    const granule = state.granuleAt(at);
    if ((at & 0xfff0) === 0xfff0 && state.largePageStarts[at >>> kLargePageBits] === 0) at -= 0x10000;
    else if ((at & 0xff0) === 0xff0 && state.pageStarts[at >>> kPageBits] === 0) at -= 0x1000;
    else if ((state.chunks[granule] ?? 0) !== 0) return state.addressOf(granule);
    else at -= 16;
  }
  return undefined;
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
