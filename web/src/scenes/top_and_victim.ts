// Small requests without a chunk of their size come from the designated victim: the rest of the last small split.

import { pick, type Scene, sizeBetween, viewFrom } from './scene.ts';

export const topAndVictim: Scene = {
  id: 'top_and_victim',
  title: 'Top and victim',
  idea: 'The rest of the last split serves the next small requests, and top is touched last.',
  steps: [
    { title: 'One hole and top', caption: 'There is one hole, in the middle. After the last block comes top.' },
    {
      title: 'A small request',
      caption: 'The program asks for 40 bytes.',
      question: {
        kind: 'place',
        text: 'Where will they lie?',
        right: 'Yes: the hole is split. Its rest is now the designated victim, the chunk that is tried first.',
        wrong: 'No: the hole is split. Its rest is now the designated victim, the chunk that is tried first.',
      },
    },
    {
      title: 'Another hole',
      caption: 'A block is freed: a second hole, a little larger than the next request.',
    },
    {
      title: 'Two holes to choose from',
      caption: 'The program asks for 40 bytes again. The new hole would fit better than the victim.',
      question: {
        kind: 'place',
        text: 'Where will they lie?',
        right:
          'Yes, from the victim: no hole has exactly the size, so no list is searched. What is asked for together lies together.',
        wrong:
          'No, from the victim. No hole has exactly the size, so no list is searched. What is asked for together lies together.',
      },
    },
    {
      title: 'Exactly the size of the hole',
      caption: 'The next request is exactly as large as the second hole.',
      question: {
        kind: 'place',
        text: 'The victim, or the hole?',
        right: 'Yes, the hole: a bin has exactly this size, and using it leaves no rest.',
        wrong: 'The hole. A bin has exactly this size, and using it leaves no rest.',
      },
    },
    {
      title: 'A large request',
      caption: 'The program asks for 4,000 bytes. Neither the victim nor any hole is large enough.',
      question: {
        kind: 'place',
        text: 'Where will they lie?',
        right: 'Yes, at the start of top, which is used when nothing else fits.',
        wrong: 'No: at the start of top, which is used when nothing else fits.',
      },
    },
  ],
  *play({ moves, random }) {
    const exact = 76;
    const sizes = [60, sizeBetween(random, 700, 900), 60, exact, 60];
    const blocks = sizes.map(moves.allocate);
    moves.free(pick(blocks, 1));
    yield { places: [pick(blocks, 1)], view: viewFrom(pick(blocks, 0), 128) };
    yield { places: [moves.allocate(40)] };
    moves.free(pick(blocks, 3));
    yield { places: [pick(blocks, 3)] };
    yield { places: [moves.allocate(40)] };
    yield { places: [moves.allocate(exact)] };
    yield { places: [moves.allocate(4000)] };
  },
};
