// An array that outgrows its block can take free memory behind it, and stays where it is.

import { formatCount } from '../base/format.ts';
import { CommandFlag } from '../protocol/event_layout.ts';
import { pick, type Scene, sizeBetween, viewFrom } from './scene.ts';

const kNames = ['It grows where it is', 'It moves to another place', 'It cannot grow'];

/** wrongs: by the way; undefined: it is right. */
const ways = (wrongs: readonly (string | undefined)[]) =>
  kNames.map((text, at) => {
    const wrong = wrongs[at];
    return wrong === undefined ? { text } : { text, wrong };
  });
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
        options: ways([
          undefined,
          'The command grows the block where it is as long as there is free memory behind it.',
          'The hole behind it is free memory.',
        ]),
        reason:
          'It grows: the block takes what it needs of the hole. No byte is copied, and every pointer into it stays good.',
      },
    },
    {
      title: 'And more',
      caption: 'Now it needs 3,000 bytes. The hole has far fewer left.',
      question: {
        kind: 'choice',
        text: 'What happens to the array now?',
        options: ways([
          'Behind the hole lies a block in use, which nobody moves.',
          undefined,
          'The command allows a new block, and top has room for one.',
        ]),
        reason:
          'It moves: the hole is too small, so the array gets a new block, is copied there, and the old one is freed.',
      },
    },
    {
      title: 'With top behind it',
      caption: 'The array lies right before top now. It needs 6,000 bytes.',
      question: {
        kind: 'choice',
        text: 'And now?',
        options: ways([
          undefined,
          'It need not: there is enough free memory right behind it.',
          'Top has more than 6,000 bytes.',
        ]),
        reason: 'It grows where it is: top is free memory too, and the last block of a heap can grow for a long time.',
      },
    },
    {
      title: 'A size of your own',
      caption: 'Another array of 1,000 bytes, with a hole of 1,000 bytes behind it, and then a block in use.',
      number: { text: 'From which size on must it move?', unit: 'bytes', least: 1008, most: 4000, first: 1600 },
    },
  ],
  *play({ moves, random, number }) {
    const sizes = [60, 200, sizeBetween(random, 400, 700), 60];
    const blocks = sizes.map(moves.allocate);
    moves.free(pick(blocks, 2));
    let array = pick(blocks, 1);
    const letters = () => [{ name: 'array', at: array }];
    yield { places: [array], view: viewFrom(pick(blocks, 0), 128), letters: letters() };
    const grow = (wanted: number): boolean => {
      const elements = Math.ceil(wanted / kElement);
      const flags = CommandFlag.expandFwd | CommandFlag.allocateNew;
      const { mems, reused } = moves.command(flags, kElement, elements, elements, array);
      if (!reused) moves.free(array);
      array = pick(mems, 0);
      return reused;
    };
    for (const wanted of [400, 3000, 6000])
      yield { right: grow(wanted) ? kGrew : kMoved, places: [array], letters: letters() };
    const again = [1000, 996, 1000].map(moves.allocate); // too large for the holes that are left
    moves.free(pick(again, 1));
    array = pick(again, 0);
    const how = grow(number) ? 'the array grew where it is' : 'the array moved';
    yield { places: [array], letters: letters(), says: `For ${formatCount(number)} bytes ${how}.` };
  },
};
