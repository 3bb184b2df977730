// What the real heap's walk must give, made from the model alone: the records of event.h in the order of W1 to W4.
//
//   The header word of a chunk is rebuilt: size, C from its state, B when it holds a block, P from the chunk before it
//   (1 for the first of a segment). A cached chunk has B without C (event.h, P4).

import { popCount } from '../../base/growing.ts';
import { kNoBin, kSlabWords, WalkKind } from '../../protocol/event_layout.ts';
import { forEachChunk } from './chunk_at.ts';
import { kHoldsBlock, kInUse } from './chunk_table.ts';
import { contradict } from './contradiction.ts';
import type { PoolEntry } from './entries.ts';
import { type HeapState, kTreeEnd } from './heap_state.ts';
import { forEachNode } from './nodes.ts';
import { isHeadless, isSlabPart, slabListOf } from './slabs.ts';

/** Gets the four words of each record, in order. */
export type WalkVisitor = (head: number, address: number, size: number, extra: number) => void;

/** Bits of a header word beside the size (core: chunk/chunk.hpp). */
export const kHeaderInUse = 1;
export const kHeaderPreviousInUse = 2;
const kHeaderFlags = 7;
export const kHeaderBlock = 4; // with C: holds a pool's block; alone: cached

export function headerWord(state: HeapState, granule: number, previousInUse: boolean): number {
  const word = state.chunks[granule] ?? 0;
  let header = state.sizeOf(granule);
  if (previousInUse) header |= kHeaderPreviousInUse;
  if (isHeadless(state, granule)) return 0;
  if (state.isCached(granule) && !isSlabPart(state, granule)) return (header | kHeaderBlock) >>> 0;
  if ((word & kInUse) !== 0) header |= kHeaderInUse;
  if ((word & kHoldsBlock) !== 0) header |= kHeaderBlock;
  return header >>> 0;
}

/** Visits what a walk of the real heap would give: heap `heapId`, chunk by chunk, and its pools. From the model alone. */
export function walkModel(state: HeapState, heapId: number, visit: WalkVisitor): void {
  const heap = state.heap(heapId);
  const low = heapId << 8;
  for (const segment of state.segments) {
    if (segment.heap !== heapId) continue;
    visit(WalkKind.segment | low, segment.base, segment.size, segment.firstChunk);
    const sentinel = segment.base + segment.size - state.wordSize;
    if (state.isForeign) {
      forEachChunk(state, segment, (at, granule) => visit(WalkKind.chunkInUse | low, at, state.sizeOf(granule), 0));
      continue;
    }
    let previousInUse = true;
    for (let at = segment.firstChunk; at < sentinel; ) {
      const granule = state.granuleOf(at);
      const word = state.chunks[granule] ?? 0;
      const size = state.sizeOf(granule);
      const header = headerWord(state, granule, previousInUse);
      if (isSlabPart(state, granule)) {
        visitSlabPart(state, granule, at, header, low, visit);
      } else if (state.isCached(granule)) {
        visit((WalkKind.chunkCached | low | (state.holderOf(granule) << 16)) >>> 0, at, size, header);
      } else if ((word & kInUse) !== 0) visit(WalkKind.chunkInUse | low, at, size, header);
      else if (at === heap.top) visit(WalkKind.chunkTop | low, at, size, header);
      else if (at === heap.victim) visit(WalkKind.chunkVictim | low, at, size, header);
      else {
        const tag = state.tag[granule] ?? 0;
        const bin = tag === 0 ? kNoBin : tag - 1;
        visit((WalkKind.chunkFree | low | (bin << 16)) >>> 0, at, size, header);
      }
      if ((word & kHoldsBlock) !== 0) {
        walkBlock(state, state.pool(state.tag[granule] ?? 0), at + state.wordSize, low, visit);
      }
      previousInUse = (word & kInUse) !== 0;
      at = state.after(at, size);
    }
  }
  for (let bin = 0; bin < heap.binFirst.length; ++bin) {
    const count = heap.binCount[bin] ?? 0;
    let at = heap.binFirst[bin] ?? 0;
    for (let position = 0; at !== 0; ++position) {
      if (position >= count) contradict(`the list of bin ${bin} is longer than its ${count} chunks`);
      const granule = state.granuleOf(at);
      visit((WalkKind.binEntry | low | (bin << 16)) >>> 0, at, state.sizeOf(granule), position);
      at = state.next[granule] ?? 0;
    }
  }
  const pools = state.livingPools().filter((pool) => pool.heap === heapId);
  for (const pool of pools) {
    let at = pool.treeFirst;
    for (let position = 0; at !== 0; ++position) {
      if (position >= pool.treeCount) contradict(`the tree of pool ${pool.id} is longer than its blocks`);
      visit((WalkKind.treeEntry | low | (pool.id << 16)) >>> 0, at, countFreeNodes(state, pool, at), position);
      at = blockAfter(state, at);
    }
  }
}

