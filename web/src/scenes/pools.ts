// A pool: one block of the heap, cut into equal nodes without tags.

import { lettered, pick, type Scene, viewFrom } from './scene.ts';

const kNode = 32;
const kTaken = 9;

export const pools: Scene = {
  id: 'pools',
  title: 'Pools',
  idea: 'A pool takes large blocks from the heap and cuts them into equal nodes that need no tag.',
  steps: [
    {
      title: 'A pool of nodes',
      caption:
        'All nodes of a tree have 32 bytes. A pool takes one block from the heap (violet) and cuts it into nodes of that size.',
    },
    {
      title: 'What a node costs',
      caption: 'A block of the heap pays 4 bytes for its tag.',
      question: {
        kind: 'choice',
        text: 'How many bytes does each node of 32 bytes take?',
        options: [
          { text: '32 bytes' },
          { text: '36 bytes', wrong: 'That would be a tag for each node.' },
          { text: '40 bytes', wrong: 'That is what a block of the heap of this size takes.' },
        ],
        reason: '32 bytes: all nodes are equal, so a node needs no tag with its size.',
      },
    },
    { title: 'Two nodes go back', caption: 'The tree gives back two nodes. The selected one went back last.' },
    {
      title: 'The next node',
      caption: 'The tree asks for a node. A pool need not search: any free node is as good as any other.',
      question: {
        kind: 'place',
        text: 'Which node will it get? Click it.',
        reason:
          'The one that went back last: it is first in the list of free nodes, and still in the processor’s cache.',
        wrongs: {
          earlier: 'That one went back before the other: it is second in the list.',
          node: 'That node is in use, or was never handed out: the list of free nodes begins elsewhere.',
          used: 'That is a block of the heap, and the pool has free nodes.',
          pool: 'That is the pool’s own part of the block.',
          free: 'That is free memory of the heap: the pool takes nodes from its own block first.',
          victim: 'That is free memory of the heap: the pool takes nodes from its own block first.',
          top: 'The pool has free nodes in its block.',
        },
      },
    },
    {
      title: 'A size of your own',
      caption: 'Another pool, whose nodes are as large as you say.',
      number: { text: 'What does a node take?', unit: 'bytes', least: 4, most: 400, first: 20 },
    },
  ],
  *play({ moves, random, number }) {
    const fence = moves.allocate(60);
    const pool = moves.createAdaptivePool(kNode, 16, 1);
    const nodes = [...moves.takeNodes(pool, kTaken)];
    yield { view: viewFrom(fence, 128) };
    const more = moves.takeNodes(pool, 3);
    const sizes = more.slice(1).map((node, at) => Math.abs(node - pick(more, at)));
    yield {
      places: more.slice(0, 1),
      right: sizes.every((size) => size === kNode) ? 0 : 1,
      letters: lettered('node', more),
    };
    const first = pick(nodes, random.below(4));
    const last = pick(nodes, 5 + random.below(4));
    moves.returnNode(pool, first);
    moves.returnNode(pool, last);
    yield {
      places: [last],
      letters: [
        { name: 'first back', at: first },
        { name: 'last back', at: last },
      ],
    };
    yield { places: moves.takeNodes(pool, 1), wrongPlaces: { earlier: [first] } };
    const own = [...moves.takeNodes(moves.createAdaptivePool(number, 16, 1), 3)].sort((one, other) => one - other);
    const apart = pick(own, 1) - pick(own, 0);
    yield { places: own, letters: [], says: `A node of ${number} bytes takes ${apart}: a node has no tag.` };
  },
};
