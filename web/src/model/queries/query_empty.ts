// Runs of memory that nobody uses, so that the map can fold them: free chunks, tops, and what lies before, between and behind
// the segments. They follow from the state alone, not from what is in view: what followed from the view would move it.
//
//   empty.1  Exact: no byte of a chunk in use, of a cached one, or of a segment's own words lies in a run.
//   empty.2  The longest, at most kMostRuns. Bins are read from the largest size down, so the cost goes by what is listed.

import { EmptyKind, type EmptyRuns } from '../../protocol/map_frames.ts';
import type { Trace } from '../../trace/trace.ts';
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
  const runs = [...outside(state, memoryBytes), ...free(state, trace)];
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

function free(state: HeapState, trace: Trace | undefined): Run[] {
  const runs: Run[] = [];
  const { wordSize } = state;
  if (wordSize === 0) return runs; // a foreign heap: what lies between its blocks is unknown
  const add = (address: number, size: number, kind: EmptyKind): void => {
    if (size >= kLeastBytes) runs.push({ address, size, kind });
  };
  for (const heap of state.livingHeaps()) {
    for (const at of [heap.top, heap.victim, ...namedLoose(state, heap, trace)]) {
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
