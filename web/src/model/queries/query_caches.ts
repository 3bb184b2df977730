// Thread caches and central lists: where the nodes of each size class are at one moment.

import { bytes, seq } from '../../base/brand.ts';
import type { CacheClassRow, CachesFrame } from '../../panels/heaps/part.ts';
import { EventKind } from '../../protocol/event_layout.ts';
import { detailOf, heapOf, kindOf } from '../../trace/trace.ts';
import { type HeapEntry, isSizeClass, type PoolEntry } from '../state/entries.ts';
import type { HeapState } from '../state/heap_state.ts';
import type { History } from '../time/history.ts';
import { queryCacheLists } from './query_cache_lists.ts';
import { threadsOf } from './threads_shown.ts';

export function queryCaches(history: History, state: HeapState, heap: HeapEntry): CachesFrame {
  const classes = state.livingPools().filter((pool) => pool.heap === heap.id && isSizeClass(pool));
  const threads = threadsOf(state);
  return {
    threads,
    moreThreads: state.threads.length - threads.length,
    acting: state.acting,
    classes: classes.sort((one, two) => one.nodeSize - two.nodeSize).map((pool) => classRow(pool, threads)),
    lastMove: lastMoveOf(history, state.seq, heap.id),
    undividedSince: classes.every((pool) => pool.divided) ? undefined : lossBefore(history, state.seq),
    cacheLists: queryCacheLists(history, state, heap),
  };
}

export function classRow(pool: PoolEntry, threads: Uint32Array): CacheClassRow {
  return {
    pool: pool.id,
    nodeSize: bytes(pool.nodeSize),
    spans: pool.blocks,
    nodes: pool.blocks * pool.nodesPerBlock,
    central: pool.central,
    inUse: pool.nodesInUse,
    cached: Uint32Array.from(threads, (thread) => pool.cached?.get(thread) ?? 0),
  };
}

/** Who acted when event `event` was written; undefined when a loss lies between. O(log events). */
export function actingAt(history: History, event: number): number | undefined {
  const { threadChanges, barriers, kept, trace } = history;
  const nth = threadChanges.countBelow(event) - 1;
  const lost = barriers.countBelow(event + 1) - 1;
  const change = nth < 0 ? undefined : threadChanges.at(nth);
  if (lost >= 0 && barriers.at(lost) > (change ?? -1)) {
    const before = kept.before(barriers.at(lost)); // who acted then acts again
    return before === undefined ? undefined : actingAt(history, before);
  }
  return change === undefined ? 1 : trace.a(change);
}

function lastMoveOf(history: History, now: number, heap: number): CachesFrame['lastMove'] {
  const { batches, trace } = history;
  for (let nth = batches.countBelow(now) - 1; nth >= 0; --nth) {
    const event = batches.at(nth);
    const head = trace.head(event);
    if (heapOf(head) !== heap) continue;
    return {
      seq: seq(event + 1),
      pool: detailOf(head),
      thread: trace.c(event),
      count: trace.b(event),
      direction: kindOf(head) === EventKind.batchFetched ? 'fetched' : 'stored',
    };
  }
  return undefined;
}

function lossBefore(history: History, now: number): ReturnType<typeof seq> {
  const nth = history.barriers.countBelow(now + 1) - 1;
  const barrier = nth < 0 ? 0 : history.barriers.at(nth);
  const before = history.kept.before(barrier);
  return before === undefined ? seq(barrier) : lossBefore(history, before);
}
