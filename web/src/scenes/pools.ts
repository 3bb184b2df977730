// A pool: one block of the heap, cut into equal nodes without tags.

import { pick, type Scene, viewFrom } from './scene.ts';

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
        options: ['32 bytes', '36 bytes', '40 bytes'],
        right: 'Yes: 32. All nodes are equal, so a node needs no tag with its size.',
        wrong: '32 bytes. All nodes are equal, so a node needs no tag with its size.',
      },
    },
    { title: 'Two nodes go back', caption: 'The tree gives back two nodes. The selected one went back last.' },
    {
      title: 'The next node',
      caption: 'The tree asks for a node. A pool need not search: any free node is as good as any other.',
      question: {
        kind: 'place',
        text: 'Which node will it get? Click it.',
        right: 'Yes, the one that went back last: it is first in the list of free nodes, and still in the cache.',
        wrong: 'The one that went back last: it is first in the list of free nodes, and still in the cache.',
      },
    },
  ],
  *play({ moves, random }) {
    const fence = moves.allocate(60);
    const pool = moves.createAdaptivePool(kNode, 16, 1);
    const nodes = [...moves.takeNodes(pool, kTaken)];
    yield { view: viewFrom(fence, 128) };
    const more = moves.takeNodes(pool, 3);
    const sizes = more.slice(1).map((node, at) => Math.abs(node - pick(more, at)));
    yield { places: more.slice(0, 1), right: sizes.every((size) => size === kNode) ? 0 : 1 };
    const first = random.below(4);
    const last = pick(nodes, 5 + random.below(4));
    moves.returnNode(pool, pick(nodes, first));
    moves.returnNode(pool, last);
    yield { places: [last] };
    yield { places: moves.takeNodes(pool, 1) };
  },
};
