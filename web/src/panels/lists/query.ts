// Free lists and pools of the chosen heap.

import {
  queryBinChain,
  queryBins,
  queryFreeChunks,
  queryPoolBlocks,
  queryPools,
} from '../../model/queries/query_lists.ts';
import type { HeapState } from '../../model/state/heap_state.ts';
import type { PartQuery } from '../query.ts';
import { kLists, type ListsPart, type ListsWant, type PoolBlocks, type PoolRow } from './part.ts';

export const listsQuery: PartQuery<ListsWant, ListsPart> = {
  key: kLists,
  query({ history, state, heap }, { bin, pool, blocks }) {
    if (heap === undefined) return undefined;
    const rows = queryPools(state, heap, pool);
    return {
      bins: queryBins(state, heap),
      binChain: bin === undefined ? undefined : queryBinChain(state, heap, bin),
      freeChunks: queryFreeChunks(state, heap, history.trace),
      ...rows,
      poolBlocks: blocks ? blocksOf(state, livePool(pool, rows.pools)) : undefined,
    };
  },
};

/** The chosen pool while it lives, else the first one. */
export function livePool(chosen: number | undefined, pools: readonly PoolRow[]): number | undefined {
  return pools.some((row) => row.pool === chosen) ? chosen : pools[0]?.pool;
}

function blocksOf(state: HeapState, id: number | undefined): PoolBlocks | undefined {
  const pool = id === undefined ? undefined : state.poolById[id];
  return pool === undefined ? undefined : queryPoolBlocks(state, pool);
}
