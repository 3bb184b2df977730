// Pools, their blocks and nodes, and the thread that acts on them.

import { assertThat } from '../../base/assert.ts';
import { detailOf, heapOf } from '../../trace/trace.ts';
import {
  blockGranuleOf,
  checkInTree,
  insertInTree,
  isBlock,
  markBlock,
  removeFromTree,
  rulePool,
  shapePool,
  unmarkBlock,
} from './blocks.ts';
import { chunkContaining } from './chunk_at.ts';
import { contradict } from './contradiction.ts';
import { makePool, type PoolEntry, revivePool } from './entries.ts';
import type { HeapState } from './heap_state.ts';
import { nodeAt } from './nodes.ts';
import type { Rule } from './rule.ts';
import { changeThread, changeThreadBack, moveBatch, moveNode } from './thread_caches.ts';

export const kPoolRules = {
  poolCreated: {
    about: 'pool',
    apply: (state, _lost, _seq, head, a, b, c) => createPool(state, heapOf(head), detailOf(head), a, b, c),
    undo: (state, _lost, _seq, head) => {
      const pool = state.pools.pop();
      assertThat(pool !== undefined && pool.id === detailOf(head), 'pools are a stack');
      state.poolById[pool.id] = pool.before;
    },
  },
  poolShaped: {
    about: 'pool',
    apply: (state, _lost, _seq, head, a, b, c) => shapePool(poolOf(state, head), a, b, c),
    undo: (state, _lost, _seq, head) =>
      Object.assign(state.pool(detailOf(head)), { subBlockBytes: 0, subBlocks: 0, shape: 0, maxFreeBlocks: 0 }),
  },
  poolRuled: {
    about: 'pool',
    apply: (state, _lost, _seq, head, a, b, c) => rulePool(poolOf(state, head), a, b, c),
    undo: (state, _lost, _seq, head) =>
      Object.assign(state.pool(detailOf(head)), { firstNode: 0, laterNode: 0, blockBytes: 0 }),
  },
  poolDestroyed: {
    about: 'pool',
    apply: (state, _lost, _seq, head, a) => {
      const pool = poolOf(state, head);
      const elsewhere = pool.address !== a && pool.address !== 0; // 0: not known, read from a walk
      if (elsewhere || pool.blocks !== 0) contradict(`pool ${pool.id} at ${a} still has blocks`);
      pool.living = false;
    },
    undo: (state, _lost, _seq, head) => {
      const pool = state.poolById[detailOf(head)];
      assertThat(pool !== undefined && !pool.living, 'only an ended pool revives');
      state.poolById[pool.id] = revivePool(state.pools, pool);
    },
  },
  blockMade: {
    about: 'pool',
    apply: (state, _lost, _seq, head, a) => markBlock(state, poolOf(state, head), a),
    undo: (state, _lost, _seq, head, a) => unmarkBlock(state, state.pool(detailOf(head)), a),
  },
  blockRetired: {
    about: 'pool',
    apply: (state, _lost, _seq, head, a) => unmarkBlock(state, poolOf(state, head), a),
    undo: (state, _lost, _seq, head, a) => markBlock(state, state.pool(detailOf(head)), a),
  },
  blockInserted: {
    about: 'pool',
    apply: (state, _lost, _seq, head, a, b) => insertInTree(state, poolOf(state, head), a, b),
    undo: (state, _lost, _seq, head, a, b) => removeFromTree(state, state.pool(detailOf(head)), a, b),
  },
  blockRemoved: {
    about: 'pool',
    apply: (state, _lost, _seq, head, a, b) => removeFromTree(state, poolOf(state, head), a, b),
    undo: (state, _lost, _seq, head, a, b) => insertInTree(state, state.pool(detailOf(head)), a, b),
  },
  blockMoved: {
    about: 'pool',
    apply: (state, _lost, _seq, head, a, b, c) => {
      const pool = poolOf(state, head);
      if (c !== 0) checkInTree(state, pool, c);
      if (c === a) contradict(`the block at ${a} cannot follow itself`);
      removeFromTree(state, pool, a, b);
      insertInTree(state, pool, a, c);
    },
    undo: (state, _lost, _seq, head, a, b, c) => {
      const pool = state.pool(detailOf(head));
      removeFromTree(state, pool, a, c);
      insertInTree(state, pool, a, b);
    },
  },
  nodeTaken: {
    about: 'pool',
    apply: (state, _lost, _seq, head, a, b) => moveNode(state, poolOfNode(state, head, a, b), a, true),
    undo: (state, _lost, _seq, head, a) => moveNode(state, state.pool(detailOf(head)), a, false),
  },
  nodeReturned: {
    about: 'pool',
    apply: (state, _lost, _seq, head, a, b) => moveNode(state, poolOfNode(state, head, a, b), a, false),
    undo: (state, _lost, _seq, head, a) => moveNode(state, state.pool(detailOf(head)), a, true),
  },
  batchFetched: {
    about: 'pool',
    noted: 'batch',
    apply: (state, _lost, _seq, head, _a, b, c) => moveBatch(state, poolOf(state, head), c, b),
    undo: (state, _lost, _seq, head, _a, b, c) => moveBatch(state, state.pool(detailOf(head)), c, -b),
  },
  batchStored: {
    about: 'pool',
    noted: 'batch',
    apply: (state, _lost, _seq, head, _a, b, c) => moveBatch(state, poolOf(state, head), c, -b),
    undo: (state, _lost, _seq, head, _a, b, c) => moveBatch(state, state.pool(detailOf(head)), c, b),
  },
  threadChanged: {
    about: 'thread',
    noted: 'thread',
    apply: (state, lost, seq, _head, a, b) => lost.set(seq, changeThread(state, a, b)),
    undo: (state, lost, seq) => changeThreadBack(state, lost.at(seq)),
  },
} satisfies Record<string, Rule>;

function createPool(state: HeapState, heap: number, id: number, a: number, b: number, c: number): void {
  const before = state.poolById[id];
  if (id === 0) contradict('there is no pool 0');
  if (before?.living) contradict(`pool ${id} exists already`);
  state.heap(heap);
  if (b < 4) contradict(`nodes of ${b} bytes are impossible`);
  const pool = makePool(id, heap, a, b, c, before);
  state.pools.push(pool);
  state.poolById[id] = pool;
}

/** The pool that an event names; the event is of its heap. */
function poolOf(state: HeapState, head: number): PoolEntry {
  const pool = state.pool(detailOf(head));
  if (pool.heap !== heapOf(head)) contradict(`pool ${pool.id} is of heap ${pool.heap}, not of ${heapOf(head)}`);
  return pool;
}

/** A node begins there in a block of the pool; the event may name the block (event.P2). */
function poolOfNode(state: HeapState, head: number, node: number, named: number): PoolEntry {
  const pool = poolOf(state, head);
  let block = named;
  if (block === 0) {
    const known = state.lastBlock.get(pool.id) ?? 0;
    const isIn = isBlock(state, pool, known) && node >= known && node < known + pool.blockBytes;
    block = isIn ? known : (chunkContaining(state, node) ?? 0) + state.wordSize;
  }
  blockGranuleOf(state, pool, block);
  state.lastBlock.set(pool.id, block);
  if (nodeAt(pool, block, node) !== node) contradict(`no node of pool ${pool.id} begins at ${node}`);
  return pool;
}
