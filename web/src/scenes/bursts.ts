// A burst: many blocks from one call, cut from one free chunk.

import { pick, type Scene, viewFrom } from './scene.ts';

export const bursts: Scene = {
  id: 'bursts',
  title: 'Bursts',
  idea: 'One call gives many blocks, cut from one free chunk, and each of them is a block like any other.',
  steps: [
    { title: 'A hole for many', caption: 'A list is about to get eight nodes of 40 bytes. There is one large hole.' },
    {
      title: 'Eight nodes in one call',
      caption: 'The program asks for all eight nodes with one call, a burst.',
      question: {
        kind: 'choice',
        text: 'How will the nodes lie?',
        options: ['Side by side', 'Spread over the heap', 'In one block with one tag'],
        right: 'Yes. One free chunk is found and cut into eight. Each node has its own tag.',
        wrong: 'Side by side: one free chunk is found and cut into eight, and each has its own tag.',
      },
    },
    {
      title: 'One node goes',
      caption: 'The list removes a node in the middle.',
      question: {
        kind: 'choice',
        text: 'Can one node of a burst be freed alone?',
        options: ['Yes', 'No, only all of them'],
        right: 'Yes: it has its own tag, so it is a block like any other.',
        wrong: 'It can: it has its own tag, so it is a block like any other.',
      },
    },
    {
      title: 'The others go together',
      caption: 'The other seven are freed in one call.',
      question: {
        kind: 'choice',
        text: 'How many holes are left of them?',
        options: ['Seven', 'Two', 'One'],
        right: 'Yes, one: all of them joined, also with the hole of the node that went first.',
        wrong: 'One: all of them joined, also with the hole of the node that went first.',
      },
    },
  ],
  *play({ moves, random }) {
    const blocks = [60, 1500, 60].map(moves.allocate);
    moves.free(pick(blocks, 1));
    yield { places: [pick(blocks, 1)], view: viewFrom(pick(blocks, 0), 128) };
    const nodes = moves.burst(8, 40);
    const apart = nodes.slice(1).map((node, at) => node - pick(nodes, at));
    yield { places: nodes.slice(0, 1), right: apart.every((by) => Math.abs(by) === 48) ? 0 : 1 };
    const middle = pick(nodes, 2 + random.below(4));
    moves.free(middle);
    yield { places: [middle], right: 0 };
    moves.freeBurst(nodes.filter((node) => node !== middle));
    yield { places: [pick(blocks, 1)], right: 2 };
  },
};
