// Slabs that malloc makes of chunks, and ends (slabs.ts).

import { kSlabWords } from '../../protocol/event_layout.ts';
import { detailOf, heapOf } from '../../trace/trace.ts';
import { cachedGranuleOf, markCached, unmarkCached } from './cached_chunks.ts';
import { kInUse } from './chunk_table.ts';
import { contradict } from './contradiction.ts';
import type { HeapEntry } from './entries.ts';
import type { HeapState } from './heap_state.ts';
import { inUseGranuleOf } from './in_use.ts';
import type { Rule } from './rule.ts';
import { kSlabHolder, kSlabRest, leastPart, ownBytes, partsOf, slabListOf } from './slabs.ts';

export const kSlabRules = {
  slabMade: {
    about: 'chunk',
    noted: 'cached',
    apply: (state, lost, seq, head, a, b, c) => {
      const heap = state.heap(heapOf(head));
      const list = detailOf(head);
      const granule = state.granuleOf(a);
      const size = state.sizeOf(granule);
      inUseGranuleOf(state, a, size);
      if (c !== 0) partsOf(state, list, size, b, c);
      else if (list !== kSlabWords || b !== 0) contradict('a slab without blocks is impossible');
      lost.set(seq, state.born[granule] ?? 0);
      if (c !== 0) addParts(state, heap, list, a, size, b, c, undefined, seq);
      state.born[granule] = seq;
      markCached(state, heap, granule, kSlabWords, kSlabHolder);
    },
    undo: (state, lost, seq, head, a, b, c) => {
      const heap = state.heap(heapOf(head));
      takeParts(state, heap, a, b, c);
      state.born[state.granuleOf(a)] = lost.at(seq);
    },
  },
  slabEnded: {
    about: 'chunk',
    noted: 'cached',
    apply: (state, lost, seq, head, a, b, c) => {
      const heap = state.heap(heapOf(head));
      const used = checkParts(state, detailOf(head), a, b, c);
      const births = takeParts(state, heap, a, b, c);
      const size = state.sizeOf(state.granuleOf(a));
      cutAround(state, heap, a, size, b, used, births, seq);
      lost.lists.set(seq, Uint32Array.of(...births, size, ...used));
    },
    undo: (state, lost, seq, head, a, b, c) => {
      const heap = state.heap(heapOf(head));
      const saved = lost.lists.get(seq) as Uint32Array;
      const births = saved.subarray(0, c === 0 ? 0 : c + 1);
      const size = saved[births.length] as number;
      const used = saved.subarray(births.length + 1);
      joinAround(state, heap, a, size, b, used);
      if (c !== 0) addParts(state, heap, detailOf(head), a, size, b, c, births, seq);
      for (const i of used) unmarkCached(state, heap, state.granuleOf(blockOf(state, a, b, i)));
      markCached(state, heap, state.granuleOf(a), kSlabWords, kSlabHolder);
    },
  },
} satisfies Record<string, Rule>;

/** Cuts a chunk in use behind the slab's own words. births: of the blocks, then of the rest; undefined: all at seq. */
function addParts(
  state: HeapState,
  heap: HeapEntry,
  list: number,
  chunk: number,
  size: number,
  bytes: number,
  count: number,
  births: Uint32Array | undefined,
  seq: number,
): void {
  const own = ownBytes(state);
  const end = chunk + own + bytes * count;
  state.setChunk(state.granuleOf(chunk), own, kInUse);
  for (let i = 0; i <= count; ++i) {
    const at = chunk + own + i * bytes;
    state.addStart(at, i < count ? bytes : chunk + size - end, kInUse, births?.[i] ?? seq);
    heap.chunksInUse += 1;
    markCached(state, heap, state.granuleOf(at), i < count ? list : kSlabRest, kSlabHolder);
  }
}

const blockOf = (state: HeapState, chunk: number, bytes: number, i: number): number =>
  chunk + ownBytes(state) + i * bytes;

