// Heaps, their segments, and the memory that they grow in.

import { assertThat } from '../../base/assert.ts';
import { detailOf, heapOf } from '../../trace/trace.ts';
import { contradict } from './contradiction.ts';
import { kNoBins, makeHeap, reviveHeap } from './entries.ts';
import { kFirstWordSize } from './frame_table.ts';
import type { HeapState } from './heap_state.ts';
import { kMemoryPage, reachOf } from './memory_end.ts';
import type { Rule } from './rule.ts';
import { addSegment, removeSegment, resizeSegmentDown, resizeSegmentUp } from './segments.ts';

const kMostMemoryPages = 65_536; // of 64 KiB: 4 GiB

export const kHeapRules = {
  heapCreated: {
    about: 'heap',
    noted: 'memory',
    apply: (state, _lost, _seq, head, a, b, c) => createHeap(state, heapOf(head), detailOf(head), a, b, c),
    undo: (state, _lost, _seq, head) => {
      const heap = state.heaps.pop();
      assertThat(heap !== undefined && heap.id === heapOf(head), 'heaps are a stack');
      state.heapById[heap.id] = heap.before;
      if (state.heaps.length === 0) state.wordSize = kFirstWordSize;
    },
  },
  heapDestroyed: {
    about: 'heap',
    noted: 'memory',
    apply: (state, _lost, _seq, head, a) => {
      const heap = state.heap(heapOf(head));
      const segments = state.segments.some((segment) => segment.heap === heap.id);
      if (heap.address !== a || segments) contradict(`heap ${heap.id} at ${a} still has segments`);
      heap.living = false;
      Object.assign(heap, kNoBins);
    },
    undo: (state, _lost, _seq, head) => {
      const heap = state.heapById[heapOf(head)];
      assertThat(heap !== undefined && !heap.living, 'only an ended heap revives');
      state.heapById[heap.id] = reviveHeap(state.heaps, heap);
    },
  },
  memoryGrown: {
    about: 'fact',
    noted: 'memory',
    apply: (_state, _lost, _seq, _head, oldPages, newPages) => {
      if (newPages < oldPages || newPages > kMostMemoryPages)
        contradict(`memory cannot go from ${oldPages} to ${newPages} pages`);
    },
  },
  memoryMoved: {
    about: 'fact',
    noted: 'memory',
    apply: (state, _lost, _seq, _head, oldPages, newPages) => {
      const least = reachOf(state) / kMemoryPage;
      if (newPages < least || newPages > kMostMemoryPages)
        contradict(`memory of ${oldPages} pages cannot go on with ${newPages}: its segments take ${least}`);
    },
  },
  segmentAdded: {
    about: 'heap',
    noted: 'memory',
    apply: (state, _lost, seq, head, a, b, c) => addSegment(state, heapOf(head), a, b, c, seq),
    undo: (state, _lost, _seq, head, a, b, c) => removeSegment(state, heapOf(head), a, b, c),
  },
  segmentExtended: {
    about: 'heap',
    noted: 'memory',
    apply: (state, _lost, seq, head, a, b, c) => resizeSegmentUp(state, heapOf(head), a, b, c, seq),
    undo: (state, _lost, _seq, head, a, b, c) => resizeSegmentDown(state, heapOf(head), a, c, b),
  },
  segmentTrimmed: {
    about: 'heap',
    noted: 'memory',
    apply: (state, lost, seq, head, a, b, c) => lost.set(seq, resizeSegmentDown(state, heapOf(head), a, b, c)),
    undo: (state, lost, seq, head, a, b, c) => resizeSegmentUp(state, heapOf(head), a, c, b, lost.at(seq)),
  },
  segmentRemoved: {
    about: 'heap',
    noted: 'memory',
    apply: (state, lost, seq, head, a, b, c) => lost.set(seq, removeSegment(state, heapOf(head), a, b, c)),
    undo: (state, lost, seq, head, a, b, c) => addSegment(state, heapOf(head), a, b, c, lost.at(seq)),
  },
} satisfies Record<string, Rule>;

function createHeap(state: HeapState, id: number, word: number, a: number, b: number, c: number): void {
  const before = state.heapById[id];
  if (id === 0) contradict('there is no heap 0');
  if (before?.living) contradict(`heap ${id} exists already`);
  if (word !== 0 && word !== 4 && word !== 8) contradict(`a word of ${word} bytes is impossible`);
  if (state.heaps.length !== 0 && word !== state.wordSize) contradict('heaps of different word sizes');
  const heap = makeHeap(state.heaps.length, id, a, word, b, c, before);
  state.wordSize = word;
  state.heaps.push(heap);
  state.heapById[id] = heap;
}
