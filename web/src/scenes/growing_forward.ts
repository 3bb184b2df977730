// An array that outgrows its block can take free memory behind it, and stays where it is.

import { CommandFlag } from '../protocol/event_layout.ts';
import { pick, type Scene, sizeBetween, viewFrom } from './scene.ts';

const kWays = ['It grows where it is', 'It moves to another place', 'It cannot grow'];
const kElement = 8; // bytes
const kGrew = 0;
const kMoved = 1;

export const growingForward: Scene = {
  id: 'growing_forward',
  title: 'Growing forward',
  idea: 'An array can grow in place into free memory behind it, and nothing is copied.',
  steps: [
    {
      title: 'An array with a hole behind it',
      caption: 'The selected block is an array of 200 bytes. Behind it lies a hole, and then a block in use.',
    },
    {
      title: 'The array needs more',
      caption:
        'The array is full and needs 400 bytes. The program sends an expansion command: grow this block forward, or else give me a new one.',
      question: {
        kind: 'choice',
        text: 'What happens to the array?',
        options: kWays,
        right:
          'Yes. The block takes what it needs of the hole. No byte is copied, and every pointer into it stays good.',
        wrong: 'It grows where it is: the block takes what it needs of the hole, and no byte is copied.',
      },
    },
    {
      title: 'And more',
      caption: 'Now it needs 3,000 bytes. The hole has far fewer left.',
      question: {
        kind: 'choice',
        text: 'What happens to the array now?',
        options: kWays,
        right: 'Yes. The hole is too small, so the array gets a new block, is copied there, and the old one is freed.',
        wrong: 'It moves. The hole is too small, so the array gets a new block, and the old one is freed.',
      },
    },
    {
      title: 'With top behind it',
      caption: 'The array lies right before top now. It needs 6,000 bytes.',
      question: {
        kind: 'choice',
        text: 'And now?',
        options: kWays,
        right: 'Yes. Top is free memory too: the last block of a heap can grow for a long time.',
        wrong: 'It grows where it is: top is free memory too.',
      },
    },
  ],
  *play({ moves, random }) {
    const sizes = [60, 200, sizeBetween(random, 400, 700), 60];
    const blocks = sizes.map(moves.allocate);
    moves.free(pick(blocks, 2));
    let array = pick(blocks, 1);
    const letters = () => [{ name: 'array', at: array }];
    yield { places: [array], view: viewFrom(pick(blocks, 0), 128), letters: letters() };
    for (const wanted of [400, 3000, 6000]) {
      const elements = wanted / kElement;
      const flags = CommandFlag.expandFwd | CommandFlag.allocateNew;
      const { mems, reused } = moves.command(flags, kElement, elements, elements, array);
      if (!reused) moves.free(array);
      array = pick(mems, 0);
      yield { places: [array], right: reused ? kGrew : kMoved, letters: letters() };
    }
  },
};
