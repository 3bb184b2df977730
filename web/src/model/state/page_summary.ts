// The address pyramid above the chunk: for each KiB, 4 KiB, 16 KiB ... 64 MiB what the chunks that begin in it cover of it. The
// map from far reads entries instead of chunks: its cost goes by the screen, not by the heap.
//
//   entry        |.....[ in use ][ free ][ in use .........|.............]
//   first start   ^^^^^                                     the rest of a chunk that began before belongs to no entry's
//                 summary: a reader carries the chunk along from entry to entry, and so does the level above, which is summed
//                 from four entries
//
//   G1  Events mark pages of 4 KiB dirty (one byte each); a page is counted again when somebody asks for it, and then what lies
//       above it. So an event pays the same however large its chunk is, and an undone event needs no inverse here.
//   G2  An entry follows from the chunks that begin in it alone; so one whose pages are clean is right.

import { ChunkState } from '../../protocol/map_frames.ts';
import { chunkStateOf } from './chunk_at.ts';
import { kChunkFlags, kHoldsBlock, kInUse } from './chunk_table.ts';
import { kFrameBytes, kGranuleStep, kPageBits } from './frame_table.ts';
import type { HeapState } from './heap_state.ts';

export const kFinestBits = 10;
const kCoarsestBits = 26;
const kStepBits = 2; // from level to level
const kFour = 1 << kStepBits;

/** The entries of one size. */
export class SummaryLevel {
  readonly bits: number;
  /** Bytes of an entry; as firstStart: no chunk begins in it. */
  readonly entryBytes: number;
  readonly count: number;
  readonly inUse: Uint16Array | Uint32Array; // bytes, without pool blocks
  readonly cached: Uint16Array | Uint32Array;
  readonly pool: Uint16Array | Uint32Array;
  readonly free: Uint16Array | Uint32Array;
  readonly top: Uint16Array | Uint32Array;
  /** Offset of the first chunk that begins in the entry. */
  readonly firstStart: Uint16Array | Uint32Array;
  /** Where the last chunk of the entry begins, when one does. */
  readonly lastStart: Uint32Array;
  /** Birth of the youngest chunk in use that begins in the entry. */
  readonly youngest: Uint32Array;
  /** 1: an entry below was counted again since this one was. */
  readonly dirty: Uint8Array;

  constructor(bits: number, count: number) {
    const column = () => (bits <= 15 ? new Uint16Array(count) : new Uint32Array(count));
    this.bits = bits;
    this.entryBytes = 1 << bits;
    this.count = count;
    this.inUse = column();
    this.cached = column();
    this.pool = column();
    this.free = column();
    this.top = column();
    this.firstStart = column().fill(this.entryBytes);
    this.lastStart = new Uint32Array(count);
    this.youngest = new Uint32Array(count);
    this.dirty = new Uint8Array(count);
  }

  isEmpty(entry: number): boolean {
    return this.firstStart[entry] === this.entryBytes;
  }

  /** The column of a class of bytes. */
  of(what: ChunkState): Uint16Array | Uint32Array {
    if (what === ChunkState.inUse) return this.inUse;
    if (what === ChunkState.poolBlock) return this.pool;
    if (what === ChunkState.cached) return this.cached;
    return what === ChunkState.top ? this.top : this.free;
  }

  clear(entry: number): void {
    this.inUse[entry] = 0;
    this.cached[entry] = 0;
    this.pool[entry] = 0;
    this.free[entry] = 0;
    this.top[entry] = 0;
    this.youngest[entry] = 0;
    this.firstStart[entry] = this.entryBytes;
  }

  add(entry: number, what: ChunkState, bytes: number): void {
    const column = this.of(what);
    column[entry] = (column[entry] as number) + bytes;
  }
}

export class PageSummary {
  #levels: readonly SummaryLevel[] = [];
  #pages = 0; // that the levels were made for

  /** The entries to fill cells of so many bytes from, right for the addresses [from, to): at most half a cell each, where there are such. */
  level(state: HeapState, cellBytes: number, from: number, to: number): SummaryLevel {
    this.#makeLevels(state);
    let nth = 0;
    while (nth + 1 < this.#levels.length && (this.#levels[nth + 1] as SummaryLevel).entryBytes * 2 <= cellBytes)
      nth += 1;
    const level = this.#levels[nth] as SummaryLevel;
    const whole = Math.max(level.entryBytes, 1 << kPageBits); // entries are not counted in part
    const first = Math.floor(from / whole) * (whole >>> kPageBits);
    const end = Math.ceil(to / whole) * (whole >>> kPageBits);
    this.refresh(state, first, end);
    for (let above = 2; above <= nth; ++above) this.#sumUp(state, above, first, end);
    return level;
  }

  /** Counts the dirty pages of [from, to) again, of 4 KiB each. */
  refresh(state: HeapState, from: number, to: number): void {
    this.#makeLevels(state);
    const [parts, pages, next] = this.#levels as [SummaryLevel, SummaryLevel, SummaryLevel];
    const end = Math.min(to, state.dirtyPages.length);
    for (let page = from; page < end; ++page) {
      if (state.dirtyPages[page] === 0) continue;
      state.dirtyPages[page] = 0;
      if (state.pageStarts[page] === 0 && pages.isEmpty(page)) continue;
      for (let part = page * kFour; part < (page + 1) * kFour; ++part) count(state, parts, part);
      sum(state, parts, pages, page);
      next.dirty[page >>> kStepBits] = 1;
    }
  }

  /** G2. Of a level above the pages, the entries over the pages [from, to). */
  #sumUp(state: HeapState, nth: number, from: number, to: number): void {
    const level = this.#levels[nth] as SummaryLevel;
    const below = this.#levels[nth - 1] as SummaryLevel;
    const shift = level.bits - kPageBits;
    const end = Math.min(Math.ceil(to / (1 << shift)), level.count);
    for (let entry = from >>> shift; entry < end; ++entry) {
      if (level.dirty[entry] === 0) continue;
      level.dirty[entry] = 0;
      sum(state, below, level, entry);
      const above = this.#levels[nth + 1];
      if (above !== undefined) above.dirty[entry >>> kStepBits] = 1;
    }
  }

