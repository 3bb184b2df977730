// The dense view: each row of the map in equal cells, each cell the shares of what lies in it. Cost follows the screen,
// not the heap and not the trace.
//
//   Q1  Cells of 1 KiB and more are filled from the pyramid's entries, finer ones from the chunks themselves; both count the
//       same bytes (tested against each other). An entry over the border of two cells is shared out by length; one of 1 KiB, chunk by chunk.

import { type CellMarks, ChunkState, type MapViewport } from '../../protocol/map_frames.ts';
import { ageOf, chunkAfter, chunkContaining, chunkStateOf, firstChunkBehind } from '../state/chunk_at.ts';
import type { SegmentEntry } from '../state/entries.ts';
import type { HeapState } from '../state/heap_state.ts';
import { kFinestBits, type PageSummary, type SummaryLevel } from '../state/page_summary.ts';

const kLeastCell = 16;

export function queryCells(state: HeapState, pages: PageSummary, view: MapViewport): CellMarks {
  const cellsPerRow = Math.max(1, Math.min(view.columns, Math.floor(view.bytesPerRow / kLeastCell)));
  const cells = new CellSums(view.origin, view.bytesPerRow / cellsPerRow, view.rows * cellsPerRow);
  if (cells.bytes >= 1 << kFinestBits) fillFromPyramid(state, pages, cells);
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

  /** Whether one cell holds all of [from, to). */
  holdsWhole(from: number, to: number): boolean {
    return Math.floor((from - this.origin) / this.bytes) === Math.floor((to - 1 - this.origin) / this.bytes);
  }

  /** An entry of the pyramid, spread over the cells it lies in. */
  addEntry(entry: number, level: SummaryLevel): void {
    const begin = entry * level.entryBytes;
    const low = Math.max(begin, this.origin);
    const high = Math.min(begin + level.entryBytes, this.end);
    if (low >= high) return;
    const last = Math.min(Math.ceil((high - this.origin) / this.bytes), this.#inUse.length);
    for (let cell = Math.floor((low - this.origin) / this.bytes); cell < last; ++cell) {
      const cellBegin = this.origin + cell * this.bytes;
      const share = (Math.min(high, cellBegin + this.bytes) - Math.max(low, cellBegin)) / level.entryBytes;
      this.#inUse[cell] = (this.#inUse[cell] as number) + (level.inUse[entry] as number) * share;
      this.#cached[cell] = (this.#cached[cell] as number) + (level.cached[entry] as number) * share;
      this.#pool[cell] = (this.#pool[cell] as number) + (level.pool[entry] as number) * share;
      this.#free[cell] = (this.#free[cell] as number) + (level.free[entry] as number) * share;
      this.#top[cell] = (this.#top[cell] as number) + (level.top[entry] as number) * share;
      const born = level.youngest[entry] as number;
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
  const from = (segment: SegmentEntry, stop: number): number => firstChunkBehind(state, segment, cells.origin, stop);
  fillSegments(state, cells, cells.end, from);
}

/** What the chunks of each segment, from the one at `first` on, cover of the addresses up to `end`. No chunk follows a segment's last. */
function fillSegments(
  state: HeapState,
  cells: CellSums,
  end: number,
  first: (segment: SegmentEntry, stop: number) => number,
): void {
  for (const segment of state.segments) {
    const stop = Math.min(segment.base + segment.size - state.wordSize, end);
    for (let at = first(segment, stop); at < stop; at = chunkAfter(state, at, stop)) {
      const granule = state.granuleAt(at);
      const to = Math.min(at + state.sizeOf(granule), stop);
      cells.addRun(chunkStateOf(state, granule), at, to, state.born[granule] ?? 0);
    }
  }
}

function fillFromPyramid(state: HeapState, pages: PageSummary, cells: CellSums): void {
  const level = pages.level(state, cells.bytes, cells.origin, cells.end);
  const { entryBytes, firstStart, lastStart } = level;
  const first = Math.floor(cells.origin / entryBytes);
  const end = Math.min(Math.ceil(cells.end / entryBytes), level.count);
  let carried = chunkContaining(state, first * entryBytes);
  for (let entry = first; entry < end; ++entry) {
    const begin = entry * entryBytes;
    if (carried !== undefined) {
      const granule = state.granuleAt(carried);
      const to = Math.min(carried + state.sizeOf(granule), begin + (firstStart[entry] as number));
      if (to > begin) cells.addRun(chunkStateOf(state, granule), begin, to, state.born[granule] ?? 0);
    }
    if (level.isEmpty(entry)) continue;
    if (level.bits > kFinestBits || cells.holdsWhole(begin, begin + entryBytes)) cells.addEntry(entry, level);
    else {
      const start = begin + (firstStart[entry] as number);
      fillSegments(state, cells, begin + entryBytes, ({ base, size, firstChunk }) =>
        start < base + size ? Math.max(start, firstChunk) : Number.POSITIVE_INFINITY,
      );
    }
    carried = lastStart[entry] as number;
  }
}
