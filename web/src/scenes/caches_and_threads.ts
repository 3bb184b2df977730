// malloc keeps freed blocks in a cache of the thread that freed them.

import { formatCount } from '../base/format.ts';
import { lettered, pick, type Scene, viewFrom } from './scene.ts';

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
        options: [{ text: 'Yes', wrong: 'For that it would need a lock on the other thread’s cache.' }, { text: 'No' }],
        reason: 'It does not: thread 2 does not look into the cache of thread 1.',
      },
    },
    {
      title: 'Thread 1 calls malloc',
      caption: 'Thread 1 calls malloc(100).',
      question: {
        kind: 'place',
        text: 'Where will the block lie?',
        reason: 'In the block that it freed: its cache has it. That takes a few instructions and no search.',
        wrongs: {
          used: 'That block is in use.',
          top: 'Top is asked when neither the cache nor the heap has a block.',
        },
      },
    },
    {
      title: 'What a cache costs',
      caption:
        'Thread 1 frees all its blocks. They are in its cache, so they cannot join and no other thread can use them. Then it gives the cache back.',
      question: {
        kind: 'choice',
        text: 'What becomes of blocks that lie side by side when the cache is given back?',
        options: [
          { text: 'They become one hole' },
          {
            text: 'They stay as they are',
            wrong: 'That was so in the cache. The heap joins whatever lies side by side.',
          },
        ],
        reason: 'They become one hole: back in the heap they join at last.',
      },
    },
    {
      title: 'A number of your own',
      caption:
        'Thread 1 calls malloc(100) as often as you say, and frees all of them. Then thread 2 calls malloc(100).',
      number: { text: 'How many does a cache keep?', unit: 'blocks', least: 1, most: 2000, first: 4 },
    },
  ],
  *play({ moves, random, number }) {
    const mine = [...moves.malloc(1, 100, 4)];
    moves.malloc(2, 100, 4);
    yield { view: viewFrom(pick(mine, 0), 128) };
    const freed = pick(mine, 1 + random.below(2));
    moves.freeMalloc(1, freed);
    yield { places: [freed], letters: [{ name: 'cached', at: freed }] };
    const theirs = moves.malloc(2, 100, 1);
    yield {
      places: theirs,
      right: theirs[0] === freed ? 0 : 1,
      letters: [{ name: 'cached', at: freed }, ...lettered('thread 2', theirs)],
    };
    yield { places: moves.malloc(1, 100, 1) };
    for (const mem of mine) moves.freeMalloc(1, mem);
    moves.flushMalloc(1);
    yield { places: mine.slice(0, 1), right: 0, letters: [{ name: 'one hole', at: pick(mine, 0) }] };
    const many = new Set(moves.malloc(1, 100, number));
    for (const mem of many) moves.freeMalloc(1, mem);
    const got = moves.malloc(2, 100, 1);
    const isOfOne = got.some((mem) => many.has(mem));
    const said = isOfOne
      ? 'the cache was full, and thread 2 got one that left it'
      : 'all of them stayed in the cache of thread 1';
    yield { places: got, letters: [], says: `Of ${formatCount(number)} freed blocks: ${said}.` };
  },
};
