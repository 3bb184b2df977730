// A write into freed memory breaks the heap's own lists, and a walk of the heap finds it.

import type { Addr } from '../base/brand.ts';
import { lettersOn, pick, type Scene, sizeBetween, viewFrom } from './scene.ts';

const kBlocks = 11;

export const brokenLink: Scene = {
  id: 'broken_link',
  title: 'A broken link',
  idea: 'Free chunks hold the links of the heap, so a write after free breaks the heap itself.',
  steps: [
    {
      title: 'Links in free chunks',
      caption:
        'A, B, C and D are free, and in one bin. The bin is a list: the first two words of each free chunk are the addresses of the next one and of the one before.',
    },
    {
      title: 'Another block is freed',
      caption: 'The program frees the selected block, E. It keeps a pointer to it.',
      question: {
        kind: 'choice',
        text: 'The program writes through that pointer later. What does it overwrite?',
        options: ['Nothing: the memory is free', 'The links of the bin', 'The contents of another block'],
        right: 'Yes. Where the program had its data, the heap has its links now.',
        wrong: 'The links of the bin. Where the program had its data, the heap has its links now.',
      },
    },
    {
      title: 'A puzzle',
      caption: 'The badge above the map is green: a walk of the real heap gives what the events say.',
      puzzle: {
        text: 'Break a link, and watch it be caught. Select a free chunk on the map, then write into it.',
        hint: 'Free chunks are hatched. The write goes to the first word of the selected one.',
        solved:
          'Caught: the badge is red, and says which link leads elsewhere. Without the walk nobody would notice until a later request takes the number 42 for an address.',
        sizes: [],
        goal: [],
        writes: true,
        differs: true,
      },
    },
  ],
  *play({ moves, random }) {
    const size = sizeBetween(random, 90, 130);
    const blocks = Array.from({ length: kBlocks }, () => moves.allocate(size));
    const freed: Addr[] = [1, 3, 5, 7].map((at) => pick(blocks, at));
    const last = pick(blocks, 9);
    moves.freeAll(freed);
    yield { view: viewFrom(pick(blocks, 0), 128), letters: lettersOn([...freed, last]), places: [last] };
    moves.free(last);
    yield { places: [last], right: 1 };
    yield {};
  },
};
