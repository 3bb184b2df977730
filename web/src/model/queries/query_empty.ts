// Runs of memory that nobody uses, so that the map can fold them: free chunks, tops, and what lies before, between and behind
// the segments. They follow from the state alone, not from what is in view: what followed from the view would move it.
//
//   empty.1  Exact: no byte of a chunk in use, of a cached one, or of a segment's own words lies in a run.
//   empty.2  The longest, at most kMostRuns. Bins are read from the largest size down, so the cost goes by what is listed.
//   empty.3  Of a foreign heap only its blocks are known. Between them runs are listed that hold a whole page without the begin of one:
//            these are found by the pages' counts alone.

import { EmptyKind, type EmptyRuns } from '../../protocol/map_frames.ts';
import type { Trace } from '../../trace/trace.ts';
import { lastStartUpTo, nextStart } from '../state/chunk_at.ts';
import type { SegmentEntry } from '../state/entries.ts';
import { kLargePageBits, kPageBits } from '../state/frame_table.ts';
import type { HeapState } from '../state/heap_state.ts';
import { binRange } from './bin_ranges.ts';
import { namedLoose } from './loose_chunks.ts';
import { forEachInBin } from './query_lists.ts';

const kMostRuns = 1024;
/** Shorter ones fold at no zoom. */
const kLeastBytes = 64;

interface Run {
  readonly address: number;
  readonly size: number;
  readonly kind: EmptyKind;
}

export function queryEmpty(state: HeapState, memoryBytes: number, trace?: Trace): EmptyRuns {
  const inside = state.isForeign ? state.segments.flatMap((segment) => unrecorded(state, segment)) : free(state, trace);
  const runs = [...outside(state, memoryBytes), ...inside];
  if (runs.length > kMostRuns) runs.sort((one, other) => other.size - one.size).length = kMostRuns;
  runs.sort((one, other) => one.address - other.address);
  return {
    count: runs.length,
    address: Uint32Array.from(runs, (run) => run.address),
    size: Uint32Array.from(runs, (run) => run.size),
    kind: Uint8Array.from(runs, (run) => run.kind),
  };
}

function outside(state: HeapState, memoryBytes: number): Run[] {
  const runs: Run[] = [];
  let address = 0;
  const add = (to: number): void => {
    if (to - address >= kLeastBytes) runs.push({ address, size: to - address, kind: EmptyKind.outside });
  };
  for (const { base, size } of state.segments) {
    add(base);
    address = base + size;
  }
  add(Math.min(memoryBytes, 2 ** 32));
  return runs;
}

/** empty.3 */
function unrecorded(state: HeapState, segment: SegmentEntry): Run[] {
  const runs: Run[] = [];
  const end = segment.base + segment.size;
  for (const page of longestRuns(state, segment.base >>> kPageBits, Math.ceil(end / 2 ** kPageBits))) {
    const from = page * 2 ** kPageBits;
    const last = from === 0 ? undefined : lastStartUpTo(state, from - 1);
    const address = Math.max(segment.base, last === undefined ? 0 : last + state.sizeOf(state.granuleAt(last)));
    const size = nextStart(state, from, end) - address;
    if (size >= kLeastBytes) runs.push({ address, size, kind: EmptyKind.unrecorded });
  }
  return runs;
}

/** The first pages of the longest runs of pages in which no block begins: fewer than 2 * kMostRuns. A large block covers its run. */
function longestRuns({ pageStarts, largePageStarts }: HeapState, from: number, to: number): number[] {
  const kLarge = 2 ** (kLargePageBits - kPageBits);
  const runs: { readonly page: number; readonly pages: number }[] = [];
  for (let page = from; page < to; ) {
    const begin = page;
    while (page < to) {
      if (page % kLarge === 0 && (largePageStarts[page / kLarge] ?? 0) === 0) page += kLarge;
      else if ((pageStarts[page] ?? 0) === 0) page += 1;
      else break;
    }
    if (page > begin) runs.push({ page: begin, pages: page - begin });
    // Of equal ones those that begin first.
    if (runs.length === 2 * kMostRuns) runs.sort((one, other) => other.pages - one.pages).length = kMostRuns;
    page += 1;
  }
  return runs.map(({ page }) => page);
}

function free(state: HeapState, trace: Trace | undefined): Run[] {
  const runs: Run[] = [];
  const { wordSize } = state;
  if (wordSize === 0) return runs;
  const add = (address: number, size: number, kind: EmptyKind): void => {
    if (size >= kLeastBytes) runs.push({ address, size, kind });
  };
  for (const heap of state.livingHeaps()) {
    for (const at of [heap.top, heap.victim, ...namedLoose(state, heap, trace).keys()]) {
      if (at !== 0) add(at, state.sizeOf(state.granuleAt(at)), at === heap.top ? EmptyKind.top : EmptyKind.free);
    }
    const most = runs.length + kMostRuns;
    for (let bin = heap.binCount.length - 1; bin >= 0 && runs.length < most; --bin) {
      if (binRange(bin, wordSize).high < kLeastBytes) break;
      if (heap.binCount[bin] !== 0) forEachInBin(state, heap, bin, (at, size) => add(at, size, EmptyKind.free));
    }
  }
  return runs;
}
