// Where the free nodes of a size class are: rule P3 of event.h.
//
//   block_made ──▶ central list ──batch_fetched──▶ cache of a thread ──node_taken──▶ in use
//   block_retired ◀──           ◀──batch_stored───                   ◀─node_returned─
//
//   P3  For each class: nodes == central + sum of cached + in use; no count is ever negative.
//
//   Each change keeps the sum, so what can be wrong is a count below 0: that is a Contradiction.
//   After a loss a walk shows which nodes are free, but not where: such a pool is not divided (walk_read.ts). All its
//   free nodes count as central, and no batch changes that.

import { contradict } from './contradiction.ts';
import { isSizeClass, type PoolEntry } from './entries.ts';
import type { HeapState } from './heap_state.ts';

const kMostThreads = 1 << 29; // a number and two bits fit in the lost column

/** A block's nodes come into the central list (count > 0) or leave it. */
export function moveBlockNodes(pool: PoolEntry, count: number): void {
  if (!isSizeClass(pool)) return;
  if (pool.central + count < 0) {
    contradict(`the central list of pool ${pool.id} has ${pool.central} nodes, not the ${-count} of a block`);
  }
  pool.central += count;
}

/** From the central list into the cache of a thread, or back (count < 0). */
export function moveBatch(state: HeapState, pool: PoolEntry, thread: number, count: number): void {
  if (!pool.divided) return;
  if (!isSizeClass(pool)) contradict(`pool ${pool.id} is no size class`);
  if (count > 0 && !state.hasThread(thread)) contradict(`there is no thread ${thread}`);
  if (count > pool.central) contradict(`the central list of pool ${pool.id} has ${pool.central} nodes, not ${count}`);
  checkCache(pool, thread, count);
  addToCache(pool, thread, count);
  pool.central -= count;
}

/** A node of any pool goes into use or comes back; one of a size class from or into the cache of the acting thread. */
export function moveNode(state: HeapState, pool: PoolEntry, node: number, taken: boolean): void {
  const count = taken ? -1 : 1;
  const fromCache = isSizeClass(pool) && pool.divided;
  if (fromCache) checkCache(pool, state.acting, count);
  state.setNode(node, taken);
  pool.nodesInUse -= count;
  if (fromCache) addToCache(pool, state.acting, count);
  else if (isSizeClass(pool)) pool.central += count;
}

function checkCache(pool: PoolEntry, thread: number, count: number): void {
  const cached = pool.cached?.get(thread) ?? 0;
  if (cached + count < 0) {
    contradict(`the cache of thread ${thread} has ${cached} nodes of pool ${pool.id}, not ${-count}`);
  }
}

function addToCache(pool: PoolEntry, thread: number, count: number): void {
  pool.cached ??= new Map();
  const cached = (pool.cached.get(thread) ?? 0) + count;
  if (cached === 0) pool.cached.delete(thread);
  else pool.cached.set(thread, cached);
}

// thread_changed; the lost word:   31                 2   1    0
//                                  | acting before     | A | N |    N  the thread acts for the first time
//                                                                   A  who acted before was assumed

/** Returns the lost word. */
export function changeThread(state: HeapState, thread: number, from: number): number {
  if (thread === 0 || thread >= kMostThreads) contradict(`there is no thread ${thread}`);
  if (from !== state.acting && !state.actingAssumed) contradict(`thread ${state.acting} acted, not ${from}`);
  const isNew = !state.hasThread(thread);
  const lost = (state.acting << 2) | (state.actingAssumed ? 2 : 0) | (isNew ? 1 : 0);
  if (isNew) state.addThread(thread);
  state.acting = thread;
  state.actingAssumed = false;
  return lost >>> 0;
}

export function changeThreadBack(state: HeapState, lost: number): void {
  if ((lost & 1) !== 0) state.removeLastThread();
  state.actingAssumed = (lost & 2) !== 0;
  state.acting = lost >>> 2;
}
