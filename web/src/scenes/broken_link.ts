// A write into freed memory breaks the heap's own lists, and a walk of the heap finds it.

import type { Addr } from '../base/brand.ts';
import { lettersOn, pick, type Scene, sizeBetween, viewFrom } from './scene.ts';

const kBlocks = 11;
const kOther = 204; // bytes: another bin, and too many for the holes of the first

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
        options: [
          { text: 'Nothing: the memory is free', wrong: 'Free memory is not unused: the heap itself writes there.' },
          { text: 'The links of the bin' },
          { text: 'The contents of another block', wrong: 'Not yet: nobody has got this memory since.' },
        ],
        reason: 'The links of the bin: where the program had its data, the heap has its links now.',
      },
    },
    {
      title: 'A number of your own',
      caption: 'Blocks of another size are made, and every second one is freed. You say how many are freed.',
      number: { text: 'How many words could a stale pointer break?', unit: 'blocks', least: 1, most: 40, first: 4 },
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
  *play({ moves, random, number }) {
    const size = sizeBetween(random, 90, 130);
    const blocks = Array.from({ length: kBlocks }, () => moves.allocate(size));
    const freed: Addr[] = [1, 3, 5, 7].map((at) => pick(blocks, at));
    const last = pick(blocks, 9);
    moves.freeAll(freed);
    const letters = lettersOn([...freed, last]);
    yield { view: viewFrom(pick(blocks, 0), 128), letters, places: [last] };
    moves.free(last);
    yield { places: [last], right: 1, letters };
    const more = Array.from({ length: 2 * number }, () => moves.allocate(kOther));
    const gone = more.filter((_, nth) => nth % 2 === 0);
    moves.freeAll(gone);
    const says = `${gone.length} chunks are in a bin of their own: ${2 * gone.length} addresses in memory that the program had.`;
    yield { places: gone, says };
    yield {};
  },
};
