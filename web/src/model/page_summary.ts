// The address pyramid's level above the chunk: for each page of 4 KiB what the chunks that begin in it cover of it. The
// map of a whole memory reads pages instead of chunks.
//
//   page         |.....[ in use ][ free ][ in use .........|.............]
//   first start   ^^^^^                                     the rest of a chunk that began before belongs to no page's
//                 summary: a reader carries the chunk along from page to page
//
//   G1  Events mark pages dirty (one byte each); a page is counted again when somebody asks for it. So an event pays the
//       same however large its chunk is, and an undone event needs no inverse here.

import { ChunkState } from '../protocol/frames.ts';
import { chunkStateOf } from './chunk_at.ts';
import { type HeapState, kHoldsBlock, kInUse } from './heap_state.ts';

const kPageBytes = 4096;
export const kNoStart = kPageBytes;

export class PageSummary {
  inUse = new Uint16Array(0); // bytes, without pool blocks
  cached = new Uint16Array(0);
  pool = new Uint16Array(0);
  free = new Uint16Array(0);
  top = new Uint16Array(0);
  /** Offset of the first chunk that begins in the page; kNoStart: none does. */
  firstStart = new Uint16Array(0);
  /** Where the last chunk of the page begins, when one does. */
  lastStart = new Uint32Array(0);
  /** Birth of the youngest chunk in use that begins in the page. */
  youngest = new Uint32Array(0);

  /** Counts the dirty pages of [from, to) again. */
  refresh(state: HeapState, from: number, to: number): void {
    if (this.inUse.length < state.dirtyPages.length) this.#lengthen(state);
    const end = Math.min(to, state.dirtyPages.length);
    for (let page = from; page < end; ++page) {
      if (state.dirtyPages[page] === 0) continue;
      state.dirtyPages[page] = 0;
      this.#count(state, page);
    }
  }

  #lengthen(state: HeapState): void {
    const pages = state.dirtyPages.length;
    for (const key of ['inUse', 'cached', 'pool', 'free', 'top', 'firstStart'] as const)
      this[key] = new Uint16Array(pages);
    for (const key of ['lastStart', 'youngest'] as const) this[key] = new Uint32Array(pages);
    state.dirtyPages.fill(1);
  }

  #count(state: HeapState, page: number): void {
    const { chunks, born } = state;
    const pageEnd = (page + 1) * kPageBytes;
    const step = state.granuleBytes;
    let inUse = 0;
    let cached = 0;
    let pool = 0;
    let free = 0;
    let top = 0;
    let firstStart = kNoStart;
    let youngest = 0;
    if (state.pageStarts[page] !== 0) {
      for (let at = page * kPageBytes; at < pageEnd; at += step) {
        const granule = state.granuleAt(at);
        const word = chunks[granule] as number;
        if (word === 0) continue;
        const address = state.addressOf(granule);
        const size = Math.min(state.sizeOf(granule), pageEnd - address);
        if (firstStart === kNoStart) firstStart = address - page * kPageBytes;
        this.lastStart[page] = address;
        if ((word & kInUse) !== 0) {
          if ((word & kHoldsBlock) !== 0) pool += size;
          else if (state.isCached(granule)) {
            cached += size;
            continue;
          } else inUse += size;
          if ((born[granule] as number) > youngest) youngest = born[granule] as number;
        } else if (chunkStateOf(state, granule) === ChunkState.top) top += size;
        else free += size;
      }
    }
    this.inUse[page] = inUse;
    this.cached[page] = cached;
    this.pool[page] = pool;
    this.free[page] = free;
    this.top[page] = top;
    this.firstStart[page] = firstStart;
    this.youngest[page] = youngest;
  }
}
