// The quick lists of the malloc front at one moment: who holds how many chunks of which sizes, and how they went last.

import { bytes, seq } from '../base/brand.ts';
import type { QuickListRow, QuickListsFrame, QuickMove } from '../protocol/frames.ts';
import { detailOf } from '../trace/trace.ts';
import { type HeapEntry, quickListKey } from './entries.ts';
import type { HeapState } from './heap_state.ts';
import { kCentralHolder, kUnknownList } from './held_chunks.ts';
import type { History } from './history.ts';

const kMostOfMove = 4096;

/** undefined: the front works on another heap, or the trace has none. */
export function queryQuickLists(history: History, state: HeapState, heap: HeapEntry): QuickListsFrame | undefined {
  const { front } = history;
  if (front.heap !== heap.id && heap.quickLists.size === 0) return undefined;
  const entries = [...heap.quickLists.values()];
  const central = front.hasCentral || entries.some(({ holder }) => holder === kCentralHolder);
  const threads = Uint32Array.from(state.threads).sort();
  const holders = central ? Uint32Array.from([kCentralHolder, ...threads]) : threads;
  const lists = [...front.sizes.keys()].sort((one, other) => one - other);
  if (entries.some(({ list }) => list === kUnknownList)) lists.push(kUnknownList);
  return {
    holders,
    acting: state.acting,
    rows: lists.map((list) => rowOf(history, heap, list, holders)),
    chunks: heap.chunksHeld,
    bytes: bytes(heap.held),
    ...flushesBefore(history, state.seq),
    lastMove: lastMoveOf(history, state.seq),
  };
}

/** The sizes of a list's chunks as far as the trace has shown them. */
export function listSizes(history: History, list: number, size: number) {
  const { low, high } = history.front.sizes.get(list) ?? { low: size, high: size };
  return { low: bytes(low), high: bytes(high) };
}

function rowOf(history: History, heap: HeapEntry, list: number, holders: Uint32Array): QuickListRow {
  const of = (holder: number) => heap.quickLists.get(quickListKey(holder, list));
  return {
    list: list === kUnknownList ? undefined : list,
    ...listSizes(history, list, 0),
    chunks: Uint32Array.from(holders, (holder) => of(holder)?.chunks ?? 0),
    bytes: Float64Array.from(holders, (holder) => of(holder)?.bytes ?? 0),
  };
}

function flushesBefore(history: History, now: number): Pick<QuickListsFrame, 'flushes' | 'lastFlush'> {
  const { front, operations, trace } = history;
  const flushes = front.flushEnds.countBelow(now);
  if (flushes === 0) return { flushes, lastFlush: undefined };
  const begin = front.flushBegins.at(flushes - 1);
  const outermost = operations.around(begin)?.[0] === begin;
  return {
    flushes,
    lastFlush: {
      seq: seq(begin),
      bytes: bytes(trace.b(front.flushEnds.at(flushes - 1))),
      chunks: front.flushChunks.at(flushes - 1),
      forced: !outermost,
    },
  };
}

function lastMoveOf({ front: { moves }, trace }: History, now: number): QuickMove | undefined {
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
  return { seq: seq(last), list, from, to, chunks };
}
