// A heap for one structure: its blocks lie together, and all go at once.

import type { Addr } from '../base/brand.ts';
import { lettered, pick, type Scene, sizeBetween, viewFrom } from './scene.ts';

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
        options: [
          { text: 'One large hole', wrong: 'Between any two blocks of this list lies one of the other list.' },
          { text: 'Many small holes' },
        ],
        reason: 'Many small holes: the other list keeps them apart, and none of them is large.',
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
        options: [
          { text: '24', wrong: 'That is one for each block, as in a heap that others use too.' },
          { text: 'One' },
        ],
        reason:
          'One: it ends the heap, and its segment with it. No block is visited, and it leaves no hole: the holes are those of the common heap.',
      },
    },
    {
      title: 'A number of your own',
      caption:
        'The same again, with as many blocks as you say: half of them in the common heap, half in a heap of their own.',
      number: { text: 'How many calls does it take to free both?', unit: 'blocks', least: 2, most: 400, first: 24 },
    },
  ],
  *play({ moves, random, number }) {
    const lists: [Addr[], Addr[]] = [[], []];
    for (let at = 0; at < kBlocks; at++) lists[at % 2 === 0 ? 0 : 1].push(moves.allocate(sizeBetween(random, 60, 140)));
    const view = viewFrom(pick(lists[0], 0), 128);
    yield { view };
    moves.freeAll(lists[1]);
    yield { places: lists[1].slice(0, 1), right: 1, letters: lettered('hole', lists[1].slice(0, 6)) };
    const heap = moves.createMemoryPool(32);
    const own: Addr[] = [];
    for (let at = 0; at < kBlocks; at++) own.push(moves.takeFrom(heap, sizeBetween(random, 60, 140)));
    yield {
      places: own.slice(0, 1),
      view: viewFrom(pick(own, 0), 128, pick(own, kBlocks - 1) + 140),
      letters: lettered('own', own.slice(0, 6)),
    };
    const both = viewFrom(pick(lists[0], 0), 256, pick(own, kBlocks - 1) + 140);
    moves.endMemoryPool(heap);
    yield { right: 1, letters: [], view: both };
    const half = Math.ceil(number / 2);
    const common = Array.from({ length: half }, () => moves.allocate(40));
    const another = moves.createMemoryPool(32);
    for (let at = half; at < number; at++) moves.takeFrom(another, 40);
    let calls = 0;
    for (const mem of common) {
      moves.free(mem);
      calls += 1;
    }
    moves.endMemoryPool(another);
    const said = `the common heap ${calls}, the heap of their own 1`;
    yield { view: viewFrom(pick(lists[0], 0), 128), says: `For ${number} blocks: ${said}.` };
  },
};
