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
        text: 'Where will the block lie?',
        reason: 'The hole is split. Its rest is now the designated victim, the chunk that is tried first.',
        wrongs: { used: 'That block is in use.', top: 'Top is touched last, and the hole is large enough.' },
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
        text: 'Where will the block lie?',
        reason:
          'The victim serves it: no hole has exactly the size, so no list is searched. What is asked for together lies together.',
        wrongs: {
          used: 'That block is in use.',
          free: 'That hole would fit better, but for a small request only a bin of exactly its size is asked before the victim.',
          top: 'Top is touched last.',
        },
      },
    },
    {
      title: 'Exactly the size of the hole',
      caption: 'The next request is exactly as large as the second hole.',
      question: {
        kind: 'place',
        text: 'The victim, or the hole?',
        reason: 'The hole: a bin has exactly this size, and using it leaves no rest.',
        wrongs: {
          used: 'That block is in use.',
          victim: 'The victim is asked only after the bin of exactly this size.',
          top: 'Top is touched last.',
        },
      },
    },
    {
      title: 'A large request',
      caption: 'The program asks for 4,000 bytes. Neither the victim nor any hole is large enough.',
      question: {
        kind: 'place',
        text: 'Where will the block lie?',
        reason: 'At the start of top, which is used when nothing else fits.',
        wrongs: { used: 'That block is in use.', victim: 'The victim has far fewer than 4,000 bytes.' },
      },
    },
    {
      title: 'A size of your own',
      caption:
        'The block in the second hole is freed; the victim is still there. Then the program asks for as many bytes as you say.',
      number: { text: 'Who serves which size?', unit: 'bytes', least: 4, most: 1000, first: 76 },
    },
  ],
  *play({ moves, random, number }) {
    const exact = 76;
    const sizes = [60, sizeBetween(random, 700, 900), 60, exact, 60];
    const blocks = sizes.map(moves.allocate);
    moves.free(pick(blocks, 1));
    yield { places: [pick(blocks, 1)], view: viewFrom(pick(blocks, 0), 128) };
    yield { places: [moves.allocate(40)] };
    moves.free(pick(blocks, 3));
    yield { places: [pick(blocks, 3)], letters: [{ name: 'second hole', at: pick(blocks, 3) }] };
    yield { places: [moves.allocate(40)] };
    yield { places: [moves.allocate(exact)] };
    const large = moves.allocate(4000);
    yield { places: [large] };
    moves.free(pick(blocks, 3));
    const own = moves.allocate(number);
    const who = own === pick(blocks, 3) ? 'the second hole' : own < large ? 'the victim' : 'top';
    yield { places: [own], says: `${number} bytes come from ${who}.` };
  },
};
