// Free chunks are kept in bins by size. Of those that are large enough, the smallest is taken.

import type { Addr } from '../base/brand.ts';
import { type Scene, shuffled, viewFrom } from './scene.ts';

const kHoles = [604, 900, 1204, 2004]; // bytes a block of this size may ask of it
const kFence = 28;

const ask = (request: number, hole: string) =>
  ({
    kind: 'place',
    text: `Where will ${request} bytes lie?`,
    right: `Yes: ${hole}.`,
    wrong: `No. The heap takes the smallest chunk that is large enough: ${hole}.`,
  }) as const;

export const bestFit: Scene = {
  id: 'best_fit',
  title: 'Bins and best fit',
  idea: 'Bins sort free chunks by size, and the smallest one that is large enough is taken.',
  steps: [
    {
      title: 'Four holes',
      caption:
        'Four holes of 600, 900, 1,200 and 2,000 bytes lie between small blocks. The list on the left, under Lists, shows them by size: each line there is a bin.',
    },
    {
      title: '880 bytes',
      caption: 'Three of the holes are large enough for 880 bytes.',
      question: ask(880, 'the hole of 900 bytes, because it leaves the least over'),
    },
    {
      title: '1,000 bytes',
      caption: 'The hole of 900 bytes is used now.',
      question: ask(1000, 'the hole of 1,200 bytes'),
    },
    {
      title: '1,500 bytes',
      caption: 'Two holes are left whole, and a rest of the third.',
      question: ask(1500, 'the hole of 2,000 bytes, the only one that is large enough'),
    },
    {
      title: '2,500 bytes',
      caption: 'No hole has 2,500 bytes.',
      question: ask(2500, 'no hole is, so the block comes from top'),
    },
  ],
  *play({ moves, random }) {
    const holes: Addr[] = [];
    const first = moves.allocate(kFence);
    for (const size of shuffled(kHoles, random)) {
      holes.push(moves.allocate(size));
      moves.allocate(kFence);
    }
    moves.freeAll(holes);
    yield { view: viewFrom(first, 256) };
    for (const request of [880, 1000, 1500, 2500]) yield { places: [moves.allocate(request)] };
  },
};
