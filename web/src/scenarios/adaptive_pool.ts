// An adaptive pool beside ordinary blocks: it fills, thins out at random, fills its fullest blocks first, and gives
// every wholly free block but two back to the heap.

import type { Addr } from '../base/brand.ts';
import { createRandom } from '../base/random.ts';
import { movesOf, progressOf, takeAny } from './moves.ts';
import type { Scenario } from './scenario.ts';

const kNodeSize = 24;
const kNodesPerBlock = 256;
const kMaxFreeBlocks = 2;
const kNodes = 6000;
const kWindow = 200; // nodes that may go next while the pool empties

const chapters = [
  'Ordinary traffic',
  'The pool fills',
  'Thin out: most nodes go, at random',
  'Refill: the fullest blocks first',
  'Empty: blocks go back, two stay',
  'The heap takes over the space',
] as const;

export const adaptivePool: Scenario = {
  info: {
    id: 'adaptive_pool',
    title: 'Adaptive pool: fill, thin out, give back',
    summary:
      '6,000 nodes of 24 bytes in aligned blocks, refilled fullest first and returned to the heap block by block.',
    chapters,
    experiment: undefined,
  },
  *run(operations, seed) {
    const moves = movesOf(operations);
    const random = createRandom(seed);
    const progress = progressOf(chapters.length);
    const others: Addr[] = [];
    const nodes: Addr[] = [];
    const other = () => others.push(moves.allocate(24 + random.below(random.below(5) === 0 ? 2600 : 300)));
    const dropOther = () => {
      const mem = takeAny(others, random.below);
      if (mem !== undefined) moves.free(mem);
    };
    const dropNode = (pool: number) => {
      const node = takeAny(nodes, random.below);
      if (node !== undefined) moves.returnNode(pool, node);
    };

    yield progress.begin(0);
    for (let i = 0; i < 260; i++) {
      other();
      if (i % 5 === 4) dropOther();
      if (i % 40 === 0) yield progress.within(i / 260);
    }
    const pool = moves.createAdaptivePool(kNodeSize, kNodesPerBlock, kMaxFreeBlocks);

    yield progress.begin(1);
    while (nodes.length < kNodes) {
      nodes.push(...moves.takeNodes(pool, 1));
      if (nodes.length % 120 === 0) other();
      if (nodes.length % 170 === 0) dropOther();
      if (nodes.length % 200 === 0) yield progress.within(nodes.length / kNodes);
    }

    yield progress.begin(2);
    const thin = Math.floor(kNodes * 0.35);
    while (nodes.length > thin) {
      dropNode(pool);
      if (nodes.length % 150 === 0) dropOther();
      if (nodes.length % 200 === 0) yield progress.within((kNodes - nodes.length) / (kNodes - thin));
    }

    yield progress.begin(3);
    const refill = Math.floor(kNodes * 0.6);
    while (nodes.length < refill) {
      nodes.push(...moves.takeNodes(pool, 1));
      if (nodes.length % 200 === 0) yield progress.within((nodes.length - thin) / (refill - thin));
    }

    yield progress.begin(4);
    nodes.sort((one, other) => one - other);
    while (nodes.length > 0) {
      // From high addresses to low, not quite in order: block after block becomes wholly free.
      const from = Math.max(0, nodes.length - kWindow);
      for (const node of nodes.splice(from + random.below(nodes.length - from), 1)) moves.returnNode(pool, node);
      if (nodes.length % 200 === 0) yield progress.within(1 - nodes.length / refill);
    }

    yield progress.begin(5);
    for (let i = 0; i < 220; i++) {
      other();
      if (i % 3 === 2) dropOther();
      if (i % 40 === 0) yield progress.within(i / 220);
    }
    operations.operate({ op: 'poolTrim', pool });
  },
};
