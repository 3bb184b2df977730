// A heap for one structure: its blocks lie together, and all go at once.

import type { Addr } from '../base/brand.ts';
import { pick, type Scene, sizeBetween, viewFrom } from './scene.ts';

const kBlocks = 24;

export const heapPerStructure: Scene = {
  id: 'heap_per_structure',
  title: 'A heap for each structure',
  idea: 'A structure with a heap of its own keeps its blocks together, and goes away in one call.',
  steps: [
    {
      title: 'Two structures, one heap',
      caption: 'Two lists grow at the same time in one heap. Their blocks lie in turns: one of this, one of that.',
    },
    {
      title: 'One list goes',
      caption: 'The program throws one of the lists away: it frees every second block.',
      question: {
        kind: 'choice',
        text: 'What is left of them?',
        options: ['One large hole', 'Many small holes'],
        right: 'Yes: the other list keeps the holes apart. None of them is large.',
        wrong: 'Many small holes: the other list keeps them apart.',
      },
    },
    {
      title: 'A heap of its own',
      caption:
        'Now a list gets a heap of its own. Its blocks lie together, in a segment that nobody else uses. The map shows that segment.',
    },
    {
      title: 'That list goes too',
      caption: 'The program throws away this list, with its 24 blocks.',
      question: {
        kind: 'choice',
        text: 'How many calls does it take?',
        options: ['24', 'One'],
        right: 'Yes, one: it ends the heap. No block is visited, and no hole is left.',
        wrong: 'One: it ends the heap. No block is visited, and no hole is left.',
      },
    },
  ],
  *play({ moves, random }) {
    const lists: [Addr[], Addr[]] = [[], []];
    for (let at = 0; at < kBlocks; at++) lists[at % 2 === 0 ? 0 : 1].push(moves.allocate(sizeBetween(random, 60, 140)));
    const view = viewFrom(pick(lists[0], 0), 128);
    yield { view };
    moves.freeAll(lists[1]);
    yield { places: lists[1].slice(0, 1), right: 1 };
    const heap = moves.createMemoryPool(32);
    const own: Addr[] = [];
    for (let at = 0; at < kBlocks; at++) own.push(moves.takeFrom(heap, sizeBetween(random, 60, 140)));
    yield { places: own.slice(0, 1), view: viewFrom(pick(own, 0), 128) };
    moves.endMemoryPool(heap);
    yield { right: 1 };
  },
};
