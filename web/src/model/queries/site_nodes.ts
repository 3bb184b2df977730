// Blocks by call site, summed over the tree of calls: what a flame graph shows.
//
//   QS1  A node's own bytes are those of blocks born at exactly this call stack; its bytes are its own and those of all
//        nodes below it. So the roots' bytes are those of all blocks.
//   QS2  Blocks whose call is not known are the node 0, frame ''.
//   QS3  Of many nodes those with the most bytes are given. A parent has no fewer than its child, so each node's parent is
//        given before it.

import { bytes } from '../../base/brand.ts';
import type { SiteNode } from '../../protocol/site_nodes.ts';
import type { SiteTree } from '../time/site_tree.ts';

const kMostNodes = 600;

/** The blocks of one site. */
interface SiteSum {
  readonly bytes: number;
  readonly blocks: number;
  readonly oldest: number; // birth
}

export interface NodeSum {
  bytes: number;
  count: number;
  ownBytes: number;
  ownCount: number;
  oldest: number;
}

/** QS1 */
export function sumNodes(tree: SiteTree, bySite: ReadonlyMap<number, SiteSum>): ReadonlyMap<number, NodeSum> {
  const sums = new Map<number, NodeSum>();
  for (const [site, { bytes: size, blocks, oldest }] of bySite) {
    const own = tree.of(site);
    for (let at = own; ; at = tree.node(at).parent) {
      const sum = sums.get(at) ?? { bytes: 0, count: 0, ownBytes: 0, ownCount: 0, oldest };
      sums.set(at, sum);
      sum.bytes += size;
      sum.count += blocks;
      sum.oldest = Math.min(sum.oldest, oldest);
      if (at === own) {
        sum.ownBytes += size;
        sum.ownCount += blocks;
      }
      if (tree.node(at).parent === 0) break;
    }
  }
  return sums;
}

/** QS3 */
export function siteNodesOf(tree: SiteTree, sums: ReadonlyMap<number, NodeSum>): readonly SiteNode[] {
  return [...sums]
    .sort(([one, x], [two, y]) => y.bytes - x.bytes || one - two)
    .slice(0, kMostNodes)
    .sort(([one], [two]) => tree.node(one).depth - tree.node(two).depth)
    .map(([site, sum]): SiteNode => {
      const { parent, frame } = tree.node(site);
      return { site, parent, frame, ...sum, bytes: bytes(sum.bytes), ownBytes: bytes(sum.ownBytes) };
    });
}
