// Growing backward: the block takes free memory before it, and its contents move down a little.

import type { Addr } from '../base/brand.ts';
import { CommandFlag } from '../protocol/event_layout.ts';
import type { Vector } from '../scenarios/moves.ts';
import { pick, type Scene, sizeBetween, viewFrom } from './scene.ts';

const kTag = 4;
const kSide = 404; // bytes beside the second array

export const growingBackward: Scene = {
  id: 'growing_backward',
  title: 'Growing backward',
  idea: 'A block can also take free memory before it, when there is none behind it.',
  steps: [
    {
      title: 'A hole before the array',
      caption: 'The selected block is an array. Behind it lies a block in use. Before it lies a hole.',
    },
    {
      title: 'The array needs more',
      caption:
        'The array needs 500 bytes. The program sends an expansion command: grow backward, or else give me a new block.',
      question: {
        kind: 'place',
        text: 'Where will its first byte lie? Click there.',
        reason: 'In the hole before it: the elements move down to the new first byte, and no new block is needed.',
        wrongs: {
          used: 'That memory is in use, and the array has no room where it is: right behind it lies a block.',
          top: 'A new block is the last way out: the hole before the array is large enough.',
        },
      },
    },
    {
      title: 'Another array',
      caption: 'The selected block is another array of 200 bytes. It has a hole of 400 bytes on each side.',
    },
    {
      title: 'Free memory on both sides',
      caption: 'This array needs 900 bytes: more than it would have with either hole alone.',
      question: {
        kind: 'choice',
        text: 'Can it still grow without a new block?',
        options: [
          { text: 'Yes' },
          { text: 'No', wrong: 'Either hole alone is too small, but nothing says that only one may be used.' },
        ],
        reason: 'It can: the heap takes both sides at once, and the array lies in between.',
      },
    },
    {
      title: 'A size of your own',
      caption: 'A third array of 200 bytes, with a hole of 400 bytes on each side. No new block is allowed.',
      number: { text: 'Which way does it grow?', unit: 'bytes', least: 208, most: 1200, first: 700 },
    },
  ],
  *play({ moves, random, number }) {
    const sizes = [60, sizeBetween(random, 400, 480), 200, 60];
    const blocks = sizes.map(moves.allocate);
    moves.free(pick(blocks, 1));
    const array: Vector = { mem: pick(blocks, 2), count: 25, element: 8 };
    const ways = CommandFlag.expandFwd | CommandFlag.expandBwd;
    const letters = (at: Addr | undefined) => (at === undefined ? [] : [{ name: 'array', at }]);
    yield { places: [pick(blocks, 2)], view: viewFrom(pick(blocks, 0), 128), letters: letters(array.mem) };
    moves.grow(array, CommandFlag.expandBwd, (pick(sizes, 1) + kTag + pick(sizes, 2)) / 8); // all of the hole
    yield { places: array.mem === undefined ? [] : [array.mem], letters: letters(array.mem) };
    const between = (): Addr => {
      const others = [1, 2, 3, 4].map((at) => moves.allocate(at === 2 ? 200 : kSide));
      moves.free(pick(others, 0));
      moves.free(pick(others, 2));
      return pick(others, 1);
    };
    const other = between();
    yield { places: [other], letters: letters(other) };
    const elements = Math.ceil(900 / 8);
    const { mems, reused } = moves.command(ways, 8, elements, elements, other); // no new block is allowed
    yield { places: mems, right: reused ? 0 : 1, letters: letters(mems[0]) };
    const third = between();
    const wanted = Math.ceil(number / 8);
    const grown = moves.command(ways, 8, wanted, wanted, third);
    const [at = third] = grown.mems;
    const down = `its first byte is ${third - at} bytes lower`;
    const how = !grown.reused ? 'it cannot grow' : at === third ? 'it grows forward' : `it grows backward, and ${down}`;
    yield { places: [at], letters: letters(at), says: `For ${number} bytes ${how}.` };
  },
};