/** event.W1: a slab is one record, then its blocks. It ends where its rest does. */
function visitSlabPart(
  state: HeapState,
  granule: number,
  at: number,
  header: number,
  low: number,
  visit: WalkVisitor,
): void {
  const list = slabListOf(state, granule);
  const own = state.sizeOf(granule);
  if (list !== undefined) {
    const kind = state.isCached(granule) ? WalkKind.slabBlockFree : WalkKind.slabBlockInUse;
    visit((kind | low | (list << 16)) >>> 0, at, own, 0);
    return;
  }
  if (isHeadless(state, granule)) return; // the rest
  const [blocks, size] = slabFrom(state, at, own);
  const flags = header & kHeaderFlags;
  visit((WalkKind.slab | low | ((blocks ?? kSlabWords) << 16)) >>> 0, at, size, (size | flags) >>> 0);
}

/** The list of the blocks behind a slab's own words, undefined without any, and the bytes of all its parts. */
function slabFrom(state: HeapState, chunk: number, own: number): readonly [list: number | undefined, bytes: number] {
  const first = state.granuleAt(chunk + own);
  const begins = (state.chunks[first] ?? 0) !== 0 && state.addressOf(first) === chunk + own;
  const list = begins ? slabListOf(state, first) : undefined;
  if (list === undefined) return [undefined, own];
  let at = chunk + own;
  while (slabListOf(state, state.granuleAt(at)) !== undefined) at += state.sizeOf(state.granuleAt(at));
  return [list, at + state.sizeOf(state.granuleAt(at)) - chunk];
}

function walkBlock(state: HeapState, pool: PoolEntry, block: number, low: number, visit: WalkVisitor): void {
  const high = low | (pool.id << 16);
  visit((WalkKind.block | high) >>> 0, block, pool.blockBytes, countFreeNodes(state, pool, block));
  forEachNode(
    pool,
    block,
    block,
    block + pool.blockBytes,
    (node) => {
      const kind = state.nodeInUse(node) ? WalkKind.nodeInUse : WalkKind.nodeFree;
      visit((kind | high) >>> 0, node, pool.nodeSize, block);
    },
    (subBlock, size) => visit((WalkKind.subBlock | high) >>> 0, subBlock, size, block),
  );
}

/** The next block of a pool's tree order, 0 behind the last. pre: the block is in the tree */
export function blockAfter(state: HeapState, block: number): number {
  const next = state.next[state.granuleOf(block - state.wordSize)] ?? 0;
  return next === kTreeEnd ? 0 : next;
}

/** Free nodes of a block: those that are not in use. O(bytes of the block / 128). */
export function countFreeNodes(state: HeapState, pool: PoolEntry, block: number): number {
  let inUse = 0;
  const end = block + pool.blockBytes;
  for (let at = block; at < end; ) {
    if (state.frameIsEmpty(at)) {
      at = state.afterEmptyFrame(at);
      continue;
    }
    const next = Math.min(end, at - (at % 128) + 128);
    const from = (at >>> 2) & 31;
    const bits = (next - at) >>> 2;
    const mask = bits >= 32 ? 0xffff_ffff : ((1 << bits) - 1) << from;
    inUse += popCount(state.nodeWordAt(at) & mask);
    at = next;
  }
  return pool.nodesPerBlock - inUse;
}
