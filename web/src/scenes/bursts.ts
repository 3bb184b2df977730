// A burst: many blocks from one call, cut from one free chunk.

import { lettered, pick, type Scene, viewFrom } from './scene.ts';

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
        options: [
          { text: 'Side by side' },
          { text: 'Spread over the heap', wrong: 'The heap searches once, not eight times.' },
          { text: 'In one block with one tag', wrong: 'Then no node could be freed alone.' },
        ],
        reason: 'Side by side: one free chunk is found and cut into eight, and each node has its own tag.',
      },
    },
    {
      title: 'One node goes',
      caption: 'The list removes a node in the middle.',
      question: {
        kind: 'choice',
        text: 'Can one node of a burst be freed alone?',
        options: [
          { text: 'Yes' },
          { text: 'No, only all of them', wrong: 'The call that made them leaves no trace in them.' },
        ],
        reason: 'It can: it has its own tag, so it is a block like any other.',
      },
    },
    {
      title: 'The others go together',
      caption: 'The other seven are freed in one call.',
      question: {
        kind: 'choice',
        text: 'How many holes are left of them?',
        options: [
          { text: 'Seven', wrong: 'Free neighbours become one, however many calls free them.' },
          { text: 'Two', wrong: 'Between the two groups lies the hole of the node that went first: it is free too.' },
          { text: 'One' },
        ],
        reason: 'One: all of them joined, also with the hole of the node that went first.',
      },
    },
    {
      title: 'A number of your own',
      caption: 'The hole of 1,500 bytes is whole again. You say how many nodes of 40 bytes one call asks for.',
      number: { text: 'How many fit into the hole?', unit: 'nodes', least: 1, most: 80, first: 20 },
    },
  ],
  *play({ moves, random, number }) {
    const blocks = [60, 1500, 60].map(moves.allocate);
    moves.free(pick(blocks, 1));
    yield {
      places: [pick(blocks, 1)],
      view: viewFrom(pick(blocks, 0), 128),
      letters: [{ name: 'hole', at: pick(blocks, 1) }],
    };
    const nodes = moves.burst(8, 40);
    const apart = nodes.slice(1).map((node, at) => node - pick(nodes, at));
    yield {
      places: nodes.slice(0, 1),
      right: apart.every((by) => Math.abs(by) === 48) ? 0 : 1,
      letters: lettered('node', nodes),
    };
    const middle = pick(nodes, 2 + random.below(4));
    moves.free(middle);
    yield { places: [middle], right: 0, letters: [{ name: 'hole', at: middle }] };
    moves.freeBurst(nodes.filter((node) => node !== middle));
    yield { places: [pick(blocks, 1)], right: 2, letters: [{ name: 'one hole', at: pick(blocks, 1) }] };
    const own = moves.burst(number, 40);
    const inside = own.filter((node) => node < pick(blocks, 2)).length;
    const outside = inside === own.length ? '' : `, ${own.length - inside} outside`;
    yield { places: own, letters: [], says: `${number} nodes: ${inside} in the hole${outside}.` };
  },
};
