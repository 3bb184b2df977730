// The experiments by the document they come from: what is said before anything has run. Names are those of the reports
// (tested); a report that has arrived says the question itself, with the document's claim.

import type { ExperimentId } from '../../protocol/experiments.ts';

export interface ListedExperiment {
  readonly id: ExperimentId;
  readonly name: string;
  readonly about: string;
  readonly threads: boolean; // some of its rows need threads
}

export interface ExperimentGroup {
  readonly letter: string;
  readonly title: string;
  readonly experiments: readonly ListedExperiment[];
}

const one = (id: ExperimentId, name: string, about: string, threads = false): ListedExperiment => ({
  id,
  name,
  about,
  threads,
});

export const kExperimentGroups: readonly ExperimentGroup[] = [
  {
    letter: 'A',
    title: 'Expansion, bursts, adaptive pools',
    experiments: [
      one(
        'AE1',
        'A vector grows at its end',
        'A vector grows by push_back: in place while there is room behind it, or always into new memory.',
      ),
      one(
        'AE2',
        'A vector grows towards its front',
        'The same growth when only the memory before the block may be used.',
      ),
      one(
        'AE3',
        'A vector shrinks to fit',
        'A vector gives back its unused end: in place, or by copying into a smaller block.',
      ),
      one(
        'AE4',
        'Ranges of a list, from one call',
        'Ranges inserted into a list and erased again: node by node, or many nodes in one call.',
      ),
      one(
        'AE5',
        'Eight allocators of list nodes',
        'Eight allocators under one list: speed, overhead in bytes, and what is still held after erasure.',
      ),
    ],
  },
  {
    letter: 'B',
    title: 'Memory pools by data structure',
    experiments: [
      one(
        'BE1',
        'Five lists of strings, a pool each',
        'Five interleaved lists of strings in one heap, or each in a memory pool of its own: time, and memory touched.',
      ),
    ],
  },
  {
    letter: 'C',
    title: 'Distributed lock-free pools',
    experiments: [
      one(
        'CE1',
        'Writers and readers through an array of pools',
        'Writers and readers exchange checked buffers through one lock-free pool, or through several.',
        true,
      ),
    ],
  },
  {
    letter: 'D',
    title: 'Size classes and thread caches',
    experiments: [
      one(
        'DE1',
        'Pairs of allocate and free, by threads',
        'Blocks of 128 bytes taken and given back by one to eight threads: thread caches against one locked heap.',
        true,
      ),
    ],
  },
  {
    letter: 'E',
    title: 'Fixed-block managers',
    experiments: [
      one(
        'EE1',
        'A million objects',
        'Objects made and deleted through a fixed-block manager, or through malloc and free.',
      ),
      one('EE2', 'A hundred pointers, replaced at random', 'A hundred pointers, replaced at random a million times.'),
      one(
        'EE3',
        'A list of 1000 numbers',
        'A list of a thousand numbers made and deleted, with a fixed-block allocator or the standard one.',
      ),
      one(
        'EE4',
        'A map of 1000 numbers',
        'A map of a thousand numbers, with a fixed-block allocator or the standard one.',
      ),
      one(
        'EE5',
        'A function that makes many strings',
        'Control characters removed from strings whose memory comes in fixed blocks.',
      ),
    ],
  },
];

const kListed: ReadonlyMap<ExperimentId, ListedExperiment> = new Map(
  kExperimentGroups.flatMap(({ experiments }) => experiments.map((each) => [each.id, each] as const)),
);

export const listedExperiment = (id: ExperimentId): ListedExperiment | undefined => kListed.get(id);
