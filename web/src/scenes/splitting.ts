// A free chunk that is too large is split: the request takes its start, the rest is a free chunk of its own.

import { addr, bytes } from '../base/brand.ts';
import { lettered, pick, type Scene, sizeBetween, viewFrom } from './scene.ts';

export const splitting: Scene = {
  id: 'splitting',
  title: 'Splitting',
  idea: 'A free chunk that is larger than the request is cut in two.',
  steps: [
    { title: 'A large hole', caption: 'Two blocks are in use, with a hole of about 1,000 bytes between them.' },
    {
      title: 'A small request',
      caption: 'The program asks for 100 bytes. The hole is the only free chunk before top.',
      question: {
        kind: 'choice',
        text: 'How much of the hole does the request take?',
        options: [
          { text: 'All of it', wrong: 'Then 900 bytes would be of no use to anybody.' },
          { text: 'Half of it', wrong: 'Nothing is halved in this heap: sizes follow the requests.' },
          { text: 'Just what it needs' },
        ],
        reason: 'The hole is split: the request takes 104 bytes with its tag, and the rest stays free.',
      },
    },
    {
      title: 'Another small request',
      caption: 'The program asks for 100 bytes again.',
      question: {
        kind: 'place',
        text: 'Where will the block lie?',
        reason: 'At the start of the rest: blocks that are asked for one after another lie side by side.',
        wrongs: {
          used: 'That block is in use.',
          top: 'Top is touched last, and the rest of the hole is large enough.',
        },
      },
    },
    {
      title: 'Another hole',
      caption: 'The rest is used up by a larger block. Another block is freed: the selected hole has 112 bytes.',
    },
    {
      title: 'A hole that almost fits',
      caption: 'A request of 100 bytes needs 104 bytes with its tag. The smallest chunk there can be has 16 bytes.',
      question: {
        kind: 'choice',
        text: 'Will the last 8 bytes become a free chunk?',
        options: [
          { text: 'Yes', wrong: 'A free chunk needs a tag, two links and the size again: 16 bytes.' },
          { text: 'No' },
        ],
        reason: '8 bytes are too few for a free chunk, so the block gets them.',
      },
    },
    {
      title: 'A size of your own',
      caption: 'Another hole, of 1,000 bytes. You say how many bytes are asked of it.',
      number: { text: 'From which size on is nothing split off?', unit: 'bytes', least: 500, most: 996, first: 900 },
    },
  ],
  *play({ moves, operations, random, number }) {
    const first = moves.allocate(60);
    const hole = moves.allocate(sizeBetween(random, 900, 1100));
    const small = [60, 108, 60].map(moves.allocate);
    moves.free(hole);
    yield { places: [hole], view: viewFrom(first, 128) };
    const asked = moves.allocate(100);
    yield { places: [asked], right: 2, letters: [{ name: 'asked', at: asked }] };
    yield { places: [moves.allocate(100)] };
    moves.allocate(600); // most of the large hole: a small request goes to the other
    moves.free(pick(small, 1));
    yield { places: [pick(small, 1)] };
    const tight = operations.operate({ op: 'allocate', size: bytes(100) });
    const gets = lettered('gets the 8 bytes', tight.mems);
    yield { places: tight.mems, right: tight.received > 100 ? 1 : 0, letters: gets };
    const [own = first] = [996, 460].map(moves.allocate); // the fence is too large for the rest of the first hole
    moves.free(own);
    const { mems, received } = operations.operate({ op: 'allocate', size: bytes(number) });
    const rest = 996 - received;
    const said = rest === 0 ? 'nothing is split off' : `${rest} bytes are split off and stay free`;
    const letters = rest === 0 ? [] : [{ name: 'rest', at: addr(own + received + 4) }];
    yield { places: mems, letters, says: `${number} bytes get ${received} of the hole, and ${said}.` };
  },
};