  /** As many entries as the state has room for, rounded up to a whole one of the coarsest. */
  #makeLevels(state: HeapState): void {
    const pages = state.dirtyPages.length;
    if (pages <= this.#pages && this.#levels.length > 0) return;
    const coarsest = Math.ceil(pages / (1 << (kCoarsestBits - kPageBits)));
    const levels: SummaryLevel[] = [];
    for (let bits = kFinestBits; bits <= kCoarsestBits; bits += kStepBits) {
      levels.push(new SummaryLevel(bits, coarsest << (kCoarsestBits - bits)));
    }
    this.#levels = levels;
    this.#pages = pages;
    state.dirtyPages.fill(1);
  }
}

/** The entry from the chunks that begin in it. What is summed here is summed for every chunk in view after a seek: in local numbers. */
function count(state: HeapState, level: SummaryLevel, entry: number): void {
  const { chunks, born, tag } = state;
  const begin = entry * level.entryBytes;
  const end = begin + level.entryBytes;
  const { frameStep } = state;
  let inUse = 0;
  let cached = 0;
  let pool = 0;
  let free = 0;
  let top = 0;
  let youngest = 0;
  let firstStart = level.entryBytes;
  let lastStart = 0;
  for (let frame = begin; frame < end; frame += kFrameBytes) {
    if (state.frameIsEmpty(frame)) continue;
    const first = state.granuleAt(frame);
    for (let granule = first; granule < first + frameStep; granule += kGranuleStep) {
      const word = chunks[granule] as number;
      if (word === 0) continue;
      lastStart = state.addressOf(granule);
      if (firstStart === level.entryBytes) firstStart = lastStart - begin;
      const size = Math.min((word & ~kChunkFlags) >>> 0, end - lastStart);
      if ((word & kInUse) === 0) {
        if (tag[granule] === 0 && chunkStateOf(state, granule) === ChunkState.top) top += size;
        else free += size;
        continue;
      }
      if ((word & kHoldsBlock) !== 0) pool += size;
      else if (tag[granule] !== 0 && state.isCached(granule)) {
        cached += size;
        continue;
      } else inUse += size;
      if ((born[granule] as number) > youngest) youngest = born[granule] as number;
    }
  }
  level.inUse[entry] = inUse;
  level.cached[entry] = cached;
  level.pool[entry] = pool;
  level.free[entry] = free;
  level.top[entry] = top;
  level.firstStart[entry] = firstStart;
  level.lastStart[entry] = lastStart;
  level.youngest[entry] = youngest;
}

/** The entry from the four below it. */
function sum(state: HeapState, below: SummaryLevel, level: SummaryLevel, entry: number): void {
  let carried: number | undefined;
  let youngest = 0;
  level.clear(entry);
  for (let part = entry * kFour; part < (entry + 1) * kFour; ++part) {
    const begin = part * below.entryBytes;
    const first = below.firstStart[part] as number;
    if (carried !== undefined) {
      const granule = state.granuleAt(carried);
      const bytes = Math.min(carried + state.sizeOf(granule) - begin, first);
      if (bytes > 0) level.add(entry, chunkStateOf(state, granule), bytes);
    }
    if (first === below.entryBytes) continue;
    if (level.isEmpty(entry)) level.firstStart[entry] = begin + first - entry * level.entryBytes;
    level.inUse[entry] = (level.inUse[entry] as number) + (below.inUse[part] as number);
    level.cached[entry] = (level.cached[entry] as number) + (below.cached[part] as number);
    level.pool[entry] = (level.pool[entry] as number) + (below.pool[part] as number);
    level.free[entry] = (level.free[entry] as number) + (below.free[part] as number);
    level.top[entry] = (level.top[entry] as number) + (below.top[part] as number);
    youngest = Math.max(youngest, below.youngest[part] as number);
    carried = below.lastStart[part] as number;
  }
  if (carried !== undefined) level.lastStart[entry] = carried;
  level.youngest[entry] = youngest;
}
