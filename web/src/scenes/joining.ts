// Free neighbours become one: no two free chunks lie side by side.

import { lettered, lettersOn, pick, type Scene, sizeBetween, viewFrom } from './scene.ts';

const kNames = ['None', 'One', 'Two', 'Three'];

/** wrongs: by the count; undefined: it is right. */
const counts = (wrongs: readonly (string | undefined)[]) =>
  kNames.map((text, at) => {
    const wrong = wrongs[at];
    return wrong === undefined ? { text } : { text, wrong };
  });

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
        options: counts([
          'Both blocks are free then, and neither lies beside top.',
          'A and C do not touch each other.',
          undefined,
          'Only two blocks are freed.',
        ]),
        reason: 'There are two: B lies between them and keeps them apart.',
      },
    },
    {
      title: 'B is freed',
      caption: 'Now the program frees B, between the two holes.',
      question: {
        kind: 'choice',
        text: 'How many holes are there then?',
        options: counts([
          'D still keeps them apart from top.',
          undefined,
          'B lay between the two: with it free, nothing keeps them apart.',
          'Free neighbours never stay beside each other.',
        ]),
        reason: 'There is one: B found a free neighbour on each side, and all three became one chunk.',
      },
    },
    {
      title: 'D is freed',
      caption: 'The last block lies between the hole and top.',
      question: {
        kind: 'choice',
        text: 'How many holes are there when D is freed too?',
        options: counts([
          undefined,
          'What lies beside top joins it, and top does not count.',
          'D touches the hole before it and top behind it.',
          'Everything is free then, and free neighbours become one.',
        ]),
        reason: 'There is none: everything joined top. The heap is as it was in the beginning.',
      },
    },
    {
      title: 'A number of your own',
      caption:
        'Eight blocks lie side by side, and a ninth keeps them apart from top. Every n-th of the eight is freed.',
      number: { text: 'For which n do the holes join?', unit: 'every n-th', least: 1, most: 8, first: 2 },
    },
  ],
  *play({ moves, random, number }) {
    const blocks = [0, 1, 2, 3].map(() => moves.allocate(sizeBetween(random, 150, 400)));
    const [a, b, c, d] = [0, 1, 2, 3].map((at) => pick(blocks, at));
    yield { view: viewFrom(pick(blocks, 0), 128), letters: lettersOn(blocks) };
    if (a === undefined || b === undefined || c === undefined || d === undefined) return;
    moves.free(a);
    moves.free(c);
    yield {
      places: [a],
      right: 2,
      letters: lettered('hole', [a, c]).concat(lettersOn(blocks).filter(({ at }) => at === b || at === d)),
    };
    moves.free(b);
    yield {
      places: [a],
      right: 1,
      letters: [
        { name: 'hole', at: a },
        { name: 'D', at: d },
      ],
    };
    moves.free(d);
    yield { places: [a], right: 0, letters: [{ name: 'all is top', at: a }] };
    const eight = Array.from({ length: 8 }, () => moves.allocate(100));
    moves.allocate(60);
    const gone = eight.filter((_, at) => at % number === 0);
    moves.freeAll(gone);
    const holes = number === 1 ? gone.slice(0, 1) : gone;
    const said = holes.length === 1 ? 'one hole' : `${holes.length} holes`;
    const freed = gone.length === 1 ? 'One block is free' : `${gone.length} blocks are free`;
    yield { places: gone, letters: lettered('hole', holes), says: `${freed}, in ${said}.` };
  },
};
