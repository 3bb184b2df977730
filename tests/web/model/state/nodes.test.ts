// Where the nodes of a block lie, with sub-blocks and without: any part of it has the nodes and sub-blocks that touch it.

import { describe, expect, test } from 'vitest';
import { makePool } from '../../../../web/src/model/state/entries.ts';
import { forEachNode, nodeAt } from '../../../../web/src/model/state/nodes.ts';

const kBlock = 0x10010;
const poolOf = (form: Partial<ReturnType<typeof makePool>>) =>
  Object.assign(makePool(5, 1, 0x500, 24, form.nodesPerBlock ?? 0, undefined), form);

describe.each([
  ['without sub-blocks', poolOf({ nodesPerBlock: 4, firstNode: 16, blockBytes: 130 }), [16, 40, 64, 88], []],
  [
    'whose last node ends with it',
    poolOf({ nodesPerBlock: 9, firstNode: 16, blockBytes: 16 + 3 * 24 }),
    [16, 40, 64],
    [],
  ],
  [
    'of three sub-blocks, the last of which is shorter',
    poolOf({ nodesPerBlock: 5, firstNode: 32, laterNode: 8, subBlocks: 3, subBlockBytes: 64, blockBytes: 168 }),
    [32, 72, 96, 136], // a fifth one would go beyond its sub-block
    [
      [0, 64],
      [64, 64],
      [128, 40],
    ],
  ],
  [
    'of two, the first of which has space for no node',
    poolOf({ nodesPerBlock: 2, firstNode: 48, laterNode: 0, subBlocks: 2, subBlockBytes: 64, blockBytes: 128 }),
    [64, 88],
    [
      [0, 64],
      [64, 64],
    ],
  ],
])('a block %s', (_, pool, nodes, subBlocks) => {
  const visited = (from: number, to: number) => {
    const found = { nodes: [] as number[], subBlocks: [] as number[][] };
    forEachNode(
      pool,
      kBlock,
      kBlock + from,
      kBlock + to,
      (node) => found.nodes.push(node - kBlock),
      (at, size) => found.subBlocks.push([at - kBlock, size]),
    );
    return found;
  };

  test('has its nodes and sub-blocks in the order of their addresses', () => {
    expect(visited(0, pool.blockBytes)).toEqual({ nodes, subBlocks });
  });

  test('has in each part of it those nodes that touch the part', () => {
    for (let from = 0; from < pool.blockBytes; from += 3) {
      for (let to = from + 1; to <= pool.blockBytes; to += 5) {
        const touched = nodes.filter((node) => node < to && node + 24 > from);
        expect(visited(from, to).nodes, `${from} to ${to}`).toEqual(touched);
        const parts = subBlocks.filter(([at = 0, size = 0]) => at < to && at + size > from);
        expect(visited(from, to).subBlocks, `${from} to ${to}`).toEqual(parts);
      }
    }
  });

  test('has at each address the node around it, and none in headers and gaps', () => {
    for (let at = 0; at < pool.blockBytes; ++at) {
      const around = nodes.find((node) => node <= at && at < node + 24);
      expect(nodeAt(pool, kBlock, kBlock + at), `at ${at}`).toBe(around === undefined ? undefined : kBlock + around);
    }
  });
});
