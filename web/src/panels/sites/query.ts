// Whose the memory is at one moment: the blocks in use, summed by the call that made them, as the tree of the trace's sites.
//
//   QS1  A node's own bytes are those of blocks born at exactly this call stack; its bytes are its own and those of all
//        nodes below it. So the roots' bytes are those of all blocks.
//   QS2  Blocks whose call is not known are the node 0, frame ''.
//   QS3  Of many nodes those with the most bytes are given. A parent has no fewer than its child, so each node's parent is
//        given before it.

import { sumBySite } from '../../answers/held.ts';
import { bytes } from '../../base/brand.ts';
import type { HeapState } from '../../model/state/heap_state.ts';
import type { History } from '../../model/time/history.ts';
import type { PartQuery } from '../query.ts';
import { kSites, type SiteNode, type SitesFrame } from './part.ts';

const kMostNodes = 600;

interface Sum {
  bytes: number;
  count: number;
  ownBytes: number;
  ownCount: number;
}

export const sitesQuery: PartQuery<true, SitesFrame> = {
  key: kSites,
  query: ({ history, state }) => querySites(history, state),
};

export function querySites(history: History, state: HeapState): SitesFrame {
  const { sites } = history;
  if (!sites.areEntered) return { known: false, nodes: [] };
  const sums = new Map<number, Sum>();
  const sumOf = (site: number): Sum => {
    const known = sums.get(site) ?? { bytes: 0, count: 0, ownBytes: 0, ownCount: 0 };
    sums.set(site, known);
    return known;
  };
  for (const [site, { bytes: ownBytes, blocks }] of sumBySite(history, state)) {
    Object.assign(sumOf(site), { ownBytes, ownCount: blocks });
  }
  for (const [site, { ownBytes, ownCount }] of [...sums]) {
    if (ownCount === 0) continue;
    for (let at = site; ; at = sites.at(at)?.parent ?? 0) {
      const sum = sumOf(at);
      sum.bytes += ownBytes;
      sum.count += ownCount;
      if (at === 0 || (sites.at(at)?.parent ?? 0) === 0) break;
    }
  }
  const depth = (site: number): number => sites.stack(site).length;
  const kept = [...sums]
    .sort(([one, x], [two, y]) => y.bytes - x.bytes || one - two)
    .slice(0, kMostNodes)
    .sort(([one], [two]) => depth(one) - depth(two));
  return {
    known: true,
    nodes: kept.map(([site, sum]): SiteNode => {
      const found = sites.at(site);
      return {
        site,
        parent: found?.parent ?? 0,
        frame: found?.frame ?? '',
        bytes: bytes(sum.bytes),
        count: sum.count,
        ownBytes: bytes(sum.ownBytes),
        ownCount: sum.ownCount,
      };
    }),
  };
}
