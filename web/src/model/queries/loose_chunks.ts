// Free chunks that are kept nowhere: inside an operation a chunk has left its bin, top or victim and is not yet cut, joined,
// taken or kept again. So that a heap's largest free chunk is right at every event, not only between operations.
//
//   free of the heap == bins + top + victim + loose          what is loose is the difference; usually 0, and nothing is searched
//
//   L1  A chunk became loose by an event that names it, most often one of the last few: those are looked at first. Where they do
//       not explain all loose bytes (the state was read from a walk), every chunk of the heap is.

import { EventKind } from '../../protocol/event_layout.ts';
import type { Trace } from '../../trace/trace.ts';
import { forEachChunk } from '../state/chunk_at.ts';
import { kInUse } from '../state/chunk_table.ts';
import type { HeapEntry } from '../state/entries.ts';
import { type HeapState, kSliverBytes } from '../state/heap_state.ts';

const kLookBack = 256; // events: most operations are shorter

/** The loose chunks of a heap. */
export interface Loose {
  readonly chunks: ReadonlyMap<number, number>; // bytes by address
  readonly largest: number; // bytes, 0 when none is
}

/** trace: that of the state, when there is one. */
export function looseChunks(state: HeapState, heap: HeapEntry, trace: Trace | undefined): Loose {
  const search = searchNamed(state, heap, trace);
  if (search.missing > 0) {
    for (const segment of state.segments) {
      if (segment.heap === heap.id) forEachChunk(state, segment, (at) => search.look(at));
    }
  }
  return { chunks: search.found, largest: search.largest };
}

/** The loose chunks that the last events name: bytes by address. */
export const namedLoose = (state: HeapState, heap: HeapEntry, trace: Trace | undefined): ReadonlyMap<number, number> =>
  searchNamed(state, heap, trace).found;

function searchNamed(state: HeapState, heap: HeapEntry, trace: Trace | undefined): LooseSearch {
  const search = new LooseSearch(state, heap);
  if (trace === undefined) return search;
  for (let event = state.seq - 1; event >= 0 && event >= state.seq - kLookBack && search.missing > 0; --event) {
    for (const address of namedBy(trace, event, state.wordSize)) search.look(address);
  }
  return search;
}

class LooseSearch {
  /** Loose bytes that no chunk found accounts for. */
  missing: number;
  largest = 0;
  readonly #state: HeapState;
  readonly #heap: HeapEntry;
  readonly found = new Map<number, number>();

  constructor(state: HeapState, heap: HeapEntry) {
    this.#state = state;
    this.#heap = heap;
    this.missing = heap.free;
    for (const bytes of heap.binBytes) this.missing -= bytes;
    for (const at of [heap.top, heap.victim]) if (at !== 0) this.missing -= state.sizeOf(state.granuleAt(at));
    if (state.sliver !== 0 && state.segmentAt(state.sliver)?.heap === heap.id) this.#take(state.sliver, kSliverBytes);
  }

  look(address: number): void {
    const { chunks, tag } = this.#state;
    const granule = this.#state.granuleAt(address);
    const word = chunks[granule] ?? 0;
    if (word === 0 || (word & kInUse) !== 0 || tag[granule] !== 0 || this.found.has(address)) return;
    if (address === this.#heap.top || address === this.#heap.victim) return;
    if (this.#state.addressOf(granule) !== address || this.#state.segmentAt(address)?.heap !== this.#heap.id) return;
    this.#take(address, this.#state.sizeOf(granule));
  }

  #take(address: number, bytes: number): void {
    this.found.set(address, bytes);
    this.missing -= bytes;
    this.largest = Math.max(this.largest, bytes);
  }
}

/** Where chunks may begin that the event made loose. */
function namedBy(trace: Trace, event: number, wordSize: number): readonly number[] {
  const [a, b, c] = [trace.a(event), trace.b(event), trace.c(event)];
  switch (trace.kind(event)) {
    case EventKind.segmentAdded:
      return [c];
    case EventKind.segmentExtended:
      return [a + b - wordSize];
    case EventKind.chunkSplit:
      return [a, a + b];
    case EventKind.chunksMerged:
    case EventKind.chunkReleased:
    case EventKind.binRemoved:
      return [a];
    case EventKind.topChanged:
    case EventKind.victimChanged:
      return [b];
    default:
      return [];
  }
}
