// The call tree of a flame graph, small enough to be part of a page: nodes with what is allocated in them and below.
//
//   nodes, each behind its parent:   [parent, name, peak_bytes, live_bytes, allocated_bytes, allocations]    parent -1: none
//
//   flame_tree.F1  A node's figures are those of its own calls and of all nodes below it, the ones left out included.
//   flame_tree.F3  There are two trees: the program's own frames, as the page's Sites fold those of libraries (site_tree.ts), and all. A stack
//       that has none of its own keeps its innermost one.
//   flame_tree.F2  Of many nodes those with the greatest share of some figure are kept. A parent's share is no less than its
//       child's, so each kept node's parent is kept.

import { foldedStack } from '../base/frames.ts';
import { kMostFlameNodes, kMostLetters } from './limits.ts';
import type { SiteFigures } from './report_types.ts';
import type { SummedSite } from './site_sums.ts';

export const kFlameFigures = ['peak_bytes', 'live_bytes', 'allocated_bytes', 'allocations'] as const;

export interface FlameTree {
  readonly names: readonly string[];
  readonly nodes: readonly (readonly number[])[];
}

/** F3 */
export interface FlameTrees {
  readonly own: FlameTree;
  readonly all: FlameTree;
}

interface Node {
  readonly parent: number;
  readonly frame: string;
  readonly children: Map<string, number>;
  readonly figures: number[];
}

const kUnknown = '(call site not known)';

export const flameTrees = (sites: readonly SummedSite[]): FlameTrees => ({
  own: flameTree(sites.map((site) => ({ ...site, stack: foldedStack(site.stack) }))),
  all: flameTree(sites),
});

export function flameTree(sites: readonly SummedSite[]): FlameTree {
  const nodes = treeOf(sites);
  const totals = kFlameFigures.map((_, nth) => Math.max(1, sum(nodes, nth)));
  const share = ({ figures }: Node) => Math.max(...figures.map((value, nth) => value / (totals[nth] ?? 1)));
  const shares = Float64Array.from(nodes, share);
  const kept = Array.from(nodes.keys())
    .sort((x, y) => (shares[y] ?? 0) - (shares[x] ?? 0) || x - y) // F2
    .slice(0, kMostFlameNodes)
    .sort((x, y) => x - y);
  const places = new Map(kept.map((node, place) => [node, place]));
  const names = new Map<string, number>();
  const nameOf = (frame: string): number => {
    const known = names.get(frame) ?? names.size;
    names.set(frame, known);
    return known;
  };
  const rows = kept.flatMap((at) => {
    const node = nodes[at];
    return node === undefined ? [] : [[places.get(node.parent) ?? -1, nameOf(node.frame), ...node.figures]];
  });
  return { names: [...names.keys()].map((name) => name.slice(0, kMostLetters)), nodes: rows };
}

function treeOf(sites: readonly SummedSite[]): Node[] {
  const nodes: Node[] = [];
  const roots = new Map<string, number>();
  for (const { stack, figures } of sites) {
    let parent = -1;
    let children = roots;
    const frames = stack.length === 0 ? [kUnknown] : stack;
    for (let i = frames.length - 1; i >= 0; --i) {
      const frame = frames[i] ?? '';
      const known = children.get(frame) ?? nodes.length;
      children.set(frame, known);
      nodes[known] ??= { parent, frame, children: new Map(), figures: kFlameFigures.map(() => 0) };
      const node = nodes[known];
      kFlameFigures.forEach((name: keyof SiteFigures, nth) => {
        node.figures[nth] = (node.figures[nth] ?? 0) + figures[name];
      });
      parent = known;
      children = node.children;
    }
  }
  return nodes;
}

const sum = (nodes: readonly Node[], nth: number): number =>
  nodes.reduce((total, { parent, figures }) => total + (parent < 0 ? (figures[nth] ?? 0) : 0), 0);
