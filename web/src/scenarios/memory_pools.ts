// Five lists of strings, all growing at once. First in one heap, where each lies among the others' nodes and must be
// freed node by node; then in a memory pool each, where a list has its own pages and goes with its pool.

import { type Addr, bytes } from '../base/brand.ts';
import { createRandom, type Random } from '../base/random.ts';
import { movesOf, progressOf } from './moves.ts';
import type { Scenario } from './scenario.ts';

const kLists = 5;
const kNodeBytes = 24; // a value's address, its size and two links
const kSteps = 4000; // 80 of 100 insert, the others delete
const kInsertPercent = 80;
const kLongestString = 60;

const chapters = [
  'Five lists in one heap',
  'Freed node by node',
  'A pool for each list',
  'The same lists, each in its own pages',
  'Each pool goes as a whole',
] as const;

interface Entry {
  readonly node: Addr;
  readonly text: Addr;
}

/** How one list gets and gives its parts. */
interface Home {
  readonly node: () => Addr;
  readonly text: (size: number) => Addr;
  readonly free: (entry: Entry) => void;
}

export const memoryPools: Scenario = {
  info: {
    id: 'memory_pools',
    title: 'Memory pools: five lists, freed as a whole',
    summary: 'The same five lists twice: mixed in one heap and freed node by node; in a pool each, gone at once.',
    chapters,
    experiment: undefined,
  },
  *run(operations, seed) {
    const moves = movesOf(operations);
    const progress = progressOf(chapters.length);

    function* grow(random: Random, homes: readonly Home[]) {
      const lists: Entry[][] = homes.map(() => []);
      for (let i = 0; i < kSteps; i++) {
        const nth = random.below(kLists);
        const [home, list] = [homes[nth], lists[nth]];
        if (home === undefined || list === undefined) continue;
        if (random.below(100) < kInsertPercent || list.length === 0) {
          const text = home.text(4 + random.below(kLongestString));
          list.push({ node: home.node(), text });
        } else for (const entry of list.splice(random.below(list.length), 1)) home.free(entry);
        if (i % 200 === 0) yield progress.within(i / kSteps);
      }
      return lists;
    }

    yield progress.begin(0);
    const shared: Home = {
      node: () => moves.allocate(kNodeBytes),
      text: (size) => moves.allocate(size),
      free: ({ node, text }) => moves.freeAll([text, node]),
    };
    const mixed = yield* grow(createRandom(seed), new Array<Home>(kLists).fill(shared));

    yield progress.begin(1);
    for (const [nth, list] of mixed.entries()) {
      for (const [i, entry] of list.entries()) {
        shared.free(entry);
        if (i % 100 === 0) yield progress.within((nth + i / list.length) / kLists);
      }
    }
    operations.operate({ op: 'trim', pad: bytes(0) });

    yield progress.begin(2);
    const pools: number[] = [];
    for (let nth = 0; nth < kLists; nth++) {
      pools.push(moves.createMemoryPool(kNodeBytes));
      yield progress.within(nth / kLists);
    }

    yield progress.begin(3);
    const homes = pools.map(
      (pool): Home => ({
        node: () => moves.takeFixed(pool),
        text: (size) => moves.takeFrom(pool, size),
        free: ({ node, text }) => {
          moves.freeTo(pool, text);
          moves.freeFixed(pool, node);
        },
      }),
    );
    yield* grow(createRandom(seed), homes);

    yield progress.begin(4);
    for (const [nth, pool] of pools.entries()) {
      moves.endMemoryPool(pool);
      yield progress.within(nth / kLists);
    }
  },
};
