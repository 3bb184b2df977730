// malloc keeps freed blocks in a cache of the thread that freed them.

import { pick, type Scene, viewFrom } from './scene.ts';

export const cachesAndThreads: Scene = {
  id: 'caches_and_threads',
  title: 'Caches and threads',
  idea: 'A thread keeps what it frees for itself, so that it needs no lock to get it back.',
  steps: [
    {
      title: 'Two threads',
      caption: 'Two threads share a heap. Each has called malloc(100) four times.',
    },
    {
      title: 'Thread 1 frees a block',
      caption:
        'Thread 1 frees the selected block. It does not go back to the heap: it goes into the cache of thread 1. No lock is needed for that.',
    },
    {
      title: 'Thread 2 calls malloc',
      caption: 'Thread 2 calls malloc(100).',
      question: {
        kind: 'choice',
        text: 'Will it get the block that thread 1 freed?',
        options: ['Yes', 'No'],
        right: 'You are right, it does not: thread 2 does not look into the cache of thread 1.',
        wrong: 'It does not: thread 2 does not look into the cache of thread 1.',
      },
    },
    {
      title: 'Thread 1 calls malloc',
      caption: 'Thread 1 calls malloc(100).',
      question: {
        kind: 'place',
        text: 'Where will they lie?',
        right: 'Yes: its cache has a block of this size. That takes a few instructions and no search.',
        wrong: 'In the block that it freed: its cache has it. That takes a few instructions and no search.',
      },
    },
    {
      title: 'What a cache costs',
      caption:
        'Thread 1 frees all its blocks. They are in its cache, so they cannot join and no other thread can use them. Then it gives the cache back.',
      question: {
        kind: 'choice',
        text: 'What becomes of blocks that lie side by side when the cache is given back?',
        options: ['They become one hole', 'They stay as they are'],
        right: 'Yes: back in the heap they join at last.',
        wrong: 'They become one hole: back in the heap they join at last.',
      },
    },
  ],
  *play({ moves, random }) {
    const mine = [...moves.malloc(1, 100, 4)];
    moves.malloc(2, 100, 4);
    yield { view: viewFrom(pick(mine, 0), 128) };
    const freed = pick(mine, 1 + random.below(2));
    moves.freeMalloc(1, freed);
    yield { places: [freed] };
    const theirs = moves.malloc(2, 100, 1);
    yield { places: theirs, right: theirs[0] === freed ? 0 : 1 };
    yield { places: moves.malloc(1, 100, 1) };
    for (const mem of mine) moves.freeMalloc(1, mem);
    moves.flushMalloc(1);
    yield { places: mine.slice(0, 1), right: 0 };
  },
};
