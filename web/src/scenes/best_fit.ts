// Free chunks are kept in bins by size. Of those that are large enough, the smallest is taken.

import type { Addr } from '../base/brand.ts';
import { formatCount } from '../base/format.ts';
import { type Scene, shuffled, viewFrom } from './scene.ts';

const kHoles = [604, 900, 1204, 2004]; // bytes a block of this size may ask of it
const kFence = 28;

/** 604 is a hole of 600 bytes: what may be asked of it, in round figures. */
const nameOf = (size: number): string => formatCount(size - (size % 100));

const ask = (request: number, hole: string) =>
  ({
    kind: 'place',
    text: `Where will ${request.toLocaleString('en')} bytes lie?`,
    reason: `The heap takes the smallest chunk that is large enough: ${hole}.`,
    wrongs: {
      used: 'That block is in use.',
      small: 'That hole is too small, and a block is never cut in two.',
      large: 'That hole is large enough, but a smaller one is, too: the large one is kept for large requests.',
      free: 'That is the rest of a hole that was cut: too small for this request.',
      victim: 'That is the rest of a hole that was cut: too small for this request.',
      top: 'Top is touched last, and a hole is large enough.',
    },
  }) as const;

export const bestFit: Scene = {
  id: 'best_fit',
  title: 'Bins and best fit',
  idea: 'Bins sort free chunks by size, and the smallest one that is large enough is taken.',
  steps: [
    {
      title: 'Four holes',
      caption:
        'Four holes of 600, 900, 1,200 and 2,000 bytes lie between small blocks. A free chunk is kept in the bin of its size, so the heap need not walk through all blocks.',
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
    {
      title: 'A size of your own',
      caption: 'The blocks of the questions are freed. Then the program asks for as many bytes as you say.',
      number: { text: 'Which hole serves how many bytes?', unit: 'bytes', least: 300, most: 3000, first: 700 },
    },
  ],
  *play({ moves, random, number }) {
    const holes: Addr[] = [];
    const first = moves.allocate(kFence);
    const sizes = shuffled(kHoles, random);
    for (const size of sizes) {
      holes.push(moves.allocate(size));
      moves.allocate(kFence);
    }
    moves.freeAll(holes);
    const letters = holes.map((at, nth) => ({ name: nameOf(sizes[nth] ?? 0), at }));
    yield { view: viewFrom(first, 256), letters };
    const taken = new Set<Addr>();
    const asked: Addr[] = [];
    for (const request of [880, 1000, 1500, 2500]) {
      const left = holes.filter((at) => !taken.has(at));
      const sizeOf = (at: Addr) => sizes[holes.indexOf(at)] ?? 0;
      const mem = moves.allocate(request);
      const small = left.filter((at) => at !== mem && sizeOf(at) < request);
      const large = left.filter((at) => at !== mem && sizeOf(at) >= request);
      taken.add(mem);
      asked.push(mem);
      yield { places: [mem], wrongPlaces: { small, large } };
    }
    moves.freeAll(asked);
    const own = moves.allocate(number);
    const hole = sizes[holes.indexOf(own)];
    const where = hole === undefined ? 'at the start of top' : `in the hole of ${nameOf(hole)} bytes`;
    yield { places: [own], letters, says: `${formatCount(number)} bytes lie ${where}.` };
  },
};
