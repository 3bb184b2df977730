// Where the nodes of a block lie: rule P1 of event.h, from the numbers that pool_shaped and pool_ruled told.

import type { PoolEntry } from './entries.ts';

/**
 * The sub-blocks and nodes of a block that touch [from, to), in address order: each sub-block before its nodes.
 * Only adaptive kinds have sub-blocks. O(what is visited).
 */
export function forEachNode(
  pool: PoolEntry,
  block: number,
  from: number,
  to: number,
  visitNode: (address: number) => void,
  visitSubBlock: (address: number, size: number) => void,
): void {
  const end = block + pool.blockBytes;
  const inOneRun = (first: number, stop: number, count: number) => {
    const nth = Math.max(0, Math.floor((from - first) / pool.nodeSize));
    let node = first + nth * pool.nodeSize;
    for (let left = count - nth; left > 0 && node < to && node + pool.nodeSize <= stop; --left) {
      if (node + pool.nodeSize > from) visitNode(node);
      node += pool.nodeSize;
    }
  };
  if (pool.subBlocks === 0) {
    inOneRun(block + pool.firstNode, end, pool.nodesPerBlock);
    return;
  }
  const firstSubBlock = Math.max(0, Math.floor((from - block) / pool.subBlockBytes));
  for (let i = firstSubBlock; i < pool.subBlocks; ++i) {
    const begin = block + i * pool.subBlockBytes;
    if (begin >= to) return;
    const stop = i + 1 < pool.subBlocks ? begin + pool.subBlockBytes : end;
    visitSubBlock(begin, stop - begin);
    inOneRun(begin + (i === 0 ? pool.firstNode : pool.laterNode), stop, pool.nodesPerBlock);
  }
}

/** The node that an address inside a block belongs to; undefined in headers and gaps. */
export function nodeAt(pool: PoolEntry, block: number, address: number): number | undefined {
  let found: number | undefined;
  const visit = (node: number) => {
    found = node;
  };
  forEachNode(pool, block, address, address + 1, visit, () => {});
  return found;
}
