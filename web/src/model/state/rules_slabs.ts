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
import { kSlabHolder, kSlabRest, ownBytes, partsOf } from './slabs.ts';

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
      checkParts(state, detailOf(head), a, b, c);
      lost.lists.set(seq, takeParts(state, heap, a, b, c));
    },
    undo: (state, lost, seq, head, a, b, c) => {
      const heap = state.heap(heapOf(head));
      const granule = state.granuleOf(a);
      if (c !== 0) addParts(state, heap, detailOf(head), a, state.sizeOf(granule), b, c, lost.lists.get(seq), seq);
      markCached(state, heap, granule, kSlabWords, kSlabHolder);
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

/** All parts are cached as a slab's without a block in use are. */
function checkParts(state: HeapState, list: number, chunk: number, bytes: number, count: number): void {
  const own = cachedGranuleOf(state, kSlabWords, chunk, count === 0 ? undefined : ownBytes(state), kSlabHolder);
  if (count === 0) {
    if (bytes !== 0 || list !== kSlabWords) contradict('a slab without blocks is impossible');
    return;
  }
  partsOf(state, list, state.sizeOf(own) + bytes * count + bytes, bytes, count);
  const first = chunk + ownBytes(state);
  for (let i = 0; i < count; ++i) cachedGranuleOf(state, list, first + i * bytes, bytes, kSlabHolder);
  cachedGranuleOf(state, kSlabRest, first + count * bytes, undefined, kSlabHolder);
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
    unmarkCached(state, heap, part);
    births[i] = state.born[part] ?? 0;
    size += state.sizeOf(part);
    state.removeStart(part);
    heap.chunksInUse -= 1;
  }
  state.setChunk(granule, size, kInUse);
  return births;
}
