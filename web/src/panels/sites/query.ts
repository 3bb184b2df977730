// Whose the memory is at one moment: the blocks in use, summed by the calls that made them, as a tree of calls and as a list of functions.
//
//   QS1  A node's own bytes are those of blocks born at exactly this call stack; its bytes are its own and those of all
//        nodes below it. So the roots' bytes are those of all blocks.
//   QS2  Blocks whose call is not known are the node 0, frame ''.
//   QS3  Of many nodes those with the most bytes are given. A parent has no fewer than its child, so each node's parent is
//        given before it.
//   QS4  A row is the innermost frame of a node, so it has the blocks of all stacks that end there.

import { type SiteSum, sumBySite } from '../../answers/held.ts';
import { bytes } from '../../base/brand.ts';
import type { HeapState } from '../../model/state/heap_state.ts';
import type { History } from '../../model/time/history.ts';
import { type SiteTree, siteTreeOf } from '../../model/time/site_tree.ts';
import type { PartQuery } from '../query.ts';
import { kSites, type SiteNode, type SiteRow, type SitesFrame, type SitesWant } from './part.ts';

const kMostNodes = 600;
const kMostRows = 40;

interface Sum {
  bytes: number;
  count: number;
  ownBytes: number;
  ownCount: number;
  oldest: number;
}

export const sitesQuery: PartQuery<SitesWant, SitesFrame> = {
  key: kSites,
  query: ({ history, state }, want) => querySites(history, state, want),
};

export function querySites(history: History, state: HeapState, { heap, libraries }: SitesWant): SitesFrame {
  const { sites } = history;
  if (!sites.areEntered) return { known: false, nodes: [], rows: [], functions: 0 };
  const tree = siteTreeOf(sites, libraries);
  const sums = sumNodes(tree, sumBySite(history, state, heap));
  const kept = [...sums]
    .sort(([one, x], [two, y]) => y.bytes - x.bytes || one - two)
    .slice(0, kMostNodes)
    .sort(([one], [two]) => tree.node(one).depth - tree.node(two).depth);
  const rows = rowsOf(tree, sums);
  return {
    known: true,
    nodes: kept.map(([site, sum]): SiteNode => {
      const { parent, frame } = tree.node(site);
      return { site, parent, frame, ...sum, bytes: bytes(sum.bytes), ownBytes: bytes(sum.ownBytes) };
    }),
    rows: rows.slice(0, kMostRows),
    functions: rows.length,
  };
}

/** QS1 */
function sumNodes(tree: SiteTree, bySite: ReadonlyMap<number, SiteSum>): ReadonlyMap<number, Sum> {
  const sums = new Map<number, Sum>();
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

/** QS4 */
function rowsOf(tree: SiteTree, sums: ReadonlyMap<number, Sum>): readonly SiteRow[] {
  const byFrame = new Map<string, { bytes: number; count: number }>();
  for (const [node, { ownBytes, ownCount }] of sums) {
    if (ownCount === 0) continue;
    const { frame } = tree.node(node);
    const row = byFrame.get(frame) ?? { bytes: 0, count: 0 };
    byFrame.set(frame, row);
    row.bytes += ownBytes;
    row.count += ownCount;
  }
  return [...byFrame]
    .map(([frame, row]): SiteRow => ({ frame, bytes: bytes(row.bytes), count: row.count }))
    .sort((one, two) => two.bytes - one.bytes || one.frame.localeCompare(two.frame));
}
