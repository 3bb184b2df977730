// Free neighbours become one: no two free chunks lie side by side.

import { lettersOn, pick, type Scene, sizeBetween, viewFrom } from './scene.ts';

const kCounts = ['None', 'One', 'Two', 'Three'];

export const joining: Scene = {
  id: 'joining',
  title: 'Joining',
  idea: 'Free neighbours become one larger free chunk at once.',
  steps: [
    { title: 'Four blocks', caption: 'Four blocks lie side by side. Call them A, B, C and D. After D comes top.' },
    {
      title: 'A and C are freed',
      caption: 'The program frees A, then C. B and D stay.',
      question: {
        kind: 'choice',
        text: 'How many holes are there then? Top does not count.',
        options: kCounts,
        right: 'Yes, two: B keeps them apart.',
        wrong: 'There are two: B lies between them and keeps them apart.',
      },
    },
    {
      title: 'B is freed',
      caption: 'Now the program frees B, between the two holes.',
      question: {
        kind: 'choice',
        text: 'How many holes are there then?',
        options: kCounts,
        right: 'Yes, one. B found a free neighbour on each side, and all three became one chunk.',
        wrong: 'There is one. B found a free neighbour on each side, and all three became one chunk.',
      },
    },
    {
      title: 'D is freed',
      caption: 'The last block lies between the hole and top.',
      question: {
        kind: 'choice',
        text: 'How many holes are there when D is freed too?',
        options: kCounts,
        right: 'Yes, none: everything joined top. The heap is as it was in the beginning.',
        wrong: 'There is none: everything joined top. The heap is as it was in the beginning.',
      },
    },
  ],
  *play({ moves, random }) {
    const blocks = [0, 1, 2, 3].map(() => moves.allocate(sizeBetween(random, 150, 400)));
    const [a, b, c, d] = [0, 1, 2, 3].map((at) => pick(blocks, at));
    yield { view: viewFrom(pick(blocks, 0), 128), letters: lettersOn(blocks) };
    if (a === undefined || b === undefined || c === undefined || d === undefined) return;
    moves.free(a);
    moves.free(c);
    yield { places: [a], right: 2 };
    moves.free(b);
    yield { places: [a], right: 1 };
    moves.free(d);
    yield { places: [a], right: 0 };
  },
};
