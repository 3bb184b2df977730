// Everything that must hold in a state, whatever events led to it: chunks side by side, lists whole, counters right. The first
// thing that does not, in words.

import { listOf } from '../../web/src/model/state/cached_chunks.ts';
import { chunkContaining, forEachChunk } from '../../web/src/model/state/chunk_at.ts';
import { kHoldsBlock, kInUse } from '../../web/src/model/state/chunk_table.ts';
import type { HeapEntry, PoolEntry } from '../../web/src/model/state/entries.ts';
import { type HeapState, kSliverBytes } from '../../web/src/model/state/heap_state.ts';
import { servesRequests } from '../../web/src/model/state/slabs.ts';
import { blockAfter, countFreeNodes } from '../../web/src/model/state/walk.ts';

interface Counted {
  inUse: number;
  free: number;
  cached: number;
  chunksInUse: number;
  chunksCached: number;
  kept: number; // free chunks in a bin
}

export function checkState(state: HeapState): string | undefined {
  const counted = new Map<number, Counted>();
  const blocks = new Map<number, number>();
  let starts = 0;
  let footprint = 0;
  for (const segment of state.segments) {
    const of = counted.get(segment.heap) ?? none();
    counted.set(segment.heap, of);
    footprint += segment.size;
    let next = segment.firstChunk;
    let gap: number | undefined;
    forEachChunk(state, segment, (at, granule) => {
      const size = state.sizeOf(granule);
      if (next === state.sliver) next += kSliverBytes;
      if (!state.isForeign && at !== next) gap ??= at;
      next = at + size;
      starts += 1;
      const word = state.chunks[granule] ?? 0;
      if (state.isCached(granule)) {
        of.cached += size;
        if (servesRequests(listOf(state, granule))) of.chunksCached += 1;
      } else if ((word & kInUse) !== 0) {
        of.inUse += state.bytesOf(granule);
        of.chunksInUse += 1;
      } else {
        of.free += size;
        if (state.tag[granule] !== 0) of.kept += 1;
      }
      if ((word & kHoldsBlock) !== 0)
        blocks.set(state.tag[granule] ?? 0, (blocks.get(state.tag[granule] ?? 0) ?? 0) + 1);
      if (chunkContaining(state, at + (size >>> 1)) !== at && !state.isForeign) gap ??= at;
    });
    if (next === state.sliver) next += kSliverBytes;
    if (state.sliver >= segment.base && state.sliver < segment.base + segment.size) of.free += kSliverBytes;
    if (gap !== undefined) return `a gap before the chunk at ${gap}`;
    if (!state.isForeign && next !== segment.base + segment.size - state.wordSize)
      return `the chunks of the segment at ${segment.base} end at ${next}`;
  }
  const living = state.heaps.filter((heap) => heap.living);
  for (const heap of living) {
    const wrong = checkHeap(state, heap, counted.get(heap.id) ?? none());
    if (wrong !== undefined) return `heap ${heap.id}: ${wrong}`;
  }
  for (const pool of state.pools.filter((it) => it.living)) {
    const wrong = checkPool(state, pool, blocks.get(pool.id) ?? 0);
    if (wrong !== undefined) return `pool ${pool.id}: ${wrong}`;
  }
  const sum = (of: (heap: HeapEntry) => number) => living.reduce((all, heap) => all + of(heap), 0);
  const totals = [state.inUse, state.cached, state.footprint, state.pageStarts.reduce((all, count) => all + count, 0)];
  const right = [sum((heap) => heap.inUse), sum((heap) => heap.cached), footprint, starts];
  return String(totals) === String(right) ? undefined : `in use, cached, footprint, starts: ${totals}, not ${right}`;
}

const none = (): Counted => ({ inUse: 0, free: 0, cached: 0, chunksInUse: 0, chunksCached: 0, kept: 0 });

function checkHeap(state: HeapState, heap: HeapEntry, counted: Counted): string | undefined {
  const has = [heap.inUse, heap.free, heap.cached, heap.chunksInUse, heap.chunksCached];
  const right = [counted.inUse, counted.free, counted.cached, counted.chunksInUse, counted.chunksCached];
  if (String(has) !== String(right)) return `counts ${has}, not ${right}`;
  let kept = 0;
  for (let bin = 0; bin < heap.binFirst.length; ++bin) {
    let bytes = 0;
    let count = 0;
    for (let at = heap.binFirst[bin] ?? 0; at !== 0 && count < 1000; ++count) {
      const granule = state.granuleOf(at);
      if (state.tag[granule] !== bin + 1 || ((state.chunks[granule] ?? 0) & kInUse) !== 0) return `bin ${bin} is torn`;
      if (state.segmentAt(at)?.heap !== heap.id) return `bin ${bin} has a chunk of another heap`;
      bytes += state.sizeOf(granule);
      at = state.next[granule] ?? 0;
    }
    if (count !== heap.binCount[bin] || bytes !== heap.binBytes[bin])
      return `bin ${bin} has ${count} chunks of ${bytes}`;
    kept += count;
  }
  if (kept !== counted.kept) return `${counted.kept} chunks are in bins, their lists have ${kept}`;
  for (const at of [heap.top, heap.victim]) {
    if (at !== 0 && (state.segmentAt(at)?.heap !== heap.id || state.tag[state.granuleOf(at)] !== 0))
      return `top or victim at ${at} is none`;
  }
  return undefined;
}

function checkPool(state: HeapState, pool: PoolEntry, blocks: number): string | undefined {
  if (!state.heapById[pool.heap]?.living) return 'its heap has ended';
  if (blocks !== pool.blocks) return `${pool.blocks} blocks, not ${blocks}`;
  let tree = 0;
  for (let at = pool.treeFirst; at !== 0 && tree < 1000; ++tree) at = blockAfter(state, at);
  if (tree !== pool.treeCount) return `${pool.treeCount} blocks in the tree, not ${tree}`;
  let used = 0;
  for (const segment of state.segments) {
    forEachChunk(state, segment, (at, granule) => {
      const holds = ((state.chunks[granule] ?? 0) & kHoldsBlock) !== 0 && state.tag[granule] === pool.id;
      if (holds) used += pool.nodesPerBlock - countFreeNodes(state, pool, at + state.wordSize);
    });
  }
  return used === pool.nodesInUse ? undefined : `${pool.nodesInUse} nodes in use, not ${used}`;
}
