// What is told of a pool, kind by kind: pure, so that it can be tested without a page.

import { formatBytes, formatCount } from '../../base/format.ts';
import { inTreeOrder, kShapeWords } from '../../map/pool_names.ts';
import type { PoolRow } from './part.ts';

export interface PoolFact {
  readonly name: string;
  readonly text: string;
}

export function poolFacts(row: PoolRow): readonly PoolFact[] {
  const { node, block } = kShapeWords[row.shape];
  const facts: PoolFact[] = [];
  const add = (name: string, text: string): void => {
    facts.push({ name, text });
  };
  add(`${node[1]} in use`, formatCount(row.nodesInUse));
  add(`${node[1]} free`, formatCount(row.nodesFree));
  add(block[1], formatCount(row.blocks));
  add(`${node[1]} in each`, formatCount(row.nodesPerBlock));
  if (row.subBlocks > 1) add('sub-blocks in each', `${row.subBlocks} × ${formatBytes(row.subBlockBytes)}`);
  // What a class or a manager keeps is decided elsewhere: a squeeze, or the owner.
  if (inTreeOrder(row.shape)) add('free blocks kept', `at most ${formatCount(row.maxFreeBlocks)}`);
  return facts;
}

/** Said of a tile: "span 0x0004_0000, 12 of 500 blocks free". */
export function tileName(row: PoolRow, address: string, freeNodes: number): string {
  const { node, block } = kShapeWords[row.shape];
  return `${block[0]} ${address}, ${formatCount(freeNodes)} of ${formatCount(row.nodesPerBlock)} ${node[1]} free`;
}

export function poolNote(row: PoolRow, blocksNotShown: number): string {
  const words = kShapeWords[row.shape];
  if (row.blocks === 0) return `It holds no ${words.block[0]}.`;
  return blocksNotShown > 0 ? `${words.order} ${formatCount(blocksNotShown)} more are not shown.` : words.order;
}
