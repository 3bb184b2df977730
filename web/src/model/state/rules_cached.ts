// Chunks that malloc caches (cached_chunks.ts). One that it caches is born when it was freed, one that it gave out when it was reused.

import { detailOf, heapOf } from '../../trace/trace.ts';
import {
  cacheChunk,
  cachedGranuleOf,
  holderOn,
  kListWasUnknown,
  kUnknownList,
  listOf,
  markCached,
  moveCached,
  unmarkCached,
} from './cached_chunks.ts';
import type { HeapState } from './heap_state.ts';
import { checkRequest } from './in_use.ts';
import type { Rule } from './rule.ts';

export const kCachedRules = {
  chunkCached: {
    about: 'chunk',
    noted: 'cached',
    apply: (state, lost, seq, head, a, b, c) => {
      const granule = cacheChunk(state, state.heap(heapOf(head)), detailOf(head), a, b, c);
      lost.set(seq, state.born[granule] ?? 0);
      state.born[granule] = seq;
    },
    undo: (state, lost, seq, head, a) => {
      const granule = state.granuleOf(a);
      unmarkCached(state, state.heap(heapOf(head)), granule);
      state.born[granule] = lost.at(seq);
    },
  },
  chunkReused: {
    about: 'chunk',
    noted: 'cached',
    apply: (state, lost, seq, head, a, b, c) => {
      checkRequest(a, b, c);
      const list = detailOf(head);
      const granule = cachedGranuleOf(state, list, a, b, holderOn(list, state.acting));
      lost.set(seq, ((state.born[granule] ?? 0) | unknownList(state, granule)) >>> 0);
      unmarkCached(state, state.heap(heapOf(head)), granule);
      state.born[granule] = seq;
    },
    undo: (state, lost, seq, head, a) => {
      const granule = state.granuleOf(a);
      const recorded = lost.at(seq);
      markCached(
        state,
        state.heap(heapOf(head)),
        granule,
        listBefore(recorded, detailOf(head)),
        holderOn(detailOf(head), state.acting),
      );
      state.born[granule] = (recorded & ~kListWasUnknown) >>> 0;
    },
  },
  cachedMoved: {
    about: 'chunk',
    noted: 'cached',
    apply: (state, _lost, _seq, head, a, b, c) => moveCached(state, state.heap(heapOf(head)), detailOf(head), a, b, c),
    undo: (state, _lost, _seq, head, a, b, c) => moveCached(state, state.heap(heapOf(head)), detailOf(head), a, c, b),
  },
  cachedEnded: {
    about: 'chunk',
    noted: 'cached',
    apply: (state, lost, seq, head, a, b, c) => {
      const granule = cachedGranuleOf(state, detailOf(head), a, b, c);
      lost.set(seq, unknownList(state, granule) >>> 0);
      unmarkCached(state, state.heap(heapOf(head)), granule);
    },
    undo: (state, lost, seq, head, a, _b, c) =>
      markCached(state, state.heap(heapOf(head)), state.granuleOf(a), listBefore(lost.at(seq), detailOf(head)), c),
  },
} satisfies Record<string, Rule>;

const unknownList = (state: HeapState, granule: number): number =>
  listOf(state, granule) === kUnknownList ? kListWasUnknown : 0;

const listBefore = (lost: number, list: number): number => ((lost & kListWasUnknown) !== 0 ? kUnknownList : list);
