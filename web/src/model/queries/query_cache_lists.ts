// The cache lists of malloc at one moment: who has how many chunks of which sizes, and how they went last.

import { bytes, seq } from '../../base/brand.ts';
import type { CacheListMove, CacheListRow, CacheListsFrame } from '../../panels/heaps/part.ts';
import { kSlabWords } from '../../protocol/event_layout.ts';
import { isSlabList } from '../../protocol/slab_lists.ts';
import { detailOf } from '../../trace/trace.ts';
import { kCentralHolder, kUnknownList } from '../state/cached_chunks.ts';
import { cacheListKey, type HeapEntry } from '../state/entries.ts';
import type { HeapState } from '../state/heap_state.ts';
import { kSlabHolder, kSlabRest } from '../state/slabs.ts';
import type { History } from '../time/history.ts';
import { threadsOf } from './threads_shown.ts';

const kMostOfMove = 4096;

/** undefined: malloc works on another heap, or the trace has none. */
export function queryCacheLists(history: History, state: HeapState, heap: HeapEntry): CacheListsFrame | undefined {
  const { malloc } = history;
  if (malloc.heap !== heap.id && heap.cacheLists.size === 0) return undefined;
  const entries = [...heap.cacheLists.values()];
  const central = malloc.hasCentral || entries.some(({ holder }) => holder === kCentralHolder);
  const threads = threadsOf(state);
  const flushing = malloc.flushUnderWay(state.seq);
  const holders = central ? Uint32Array.from([kCentralHolder, ...threads]) : threads;
  const lists = [...malloc.sizes.keys()].filter((list) => list < kSlabWords).sort(slabsFirst);
  if (entries.some(({ list }) => list === kUnknownList)) lists.push(kUnknownList);
  return {
    holders,
    acting: state.acting,
    rows: lists.map((list) => rowOf(history, heap, list, holders)),
    ...slabsOf(heap),
    ...flushesBefore(history, state.seq),
    flushing: flushing === undefined ? undefined : seq(flushing + 1),
    lastMove: lastMoveOf(history, state.seq),
  };
}

/** Small blocks lie in slabs, which so come first. */
function slabsFirst(one: number, other: number): number {
  return Number(isSlabList(other)) - Number(isSlabList(one)) || one - other;
}

/** What is cached, how many slabs there are, and what of them no block can be. */
function slabsOf(heap: HeapEntry): Pick<CacheListsFrame, 'chunks' | 'bytes' | 'slabs'> {
  const own = heap.cacheLists.get(cacheListKey(kSlabHolder, kSlabWords)) ?? { chunks: 0, bytes: 0 };
  const rest = heap.cacheLists.get(cacheListKey(kSlabHolder, kSlabRest)) ?? { chunks: 0, bytes: 0 };
  return {
    chunks: heap.chunksCached,
    bytes: bytes(heap.cached),
    slabs: { count: rest.chunks, ownBytes: bytes(own.bytes + rest.bytes) },
  };
}

/** The sizes of a list's chunks as far as the trace has shown them. */
export function listSizes(history: History, list: number, size: number) {
  const { low, high } = history.malloc.sizes.get(list) ?? { low: size, high: size };
  return { low: bytes(low), high: bytes(high) };
}

function rowOf(history: History, heap: HeapEntry, list: number, holders: Uint32Array): CacheListRow {
  const of = (holder: number) => heap.cacheLists.get(cacheListKey(holder, list));
  return {
    list: list === kUnknownList ? undefined : list,
    ...listSizes(history, list, 0),
    chunks: Uint32Array.from(holders, (holder) => of(holder)?.chunks ?? 0),
    bytes: Float64Array.from(holders, (holder) => of(holder)?.bytes ?? 0),
  };
}

function flushesBefore(history: History, now: number): Pick<CacheListsFrame, 'flushes' | 'lastFlush'> {
  const { malloc, operations, trace } = history;
  const flushes = malloc.flushEnds.countBelow(now);
  if (flushes === 0) return { flushes, lastFlush: undefined };
  const begin = malloc.flushBegins.at(flushes - 1);
  const outermost = operations.around(begin)?.[0] === begin;
  return {
    flushes,
    lastFlush: {
      seq: seq(begin + 1),
      bytes: bytes(trace.b(malloc.flushEnds.at(flushes - 1))),
      chunks: malloc.flushChunks.at(flushes - 1),
      slabs: malloc.flushSlabs.at(flushes - 1),
      nested: !outermost,
    },
  };
}

function lastMoveOf({ malloc: { moves }, trace }: History, now: number): CacheListMove | undefined {
  let nth = moves.countBelow(now) - 1;
  if (nth < 0) return undefined;
  const last = moves.at(nth);
  const list = detailOf(trace.head(last));
  const [from, to] = [trace.b(last), trace.c(last)];
  let chunks = 0;
  for (let event = last; nth >= 0 && chunks < kMostOfMove; ) {
    if (detailOf(trace.head(event)) !== list || trace.b(event) !== from || trace.c(event) !== to) break;
    ++chunks;
    --nth;
    if (nth < 0 || moves.at(nth) !== event - 1) break;
    --event;
  }
  return { seq: seq(last + 1), list, from, to, chunks };
}
