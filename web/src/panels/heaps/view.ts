// The heaps that share linear memory, and the caches of the chosen one.

import { hexAddress } from '../../base/csv.ts';
import { createDisposal } from '../../base/disposal.ts';
import { partOf, want } from '../../protocol/parts.ts';
import { kListsPanel } from '../lists/part.ts';
import type { Panel } from '../panel.ts';
import { createCaches } from './caches.ts';
import { createHeaps } from './heaps.ts';
import { kCaches } from './part.ts';

export const panel: Panel = {
  id: 'heaps',
  title: 'Heaps',
  wants: () => want(kCaches, true),
  tables: ({ frame }) => [
    {
      name: 'Heaps',
      columns: ['heap', 'base', 'footprint', 'in_use', 'cached', 'segments', 'chunks_in_use', 'chunks_cached', 'pools'],
      rows: frame.status.heaps.map((row) => [
        row.id,
        hexAddress(row.base),
        row.footprint,
        row.inUse,
        row.cached,
        row.segments,
        row.chunksInUse,
        row.chunksCached,
        row.pools,
      ]),
    },
  ],
  create(parent, { store }) {
    const owned = createDisposal();
    const choose = (heap: number) => store.set({ heap, bin: undefined, pool: undefined });
    const heaps = owned.own(createHeaps(parent, { choose }));
    const caches = owned.own(createCaches(parent, { selectPool: (pool) => store.set({ pool, tab: kListsPanel }) }));
    return {
      show({ frame, parts, state }) {
        const rows = frame.status.heaps;
        heaps.update(rows, state.heap || (rows[0]?.id ?? 0));
        caches.update(partOf(parts, kCaches));
      },
      dispose: owned.dispose,
    };
  },
};
