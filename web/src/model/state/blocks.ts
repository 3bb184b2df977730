// The blocks of pools: what a pool is, which chunks hold its blocks, and the tree order of those that have free nodes.
// markBlock <-> unmarkBlock, insertInTree <-> removeFromTree.

import { Shape } from '../../protocol/event_layout.ts';
import { kHoldsBlock, kInUse } from './chunk_table.ts';
import { contradict } from './contradiction.ts';
import type { PoolEntry } from './entries.ts';
import { type HeapState, kTreeEnd } from './heap_state.ts';
import { inUseGranuleOf } from './in_use.ts';
import { moveBlockNodes } from './thread_caches.ts';
import { countFreeNodes } from './walk.ts';

const kShapes: ReadonlySet<number> = new Set(Object.values(Shape));
const kSubBlocksPerNode = 64;

export function shapePool(pool: PoolEntry, subBlockBytes: number, subBlocks: number, shape: number): void {
  if (pool.shape !== 0) contradict(`pool ${pool.id} has a shape already`);
  checkNoBlocks(pool);
  if (subBlocks !== 0 && subBlockBytes === 0) contradict('sub-blocks of 0 bytes are impossible');
  if (!kShapes.has(shape & 0xff)) contradict(`there is no shape ${shape & 0xff}`);
  pool.subBlockBytes = subBlockBytes;
  pool.subBlocks = subBlocks;
  pool.shape = (shape & 0xff) as Shape;
  pool.maxFreeBlocks = shape >>> 8;
}

export function rulePool(pool: PoolEntry, firstNode: number, laterNode: number, blockBytes: number): void {
  if (pool.firstNode + pool.laterNode + pool.blockBytes !== 0) contradict(`pool ${pool.id} is ruled already`);
  checkNoBlocks(pool);
  pool.firstNode = firstNode;
  pool.laterNode = laterNode;
  pool.blockBytes = blockBytes;
}

/** The blocks were checked against the shape that the pool had when they came (event.P1), and are again when it is undone. */
function checkNoBlocks(pool: PoolEntry): void {
  if (pool.blocks !== 0) contradict(`pool ${pool.id} has blocks already`);
}

export function markBlock(state: HeapState, pool: PoolEntry, block: number): void {
  const chunk = block - state.wordSize;
  const granule = state.granuleOf(chunk);
  const size = state.sizeOf(granule);
  inUseGranuleOf(state, chunk, size);
  state.checkOwner(pool.heap, chunk);
  if (size < pool.blockBytes + state.wordSize) contradict(`the chunk at ${chunk} is too small for a block`);
  checkNodesFit(pool);
  state.countNodes(pool.nodesPerBlock);
  state.setChunk(granule, size, kInUse | kHoldsBlock);
  state.tag[granule] = pool.id;
  state.next[granule] = 0;
  pool.blocks += 1;
  moveBlockNodes(pool, pool.nodesPerBlock);
}

/** event.P1: the nodes lie inside the block. */
function checkNodesFit({
  id,
  nodeSize,
  nodesPerBlock,
  firstNode,
  laterNode,
  blockBytes,
  subBlocks,
  subBlockBytes,
}: PoolEntry): void {
  if (subBlocks > (nodesPerBlock + 1) * kSubBlocksPerNode) contradict(`pool ${id} has too many sub-blocks`); // M8
  const capacity = (bytes: number) => Math.max(0, Math.floor(bytes / nodeSize));
  const last = blockBytes - (subBlocks - 1) * subBlockBytes; // of several sub-blocks
  let nodes = capacity(blockBytes - firstNode);
  if (subBlocks > 1)
    nodes =
      capacity(subBlockBytes - firstNode) +
      (subBlocks - 2) * capacity(subBlockBytes - laterNode) +
      capacity(last - laterNode);
  const apart = firstNode % 4 !== 0 || laterNode % 4 !== 0 || nodeSize % 4 !== 0 || (subBlocks > 1 && last < 1);
  if (nodes < nodesPerBlock || apart)
    contradict(`a block of ${blockBytes} bytes of pool ${id} cannot have ${nodesPerBlock} nodes`);
}

export function unmarkBlock(state: HeapState, pool: PoolEntry, block: number): void {
  const granule = blockGranuleOf(state, pool, block);
  if (state.next[granule] !== 0) contradict(`the block at ${block} is still in the tree`);
  const used = pool.nodesPerBlock - countFreeNodes(state, pool, block);
  if (used !== 0) contradict(`${used} nodes of the block at ${block} are still in use`);
  moveBlockNodes(pool, -pool.nodesPerBlock);
  state.countNodes(-pool.nodesPerBlock);
  state.setChunk(granule, state.sizeOf(granule), kInUse);
  state.tag[granule] = 0;
  pool.blocks -= 1;
}

export function isBlock(state: HeapState, pool: PoolEntry, block: number): boolean {
  const granule = state.granuleAt(block - state.wordSize);
  const marked = ((state.chunks[granule] ?? 0) & kHoldsBlock) !== 0;
  return marked && state.tag[granule] === pool.id && state.addressOf(granule) === block - state.wordSize;
}

export function blockGranuleOf(state: HeapState, pool: PoolEntry, block: number): number {
  const granule = state.granuleOf(block - state.wordSize);
  if (!isBlock(state, pool, block)) contradict(`pool ${pool.id} has no block at ${block}`);
  return granule;
}

/** Its granule. */
export function checkInTree(state: HeapState, pool: PoolEntry, block: number): number {
  const granule = blockGranuleOf(state, pool, block);
  if (state.next[granule] === 0) contradict(`the block at ${block} is not in the tree`);
  return granule;
}

export function insertInTree(state: HeapState, pool: PoolEntry, block: number, predecessor: number): void {
  const granule = blockGranuleOf(state, pool, block);
  if (state.next[granule] !== 0) contradict(`the block at ${block} is in the tree already`);
  if (predecessor === 0) {
    state.next[granule] = pool.treeFirst === 0 ? kTreeEnd : pool.treeFirst;
    pool.treeFirst = block;
  } else {
    const before = checkInTree(state, pool, predecessor);
    state.next[granule] = state.next[before] ?? 0;
    state.next[before] = block;
  }
  pool.treeCount += 1;
}

export function removeFromTree(state: HeapState, pool: PoolEntry, block: number, predecessor: number): void {
  const granule = blockGranuleOf(state, pool, block);
  const after = state.next[granule] ?? 0;
  if (after === 0) contradict(`the block at ${block} is not in the tree`);
  if (predecessor === 0) {
    if (pool.treeFirst !== block) contradict(`the block at ${block} is not the first of pool ${pool.id}`);
    pool.treeFirst = after === kTreeEnd ? 0 : after;
  } else {
    const before = blockGranuleOf(state, pool, predecessor);
    if (state.next[before] !== block) contradict(`${predecessor} is not before ${block} in pool ${pool.id}`);
    state.next[before] = after;
  }
  state.next[granule] = 0;
  pool.treeCount -= 1;
}
