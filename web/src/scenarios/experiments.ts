// The experiments of the source documents as scenarios: which rows of each are watched. Ways that take memory elsewhere
// (the C library's malloc, a static array) write no events and are left to the tables of measured figures.

import { watchedExperiment } from './watched_experiment.ts';

export const kExperimentScenarios = [
  watchedExperiment({
    id: 'AE1',
    title: 'A vector grows at its end',
    summary:
      'Vectors of 10,000 numbers by push_back: new memory each time, then in place where the room behind is free.',
    rows: [
      { title: 'V1: new memory, copy, free the old', way: 'V1', size: 10_000, divisor: 200 },
      { title: 'V2 without expansion: with the received size', way: 'V2 masked', size: 10_000, divisor: 200 },
      { title: 'V2: forward expansion, nothing moves', way: 'V2', size: 10_000, divisor: 200 },
      { title: 'V2, ten numbers each', way: 'V2', size: 10, divisor: 10_000 },
    ],
  }),
  watchedExperiment({
    id: 'AE2',
    title: 'A vector grows at its start',
    summary: 'The same vectors with forward expansion taken away: the room before them is used instead.',
    rows: [
      { title: 'V1: new memory, copy, free the old', way: 'V1', size: 10_000, divisor: 200 },
      { title: 'V2 without expansion: with the received size', way: 'V2 masked', size: 10_000, divisor: 200 },
      { title: 'V2: backward expansion, less held at once', way: 'V2', size: 10_000, divisor: 200 },
    ],
  }),
  watchedExperiment({
    id: 'AE3',
    title: 'A vector is made to fit',
    summary: 'A vector loses five elements at a time and shrinks to fit: by a copy each time, or in place.',
    rows: [
      { title: 'V1: a smaller block and a copy each time', way: 'V1', size: 200, divisor: 40 },
      { title: 'V2: the end is cut off in place', way: 'V2', size: 200, divisor: 40 },
    ],
  }),
  watchedExperiment({
    id: 'AE4',
    title: 'Ranges into a list and out of it',
    summary: 'Ranges of 100 nodes, twice: a search for each node, then one burst a range.',
    rows: [
      { title: 'V1: a call for each node', way: 'V1', size: 100, divisor: 1000 },
      { title: 'V2: a burst for each range', way: 'V2', size: 100, divisor: 1000 },
    ],
  }),
  watchedExperiment({
    id: 'AE5',
    title: 'A list on pools',
    summary:
      'The same ranges from the plain heap and from pools: what each holds when the list is full, and when it is empty.',
    rows: [
      { title: 'Plain heap', way: 'plain V1', size: 100, divisor: 500 },
      { title: 'Plain heap, in bursts', way: 'plain V2', size: 100, divisor: 200 },
      { title: 'Adaptive pool, alignment only', way: 'align-only V2', size: 100, divisor: 200 },
      { title: 'Adaptive pool, sub-blocks, 2 % of overhead', way: '2 % V2', size: 100, divisor: 200 },
      { title: 'Segregated storage: keeps what it has', way: 'segregated V2', size: 100, divisor: 200 },
    ],
  }),
  watchedExperiment({
    id: 'BE1',
    title: 'Five lists, one heap or a pool each',
    summary: 'Five lists of strings grow in turn: mixed in one heap, then each in a memory pool that goes as a whole.',
    rows: [
      { title: 'One heap: the lists lie mixed, and go link by link', way: 'one heap', size: 20_000, divisor: 40 },
      { title: 'A pool a list: each in its own pages, gone at once', way: 'a pool a list', size: 20_000, divisor: 40 },
      { title: 'Four small pools, ended one after another', way: 'whole pool', size: 10, divisor: 2 },
    ],
  }),
  watchedExperiment({
    id: 'CE1',
    title: 'Writers and readers through an array of pools',
    summary: 'Eight threads, played in turn, exchange buffers through lock-free pools: one for all, then four.',
    rows: [
      { title: 'One pool for all threads', way: 'per thread, 1 pool', threads: 8, divisor: 200 },
      { title: 'Four pools, chosen by thread', way: 'per thread, 4 pools', threads: 8, divisor: 200 },
      { title: 'Four pools, chosen by a hash of the thread', way: 'per hash, 4 pools', threads: 8, divisor: 200 },
      { title: 'Four pools: each buffer goes back to its owner', way: 'owner, 4 pools', threads: 8, divisor: 200 },
    ],
  }),
  watchedExperiment({
    id: 'DE1',
    title: 'Pairs of allocate and free, by threads',
    summary:
      'Four threads, played in turn, take and return blocks of 128 bytes: from caches of their own, then from one heap.',
    rows: [
      {
        title: 'Thread caches: one batch, then no central list',
        way: 'small (thread caches)',
        threads: 4,
        divisor: 800,
      },
      { title: 'Thread caches, the class known when compiling', way: 'small, inlined', threads: 4, divisor: 800 },
      { title: 'One heap that every thread locks', way: 'locked heap', threads: 4, divisor: 1600 },
      { title: 'One pool that every thread locks', way: 'locked pool', threads: 4, divisor: 800 },
    ],
  }),
  watchedExperiment({
    id: 'EE1',
    title: 'A thousand objects at a time',
    summary:
      'Objects of one class are made and deleted: from a fixed-block manager that grows, then each from the heap.',
    rows: [
      { title: 'Fixed blocks: a step on a list each', way: 'manager, growing', size: 1000, divisor: 100 },
      { title: 'The heap: a chunk and a search each', way: 'heap', size: 1000, divisor: 300 },
    ],
  }),
  watchedExperiment({
    id: 'EE2',
    title: 'A hundred pointers, replaced at random',
    summary:
      'Objects replace each other at a hundred places: with fixed blocks a hundred nodes do, in the heap chunks come and go.',
    rows: [
      { title: 'Fixed blocks: a hundred nodes, used again and again', way: 'manager, growing', divisor: 100 },
      { title: 'The heap: chunks split and join', way: 'heap', divisor: 300 },
    ],
  }),
  watchedExperiment({
    id: 'EE3',
    title: 'A list of 1000 numbers',
    summary:
      'A std::list is made and deleted, with allocators over fixed blocks, arenas by power of two, and the heap.',
    rows: [
      { title: 'Fixed blocks: one node size', way: 'manager, growing', divisor: 1000 },
      { title: 'Fast fit: an arena for each power of two', way: 'fast fit', divisor: 1000 },
      { title: 'The heap', way: 'heap', divisor: 3000 },
    ],
  }),
  watchedExperiment({
    id: 'EE4',
    title: 'A map of 1000 numbers',
    summary: 'A std::map is made and deleted, with allocators over fixed blocks, arenas by power of two, and the heap.',
    rows: [
      { title: 'Fixed blocks: one node size', way: 'manager, growing', divisor: 1000 },
      { title: 'Fast fit: an arena for each power of two', way: 'fast fit', divisor: 1000 },
      { title: 'The heap', way: 'heap', divisor: 3000 },
    ],
  }),
  watchedExperiment({
    id: 'EE5',
    title: 'A function that makes many strings',
    summary:
      'remove_ctrl makes a new string for each character: in blocks of one size, then in chunks as large as needed.',
    rows: [
      { title: 'Strings that always take one block of 512 bytes', way: 'fixed string', divisor: 1000 },
      { title: 'Strings in the heap, a little larger each time', way: 'heap', divisor: 2000 },
    ],
  }),
];
