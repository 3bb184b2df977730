// The dense view: each row of the map in equal cells, each cell the shares of what lies in it. Cost follows the screen
// and the pages of memory, not the trace.
//
//   Q1  Cells of 4 KiB and more are filled from page summaries, finer ones from the chunks themselves; both count the
//       same bytes (tested against each other).

import { type CellMarks, ChunkState, type MapViewport } from '../protocol/frames.ts';
import { ageOf, chunkAfter, chunkContaining, chunkStateOf, firstChunkBehind } from './chunk_at.ts';
import type { HeapState } from './heap_state.ts';
import { kNoStart, type PageSummary } from './page_summary.ts';

const kPageBytes = 4096;
const kLeastCell = 16;

export function queryCells(state: HeapState, pages: PageSummary, view: MapViewport): CellMarks {
  const cellsPerRow = Math.max(1, Math.min(view.columns, Math.floor(view.bytesPerRow / kLeastCell)));
  const cells = new CellSums(view.origin, view.bytesPerRow / cellsPerRow, view.rows * cellsPerRow);
  if (cells.bytes >= kPageBytes) fillFromPages(state, pages, cells);
  else fillFromChunks(state, cells);
  return { cellsPerRow, ...cells.shares(state.seq) };
}

/** Bytes of each class in each cell; cell i covers [origin + i * bytes, + bytes), whatever row it is in. */
class CellSums {
  readonly origin: number;
  readonly bytes: number;
  readonly end: number;
  readonly #inUse: Float32Array;
  readonly #cached: Float32Array;
  readonly #pool: Float32Array;
  readonly #free: Float32Array;
  readonly #top: Float32Array;
  readonly #youngest: Uint32Array;

  constructor(origin: number, bytes: number, count: number) {
    this.origin = origin;
    this.bytes = bytes;
    this.end = Math.min(origin + bytes * count, 2 ** 32);
    this.#inUse = new Float32Array(count);
    this.#cached = new Float32Array(count);
    this.#pool = new Float32Array(count);
    this.#free = new Float32Array(count);
    this.#top = new Float32Array(count);
    this.#youngest = new Uint32Array(count);
  }

  /** A run of one class: [from, to). */
  addRun(what: ChunkState, from: number, to: number, born: number): void {
    const low = Math.max(from, this.origin);
    const high = Math.min(to, this.end);
    if (low >= high) return;
    const sums = this.#sumsOf(what);
    const used = what === ChunkState.inUse || what === ChunkState.poolBlock;
    const last = Math.min(Math.ceil((high - this.origin) / this.bytes), sums.length);
    for (let cell = Math.floor((low - this.origin) / this.bytes); cell < last; ++cell) {
      const begin = this.origin + cell * this.bytes;
      sums[cell] = (sums[cell] as number) + Math.min(high, begin + this.bytes) - Math.max(low, begin);
      if (used && born > (this.#youngest[cell] as number)) this.#youngest[cell] = born;
    }
  }

  /** The summary of a page, spread over the one or two cells it lies in. */
  addPage(page: number, pages: PageSummary): void {
    const begin = page * kPageBytes;
    const low = Math.max(begin, this.origin);
    const high = Math.min(begin + kPageBytes, this.end);
    if (low >= high) return;
    const last = Math.min(Math.ceil((high - this.origin) / this.bytes), this.#inUse.length);
    for (let cell = Math.floor((low - this.origin) / this.bytes); cell < last; ++cell) {
      const cellBegin = this.origin + cell * this.bytes;
      const share = (Math.min(high, cellBegin + this.bytes) - Math.max(low, cellBegin)) / kPageBytes;
      this.#inUse[cell] = (this.#inUse[cell] as number) + (pages.inUse[page] as number) * share;
      this.#cached[cell] = (this.#cached[cell] as number) + (pages.cached[page] as number) * share;
      this.#pool[cell] = (this.#pool[cell] as number) + (pages.pool[page] as number) * share;
      this.#free[cell] = (this.#free[cell] as number) + (pages.free[page] as number) * share;
      this.#top[cell] = (this.#top[cell] as number) + (pages.top[page] as number) * share;
      const born = pages.youngest[page] as number;
      if (born > (this.#youngest[cell] as number)) this.#youngest[cell] = born;
    }
  }

  #sumsOf(what: ChunkState): Float32Array {
    if (what === ChunkState.inUse) return this.#inUse;
    if (what === ChunkState.poolBlock) return this.#pool;
    if (what === ChunkState.cached) return this.#cached;
    return what === ChunkState.top ? this.#top : this.#free;
  }

  shares(seq: number) {
    const count = this.#inUse.length;
    const scale = 255 / this.bytes;
    const share = (sums: Float32Array) => {
      const shares = new Uint8Array(count);
      for (let i = 0; i < count; ++i) {
        const sum = sums[i] as number;
        // What is there at all stays visible.
        if (sum > 0) shares[i] = Math.max(1, Math.min(255, Math.round(sum * scale)));
      }
      return shares;
    };
    const age = new Uint8Array(count).fill(255);
    for (let i = 0; i < count; ++i) {
      const born = this.#youngest[i] as number;
      if (born > 0) age[i] = ageOf(seq, born);
    }
    return {
      inUse: share(this.#inUse),
      cached: share(this.#cached),
      pool: share(this.#pool),
      free: share(this.#free),
      top: share(this.#top),
      age,
    };
  }
}

function fillFromChunks(state: HeapState, cells: CellSums): void {
  for (const segment of state.segments) {
    const stop = Math.min(segment.base + segment.size - state.wordSize, cells.end);
    let at = firstChunkBehind(state, segment, cells.origin, stop);
    while (at < stop) {
      const granule = state.granuleAt(at);
      const size = state.sizeOf(granule);
      cells.addRun(chunkStateOf(state, granule), at, at + size, state.born[granule] ?? 0);
      at = chunkAfter(state, at, stop);
    }
  }
}

function fillFromPages(state: HeapState, pages: PageSummary, cells: CellSums): void {
  const firstPage = Math.floor(cells.origin / kPageBytes);
  const endPage = Math.min(Math.ceil(cells.end / kPageBytes), state.dirtyPages.length);
  pages.refresh(state, firstPage, endPage);
  let carried = chunkContaining(state, firstPage * kPageBytes);
  for (let page = firstPage; page < endPage; ++page) {
    const begin = page * kPageBytes;
    const firstStart = pages.firstStart[page] ?? kNoStart;
    if (carried !== undefined) {
      const granule = state.granuleAt(carried);
      const to = Math.min(carried + state.sizeOf(granule), begin + firstStart);
      if (to > begin) cells.addRun(chunkStateOf(state, granule), begin, to, state.born[granule] ?? 0);
    }
    if (firstStart === kNoStart) continue;
    cells.addPage(page, pages);
    carried = pages.lastStart[page] ?? 0;
  }
}
