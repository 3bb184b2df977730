// Where each free chunk is kept, and in which order; and the blocks of foreign heaps, which are kept nowhere.

import { detailOf, heapOf } from '../../trace/trace.ts';
import { insertInBin, moveTop, moveVictim, removeFromBin } from './bins.ts';
import { allocateBlock, allocateBlockBack, freeBlock, freeBlockBack } from './foreign_blocks.ts';
import type { Rule } from './rule.ts';

export const kPlaceRules = {
  binInserted: {
    about: 'chunk',
    apply: (state, _lost, _seq, head, a, b, c) => insertInBin(state, state.heap(heapOf(head)), detailOf(head), a, b, c),
    undo: (state, _lost, _seq, head, a, b, c) =>
      removeFromBin(state, state.heap(heapOf(head)), detailOf(head), a, b, c),
  },
  binRemoved: {
    about: 'chunk',
    apply: (state, _lost, _seq, head, a, b, c) =>
      removeFromBin(state, state.heap(heapOf(head)), detailOf(head), a, b, c),
    undo: (state, _lost, _seq, head, a, b, c) => insertInBin(state, state.heap(heapOf(head)), detailOf(head), a, b, c),
  },
  topChanged: {
    about: 'place',
    apply: (state, _lost, _seq, head, a, b) => moveTop(state, state.heap(heapOf(head)), a, b),
    undo: (state, _lost, _seq, head, a, b) => moveTop(state, state.heap(heapOf(head)), b, a),
  },
  victimChanged: {
    about: 'place',
    apply: (state, _lost, _seq, head, a, b) => moveVictim(state, state.heap(heapOf(head)), a, b),
    undo: (state, _lost, _seq, head, a, b) => moveVictim(state, state.heap(heapOf(head)), b, a),
  },
  blockAllocated: {
    about: 'block',
    apply: (state, lost, seq, head, a, b) => allocateBlock(state, state.heap(heapOf(head)), lost, seq, a, b),
    undo: (state, lost, seq, head, a) => allocateBlockBack(state, state.heap(heapOf(head)), lost, seq, a),
  },
  blockFreed: {
    about: 'block',
    apply: (state, lost, seq, head, a) => freeBlock(state, state.heap(heapOf(head)), lost, seq, a),
    undo: (state, lost, seq, head, a) => freeBlockBack(state, state.heap(heapOf(head)), lost, seq, a),
  },
} satisfies Record<string, Rule>;
