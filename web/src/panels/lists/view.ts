// Free lists and pools of the chosen heap.

import { addr } from '../../base/brand.ts';
import { createDisposal } from '../../base/disposal.ts';
import { partOf, want } from '../../protocol/parts.ts';
import { kInspect } from '../chunk/part.ts';
import type { Panel, Shown, Table } from '../panel.ts';
import { createBins } from './bins.ts';
import { kLists, kListsPanel } from './part.ts';
import { createPools } from './pools.ts';

export const panel: Panel = {
  id: kListsPanel,
  title: 'Lists',
  answers: ['grew', 'fits', 'held_by_pool'],
  // The map names blocks after their pools and draws the list of the chosen bin.
  always: ({ bin, pool }) => want(kLists, { bin, pool, blocks: true }),
  tables: ({ parts }) => [binTable(parts), poolTable(parts)],
  create(parent, { store, reveal }) {
    const owned = createDisposal();
    const bins = owned.own(createBins(parent, { select: (bin) => store.set({ bin }) }));
    const pools = owned.own(
      createPools(parent, {
        select: (pool) => store.set({ pool }),
        selectBlock: (block, size) => reveal(addr(block), size),
      }),
    );
    return {
      show({ parts, frame, state, moving }) {
        const lists = partOf(parts, kLists);
        bins.update(lists, state.bin, moving, frame.status.freeLists);
        pools.update(lists, partOf(parts, kInspect)?.block?.address);
      },
      dispose: owned.dispose,
    };
  },
};

const binTable = (parts: Shown['parts']): Table => ({
  name: 'Bins',
  columns: ['bin', 'from_bytes', 'to_bytes', 'free_chunks', 'bytes'],
  rows: (partOf(parts, kLists)?.bins ?? []).map(({ bin, low, high, count, bytes }) => [bin, low, high, count, bytes]),
});

const poolTable = (parts: Shown['parts']): Table => ({
  name: 'Pools',
  columns: ['pool', 'heap', 'shape', 'node_bytes', 'blocks', 'nodes_in_use', 'nodes_free'],
  rows: (partOf(parts, kLists)?.pools ?? []).map((row) => [
    row.pool,
    row.heap,
    row.shape,
    row.nodeSize,
    row.blocks,
    row.nodesInUse,
    row.nodesFree,
  ]),
});
