// Where the frames of a flame graph lie: shares of the width, rows from the top. And the sandwich of one function: who calls it, and what
// it calls, each as a tree of its own. Pure.

import { bytes } from '../../base/brand.ts';
import { labelOfFrame } from '../../base/frames.ts';
import type { SiteNode } from '../../protocol/site_nodes.ts';

export interface FlameBox {
  readonly node: SiteNode;
  readonly left: number; // 0..1 of the width, as width
  readonly width: number;
  readonly row: number;
}

/** How callees of one call stand beside each other. */
export type FlameOrder = 'heavy' | 'old';

const kUnknown = '(call not known)';

/** function, without its file and without C++'s words for a namespace that has no name: parse@reader.c:12 is parse. */
export const nameOf = ({ frame }: Pick<SiteNode, 'frame'>): string =>
  frame === '' ? kUnknown : labelOfFrame(frame).name;

type Below = ReadonlyMap<number, readonly SiteNode[]>;

function belowOf(nodes: readonly SiteNode[]): Below {
  const below = new Map<number, SiteNode[]>();
  for (const node of nodes) {
    const parent = node.site === 0 ? 0 : node.parent;
    const beside = below.get(parent);
    if (beside === undefined) below.set(parent, [node]);
    else beside.push(node);
  }
  return below;
}

/**
 * The node `root` with all below it, or for 0 all roots; within a parent those with most bytes first, or those with the oldest block.
 * Frames narrower than `least` of the width are left out with what is below them.
 */
export function layFlame(
  nodes: readonly SiteNode[],
  root: number,
  least: number,
  order: FlameOrder = 'heavy',
): readonly FlameBox[] {
  const below = belowOf(nodes);
  const chosen = root === 0 ? undefined : nodes.find(({ site }) => site === root);
  const tops = chosen === undefined ? (below.get(0) ?? []) : [chosen];
  const total = Math.max(
    1,
    tops.reduce((sum, node) => sum + node.bytes, 0),
  );
  const boxes: FlameBox[] = [];
  const before = (one: SiteNode, two: SiteNode) =>
    (order === 'old' ? one.oldest - two.oldest : two.bytes - one.bytes) || one.site - two.site;
  const lay = (list: readonly SiteNode[], left: number, row: number): void => {
    let at = left;
    for (const node of [...list].sort(before)) {
      const width = node.bytes / total;
      if (width >= least) {
        boxes.push({ node, left: at, width, row });
        if (node.site !== 0) lay(below.get(node.site) ?? [], at, row + 1);
      }
      at += width;
    }
  };
  lay(tops, 0, 0);
  return boxes;
}

export interface Sandwich {
  readonly callers: readonly SiteNode[]; // the function first, who calls it below
  readonly callees: readonly SiteNode[]; // the function first, what it calls below
}

/** Of a recursive function the outermost call counts, so that no block counts twice. */
export function sandwichOf(nodes: readonly SiteNode[], frame: string): Sandwich {
  const byNumber = new Map(nodes.map((node) => [node.site, node]));
  const below = belowOf(nodes);
  const pathTo = (node: SiteNode): readonly SiteNode[] => {
    const path: SiteNode[] = [node];
    for (let at = node.parent; at !== 0; ) {
      const caller = byNumber.get(at);
      if (caller === undefined) break;
      path.push(caller);
      at = caller.parent;
    }
    return path;
  };
  const callers = new MergedTree();
  const callees = new MergedTree();
  const descend = (node: SiteNode, parent: number): void => {
    const at = callees.add(parent, node);
    for (const callee of below.get(node.site) ?? []) descend(callee, at);
  };
  for (const node of nodes) {
    if (node.frame !== frame || node.site === 0) continue;
    const path = pathTo(node);
    if (path.slice(1).some((caller) => caller.frame === frame)) continue;
    let at = 0;
    for (const caller of path) at = callers.add(at, { ...caller, bytes: node.bytes, count: node.count });
    descend(node, 0);
  }
  return { callers: callers.nodes, callees: callees.nodes };
}

/** Nodes of several trees by their path of frames. */
class MergedTree {
  readonly #nodes: SiteNode[] = [];
  readonly #known = new Map<string, number>();

  get nodes(): readonly SiteNode[] {
    return this.#nodes;
  }

  add(parent: number, node: SiteNode): number {
    const key = `${parent}\n${node.frame}`;
    const number = this.#known.get(key) ?? this.#nodes.length + 1;
    const known = this.#nodes[number - 1];
    this.#known.set(key, number);
    this.#nodes[number - 1] = {
      ...node,
      site: number,
      parent,
      bytes: bytes((known?.bytes ?? 0) + node.bytes),
      count: (known?.count ?? 0) + node.count,
      ownBytes: bytes((known?.ownBytes ?? 0) + node.ownBytes),
      ownCount: (known?.ownCount ?? 0) + node.ownCount,
      oldest: Math.min(known?.oldest ?? node.oldest, node.oldest),
    };
    return number;
  }
}
