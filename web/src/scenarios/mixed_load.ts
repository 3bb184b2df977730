// Ordinary load for a long time: blocks of a few bytes to a few thousand, vectors, bursts, a pool and a second heap in
// the same linear memory. About six events an operation, some 300,000 events in all.

import type { Addr } from '../base/brand.ts';
import { createRandom } from '../base/random.ts';
import { CommandFlag } from '../protocol/event_layout.ts';
import { movesOf, progressOf, takeAny, type Vector } from './moves.ts';
import type { Scenario } from './scenario.ts';

const kOperations = 50_000;
const kExpand = CommandFlag.expandFwd | CommandFlag.expandBwd;

const chapters = [
  'Morning: it fills',
  'Noon: it turns over',
  'A second heap beside it',
  'Evening: it thins out',
] as const;

export const mixedLoad: Scenario = {
  info: {
    id: 'mixed_load',
    title: 'A long day of mixed load',
    summary: '50,000 operations of every kind in two heaps: what a map looks like after ordinary wear.',
    chapters,
    experiment: undefined,
  },
  *run(operations, seed) {
    const moves = movesOf(operations);
    const random = createRandom(seed);
    const progress = progressOf(chapters.length);
    const live: Addr[] = [];
    const nodes: Addr[] = [];
    const vectors: Vector[] = Array.from({ length: 12 }, () => ({ mem: undefined, count: 0, element: 12 }));
    const pool = moves.createAdaptivePool(32, 128, 2);

    const size = () => 8 + random.below(1 << (4 + random.below(8)));
    const growAny = () => {
      const vector = vectors[random.below(vectors.length)];
      if (vector === undefined) return;
      if (vector.count > 6000) {
        if (vector.mem !== undefined) moves.free(vector.mem);
        vector.mem = undefined;
        vector.count = 0;
        return;
      }
      moves.grow(vector, kExpand, Math.max(8, vector.count * 2));
    };
    /** One operation; `pressure` of 100 allocations are answered by the rest as frees. */
    const one = (pressure: number) => {
      const kind = random.below(100);
      if (kind < 2) growAny();
      else if (kind < 3) live.push(...moves.burst(1 + random.below(24), 12 + random.below(60)));
      else if (kind < 25) {
        if (random.below(100) < pressure || nodes.length === 0) nodes.push(...moves.takeNodes(pool, 1));
        else {
          const node = takeAny(nodes, random.below);
          if (node !== undefined) moves.returnNode(pool, node);
        }
      } else if (random.below(100) < pressure || live.length === 0) live.push(moves.allocate(size()));
      else {
        const mem = takeAny(live, random.below);
        if (mem !== undefined) moves.free(mem);
      }
    };

    const quarter = kOperations / chapters.length;
    for (const [chapter, pressure] of [70, 50, 50, 30].entries()) {
      yield progress.begin(chapter);
      const guest: Addr[] = [];
      const second = chapter === 2 ? operations.createHeap() : undefined;
      for (let i = 0; i < quarter; i++) {
        if (second !== undefined && i % 4 === 0) {
          operations.chooseHeap(second);
          guest.push(moves.allocate(size()));
          if (guest.length > 400) moves.freeAll(guest.splice(0, 200));
          operations.chooseHeap(0);
        } else one(pressure);
        if (i % 500 === 0) yield progress.within(i / quarter);
      }
      if (second !== undefined) operations.destroyHeap(second);
    }
  },
};
