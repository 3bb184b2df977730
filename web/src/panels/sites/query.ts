// Whose the memory is at one moment: the blocks in use, summed by the calls that made them, as a tree of calls and as a list of functions.
//
//   QS4  A row is the innermost frame of a node, so it has the blocks of all stacks that end there.

import { sumBySite } from '../../answers/held.ts';
import { bytes } from '../../base/brand.ts';
import { type NodeSum, siteNodesOf, sumNodes } from '../../model/queries/site_nodes.ts';
import type { HeapState } from '../../model/state/heap_state.ts';
import type { History } from '../../model/time/history.ts';
import { type SiteTree, siteTreeOf } from '../../model/time/site_tree.ts';
import type { PartQuery } from '../query.ts';
import { kSites, type SiteRow, type SitesFrame, type SitesWant } from './part.ts';

const kMostRows = 40;

export const sitesQuery: PartQuery<SitesWant, SitesFrame> = {
  key: kSites,
  query: ({ history, state }, want) => querySites(history, state, want),
};

export function querySites(history: History, state: HeapState, { heap, libraries }: SitesWant): SitesFrame {
  const { sites } = history;
  if (!sites.areEntered) return { known: false, nodes: [], rows: [], functions: 0, bytes: bytes(0) };
  const tree = siteTreeOf(sites, libraries);
  const sums = sumNodes(tree, sumBySite(history, state, heap));
  const rows = rowsOf(tree, sums);
  return {
    known: true,
    nodes: siteNodesOf(tree, sums),
    rows: rows.slice(0, kMostRows),
    functions: rows.length,
    bytes: bytes(rows.reduce((sum, row) => sum + row.bytes, 0)),
  };
}

/** QS4 */
function rowsOf(tree: SiteTree, sums: ReadonlyMap<number, NodeSum>): readonly SiteRow[] {
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