/** A slab with these parts may end so: the numbers of its blocks in use, no two of which are neighbours. */
function checkParts(state: HeapState, list: number, chunk: number, bytes: number, count: number): number[] {
  const own = cachedGranuleOf(state, kSlabWords, chunk, count === 0 ? undefined : ownBytes(state), kSlabHolder);
  const used: number[] = [];
  if (count === 0) {
    if (bytes !== 0 || list !== kSlabWords) contradict('a slab without blocks is impossible');
    return used;
  }
  partsOf(state, list, state.sizeOf(own) + bytes * count + bytes, bytes, count);
  for (let i = 0; i < count; ++i) {
    const at = blockOf(state, chunk, bytes, i);
    if (slabListOf(state, state.granuleOf(at)) !== list || state.sizeOf(state.granuleOf(at)) !== bytes)
      contradict(`the slab at ${chunk} has no block of ${bytes} bytes behind ${at}`);
    if (state.isCached(state.granuleOf(at))) continue;
    if (used[used.length - 1] === i - 1 && used.length > 0)
      contradict(`two neighbours of the slab at ${chunk} are in use`);
    used.push(i);
  }
  cachedGranuleOf(state, kSlabRest, blockOf(state, chunk, bytes, count), undefined, kSlabHolder);
  return used;
}

/** B5: where chunks begin in the chunk of `size` bytes, and whether each is a block's. */
function cutsOf(state: HeapState, chunk: number, size: number, bytes: number, used: ArrayLike<number>) {
  const cuts: { at: number; block: number }[] = [{ at: chunk, block: -1 }];
  for (let n = 0; n < used.length; ++n) {
    const i = used[n] as number;
    const at = blockOf(state, chunk, bytes, i);
    const behind = at + bytes + 2 * state.wordSize;
    const limit = n + 1 < used.length ? blockOf(state, chunk, bytes, used[n + 1] as number) : chunk + size;
    cuts.push({ at, block: i });
    if (limit - behind >= leastPart(state)) cuts.push({ at: behind, block: -1 });
  }
  return cuts;
}
/** Joins the parts to one chunk in use, born with its own words; the births of the others. pre: checkParts */
function takeParts(state: HeapState, heap: HeapEntry, chunk: number, bytes: number, count: number): Uint32Array {
  const births = new Uint32Array(count === 0 ? 0 : count + 1);
  const granule = state.granuleOf(chunk);
  unmarkCached(state, heap, granule);
  let size = state.sizeOf(granule);
  const first = chunk + ownBytes(state);
  for (let i = 0; i < births.length; ++i) {
    const part = state.granuleOf(first + i * bytes);
    if (state.isCached(part)) unmarkCached(state, heap, part);
    births[i] = state.born[part] ?? 0;
    size += state.sizeOf(part);
    state.removeStart(part);
    heap.chunksInUse -= 1;
  }
  state.setChunk(granule, size, kInUse);
  return births;
}

/** Cuts what takeParts joined around the blocks in use. */
function cutAround(
  state: HeapState,
  heap: HeapEntry,
  chunk: number,
  size: number,
  bytes: number,
  used: ArrayLike<number>,
  births: Uint32Array,
  seq: number,
): void {
  const cuts = cutsOf(state, chunk, size, bytes, used);
  for (let n = cuts.length - 1; n > 0; --n) {
    const { at, block } = cuts[n] as (typeof cuts)[number];
    const end = cuts[n + 1]?.at ?? chunk + size;
    state.addStart(at, end - at, kInUse, block < 0 ? seq : (births[block] as number));
    heap.chunksInUse += 1;
  }
  state.setChunk(state.granuleOf(chunk), (cuts[1]?.at ?? chunk + size) - chunk, kInUse);
}

/** Takes cutAround back. */
function joinAround(
  state: HeapState,
  heap: HeapEntry,
  chunk: number,
  size: number,
  bytes: number,
  used: ArrayLike<number>,
): void {
  for (const { at } of cutsOf(state, chunk, size, bytes, used).slice(1)) {
    state.removeStart(state.granuleOf(at));
    heap.chunksInUse -= 1;
  }
  state.setChunk(state.granuleOf(chunk), size, kInUse);
}
