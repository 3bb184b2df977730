// The panels that follow from a frame alone, each in its own entry. Those that also talk to a program or an experiment are
// made by program_panels.ts.

import { addr, seq } from '../base/brand.ts';
import { blockNames } from '../map/pool_names.ts';
import type { Tab } from '../moment/state.ts';
import { createExplain } from '../panels/chunk/explain.ts';
import { createInspector } from '../panels/chunk/inspector.ts';
import { createCompare } from '../panels/compare/compare.ts';
import { createCaches } from '../panels/heaps/caches.ts';
import { createHeaps } from '../panels/heaps/heaps.ts';
import { scenePanel } from '../panels/learn/scene_panel.ts';
import { createBins } from '../panels/lists/bins.ts';
import { createPools } from '../panels/lists/pools.ts';
import type { Panel, PanelPage, PanelView } from '../panels/panel.ts';
import { scriptPanel } from '../panels/script/script_panel.ts';
import { createSites } from '../panels/sites/sites.ts';
import { createTemporaries } from '../panels/sites/temporaries.ts';
import { createSizes } from '../panels/sizes/sizes.ts';
import type { Layout } from './layout.ts';

const kNode = 16;

const lists: Panel = {
  tab: 'lists',
  create(room, { store, reveal }) {
    const bins = createBins(room, { select: (bin) => store.set({ bin }) });
    const pools = createPools(room, {
      select: (pool) => store.set({ pool }),
      selectBlock: (block, size) => reveal(addr(block), size),
    });
    return {
      show({ frame, state, moving, pool }) {
        bins.update(frame.bins, state.bin, moving);
        pools.update(frame, frame.poolBlocks, pool, frame.inspect?.block?.address);
      },
      destroy() {
        bins.destroy();
        pools.destroy();
      },
    };
  },
};

const heaps: Panel = {
  tab: 'heaps',
  wants: () => ({ caches: true }),
  create(room, { store }) {
    const heaps = createHeaps(room, { choose: (heap) => store.set({ heap, bin: undefined, pool: undefined }) });
    const caches = createCaches(room, { selectPool: (pool) => store.set({ pool, tab: 'lists' }) });
    return {
      show({ frame, state, caches: shown }) {
        heaps.update(frame.heaps, state.heap || (frame.status.heaps[0]?.id ?? 0));
        caches.update(shown);
      },
      destroy() {
        heaps.destroy();
        caches.destroy();
      },
    };
  },
};

const sizes: Panel = {
  tab: 'sizes',
  wants: () => ({ sizes: true }),
  create(room, { reveal }) {
    const view = createSizes(room, { reveal });
    return {
      show: ({ sizes }) => view.update(sizes),
      destroy: view.destroy,
    };
  },
};

const compare: Panel = {
  tab: 'compare',
  wants: ({ since }) => (since === undefined ? {} : { since: seq(since) }),
  create(room, { store, reveal, seek }) {
    const view = createCompare(room, {
      keep: (since) => store.set({ since }),
      seek: (event) => seek(seq(event)),
      reveal,
    });
    return {
      show: ({ frame, state, compare }) => view.update(compare, state.since, frame.status.seq),
      destroy: view.destroy,
    };
  },
};

const sites: Panel = {
  tab: 'sites',
  wants: () => ({ sites: true }),
  create(room, page) {
    const view = createSites(room);
    const temporaries = createTemporaries(room, { count: page.temporaries });
    return {
      show({ sites, frame, state, moving }) {
        view.update(sites);
        if (state.tab === 'sites' && !moving) temporaries.update(state.source, frame.status.head);
      },
      destroy() {
        view.destroy();
        temporaries.destroy();
      },
    };
  },
};

const chunk: Panel = {
  tab: 'chunk',
  create(room, { reveal, seek }) {
    const inspector = createInspector(room, {
      select: (address) => reveal(address, kNode),
      seek: (at) => seek(seq(at)),
    });
    const explain = createExplain(room, { seek: (at) => seek(seq(at)) });
    return {
      show({ frame, explained }) {
        inspector.update(frame.inspect, blockNames(frame.pools));
        explain.update(explained, seq(Math.max(0, frame.status.seq - 1)));
      },
      destroy() {
        inspector.destroy();
        explain.destroy();
      },
    };
  },
};

export const kPanels: readonly Panel[] = [lists, heaps, sizes, compare, sites, scenePanel, scriptPanel, chunk];

/** Those of a page with these tabs, each in its room. */
export const createPanels = (layout: Layout, tabs: readonly Tab[], page: PanelPage): readonly PanelView[] =>
  kPanels.filter(({ tab }) => tabs.includes(tab)).map(({ tab, create }) => create(layout.room(tab), page));
