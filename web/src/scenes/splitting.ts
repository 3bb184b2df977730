// A free chunk that is too large is split: the request takes its start, the rest is a free chunk of its own.

import { bytes } from '../base/brand.ts';
import { pick, type Scene, sizeBetween, viewFrom } from './scene.ts';

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
        options: ['All of it', 'Half of it', 'Just what it needs'],
        right: 'Yes: 104 bytes with the tag. The rest is split off and stays free.',
        wrong: 'No. The hole is split: the request takes 104 bytes with its tag, and the rest stays free.',
      },
    },
    {
      title: 'Another small request',
      caption: 'The program asks for 100 bytes again.',
      question: {
        kind: 'place',
        text: 'Where will they lie?',
        right: 'Yes: at the start of the rest. Blocks that are asked for one after another lie side by side.',
        wrong: 'No: at the start of the rest. Blocks that are asked for one after another lie side by side.',
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
        options: ['Yes', 'No'],
        right: 'Yes, you are right: it will not. 8 bytes are too few for a tag and two links, so the block gets them.',
        wrong: 'No. 8 bytes are too few for a tag and two links, so the block gets them.',
      },
    },
  ],
  *play({ moves, operations, random }) {
    const first = moves.allocate(60);
    const hole = moves.allocate(sizeBetween(random, 900, 1100));
    const small = [60, 108, 60].map(moves.allocate);
    moves.free(hole);
    yield { places: [hole], view: viewFrom(first, 128) };
    yield { places: [moves.allocate(100)], right: 2 };
    yield { places: [moves.allocate(100)] };
    moves.allocate(600); // most of the large hole: a small request goes to the other
    moves.free(pick(small, 1));
    yield { places: [pick(small, 1)] };
    const tight = operations.operate({ op: 'allocate', size: bytes(100) });
    yield { places: tight.mems, right: tight.received > 100 ? 1 : 0 };
  },
};
