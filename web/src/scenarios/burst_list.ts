// A list of 1,500 nodes into a worn heap: first one search a node, then one search a run.

import type { Addr } from '../base/brand.ts';
import { createRandom } from '../base/random.ts';
import { movesOf, progressOf, takeAny } from './moves.ts';
import type { Scenario } from './scenario.ts';

const kNodes = 1500;
const kNodeSize = 20; // a value and two links on wasm32, rounded by the heap to a 24-byte chunk

const chapters = [
  'A worn heap',
  'One node at a time: scattered over the holes',
  'One node at a time: freed at random',
  'The same list in bursts: runs of up to 4,096 bytes',
  'The burst goes back in one call',
] as const;

export const burstList: Scenario = {
  info: {
    id: 'burst_list',
    title: 'Burst against single nodes',
    summary: 'The same list twice: each node searched for by itself, then all of them from one call, in runs.',
    chapters,
    experiment: undefined,
  },
  *run(operations, seed) {
    const moves = movesOf(operations);
    const random = createRandom(seed);
    const progress = progressOf(chapters.length);

    yield progress.begin(0);
    const worn: Addr[] = [];
    for (let i = 0; i < 900; i++) {
      worn.push(moves.allocate(12 + random.below(random.below(6) === 0 ? 900 : 120)));
      if (i % 100 === 0) yield progress.within((i / 900) * 0.6);
    }
    for (let i = 0; i < 420; i++) {
      const mem = takeAny(worn, random.below);
      if (mem !== undefined) moves.free(mem);
      if (i % 100 === 0) yield progress.within(0.6 + (i / 420) * 0.4);
    }

    yield progress.begin(1);
    const list: Addr[] = [];
    for (let i = 0; i < kNodes; i++) {
      list.push(moves.allocate(kNodeSize));
      if (i % 100 === 0) yield progress.within(i / kNodes);
    }

    yield progress.begin(2);
    for (let i = 0; list.length > 0; i++) {
      const mem = takeAny(list, random.below);
      if (mem !== undefined) moves.free(mem);
      if (i % 100 === 0) yield progress.within(i / kNodes);
    }

    yield progress.begin(3);
    const burst: Addr[] = [];
    for (let i = 0; i < kNodes; i += 500) {
      burst.push(...moves.burst(500, kNodeSize));
      yield progress.within(i / kNodes);
    }

    yield progress.begin(4);
    moves.freeBurst(burst);
    yield progress.within(0.5);
    moves.freeAll(worn);
  },
};
