// Growing backward: the block takes free memory before it, and its contents move down a little.

import type { Addr } from '../base/brand.ts';
import { CommandFlag } from '../protocol/event_layout.ts';
import type { Vector } from '../scenarios/moves.ts';
import { pick, type Scene, sizeBetween, viewFrom } from './scene.ts';

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
        'The array needs 500 bytes. The program allows both directions: grow forward, or backward, or else give me a new block.',
      question: {
        kind: 'place',
        text: 'Where will its first byte lie? Click there.',
        right: 'Yes, in the hole. The elements move down to the new first byte, and no new block is needed.',
        wrong: 'In the hole before it. The elements move down to the new first byte, and no new block is needed.',
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
        options: ['Yes', 'No'],
        right: 'Yes: the heap takes both sides at once, and the array lies in between.',
        wrong: 'It can: the heap takes both sides at once, and the array lies in between.',
      },
    },
  ],
  *play({ moves, random }) {
    const sizes = [60, sizeBetween(random, 400, 480), 200, 60];
    const blocks = sizes.map(moves.allocate);
    moves.free(pick(blocks, 1));
    const array: Vector = { mem: pick(blocks, 2), count: 25, element: 8 };
    const ways = CommandFlag.expandFwd | CommandFlag.expandBwd;
    const letters = (at: Addr | undefined) => (at === undefined ? [] : [{ name: 'array', at }]);
    yield { places: [pick(blocks, 2)], view: viewFrom(pick(blocks, 0), 128), letters: letters(array.mem) };
    moves.grow(array, ways, 63); // all of the hole: nothing of it is left for what follows
    yield { places: array.mem === undefined ? [] : [array.mem], letters: letters(array.mem) };
    const others = [1, 2, 3, 4].map((at) => moves.allocate(at === 2 ? 200 : kSide));
    moves.free(pick(others, 0));
    moves.free(pick(others, 2));
    yield { places: [pick(others, 1)], letters: letters(pick(others, 1)) };
    const elements = Math.ceil(900 / 8);
    const { mems, reused } = moves.command(ways, 8, elements, elements, pick(others, 1)); // no new block is allowed
    yield { places: mems, right: reused ? 0 : 1, letters: letters(mems[0]) };
  },
};
