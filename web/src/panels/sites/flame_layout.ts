// Where the frames of a flame graph lie: shares of the width, rows from the top. Pure.

import type { SiteNode } from './part.ts';

export interface FlameBox {
  readonly node: SiteNode;
  readonly left: number; // 0..1 of the width, as width
  readonly width: number;
  readonly row: number;
}

const kUnknown = '(call not known)';

/** function, without its file and without C++'s words for a namespace that has no name: parse@reader.c:12 is parse. */
export function nameOf({ frame }: Pick<SiteNode, 'frame'>): string {
  if (frame === '') return kUnknown;
  const at = frame.lastIndexOf('@');
  return (at > 0 ? frame.slice(0, at) : frame).replaceAll('(anonymous namespace)::', '');
}

/**
 * The node `root` with all below it, or for 0 all roots; widest first within a parent. Frames narrower than `least` of the
 * width are left out with what is below them.
 */
export function layFlame(nodes: readonly SiteNode[], root: number, least: number): readonly FlameBox[] {
  const below = new Map<number, SiteNode[]>();
  for (const node of nodes) {
    const parent = node.site === 0 ? 0 : node.parent;
    below.set(parent, [...(below.get(parent) ?? []), node]);
  }
  const chosen = root === 0 ? undefined : nodes.find(({ site }) => site === root);
  const tops = chosen === undefined ? (below.get(0) ?? []) : [chosen];
  const total = Math.max(
    1,
    tops.reduce((sum, node) => sum + node.bytes, 0),
  );
  const boxes: FlameBox[] = [];
  const lay = (list: readonly SiteNode[], left: number, row: number): void => {
    let at = left;
    for (const node of [...list].sort((one, two) => two.bytes - one.bytes || one.site - two.site)) {
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
