// Which call site of one build is which of another. Lines move with every edit, so sites are aligned by the path of
// their functions' names, from the outermost in; lines only put calls of one function in order.
//
//   a   main ─┬ load:12 ── read:40            b   main ─┬ load:15 ── read:41
//             ├ load:20 ── read:40                      ├ load:17 ── read:41     new
//             └ show                                    ├ load:24 ── read:41
//                                                       └ show
//
//   align.A1  Children of a pair of nodes are paired when their functions have the same name.
//   align.A2  Where one function is called from several lines, those of both sides are kept in line order and paired so that the
//       sum of likenesses is greatest (Needleman and Wunsch 1970, without a price for gaps). Like are calls with equally
//       many allocations of an equal size; the same line adds a little.
//   align.A3  A function that was renamed, inlined or split is new on one side and gone on the other: nothing is guessed.

import { frameParts } from '../base/frames.ts';
import { kMetricNames, type MetricName, type Run } from './diff_types.ts';

/** Values of one metric, one a run. */
export type Values = Readonly<Record<MetricName, readonly number[]>>;

export interface Aligned {
  /** Innermost first; undefined on the side that does not have it. */
  readonly stackA: readonly string[] | undefined;
  readonly stackB: readonly string[] | undefined;
  readonly a: Values;
  readonly b: Values;
}

interface Node {
  readonly frame: string;
  readonly name: string;
  readonly order: readonly [file: string, line: number];
  readonly children: Map<string, Node>;
  stack: readonly string[] | undefined; // of the site that ends here
  values: Record<MetricName, number[]> | undefined;
  // of all runs and of what is below too
  allocations: number;
  bytes: number;
}

/** pre: each side has a run */
export function alignSites(a: readonly Run[], b: readonly Run[]): Aligned[] {
  const found: Aligned[] = [];
  alignNodes(treeOf(a), treeOf(b), { a: noValues(a.length), b: noValues(b.length) }, found);
  return found;
}

const noValues = (runs: number): Record<MetricName, number[]> => {
  const zeros = () => new Array<number>(runs).fill(0);
  return Object.fromEntries(kMetricNames.map((name) => [name, zeros()])) as Record<MetricName, number[]>;
};

function makeNode(frame: string): Node {
  const { name, file, line } = frameParts(frame);
  const below = { stack: undefined, values: undefined, allocations: 0, bytes: 0 };
  return { frame, name, order: [file, line], children: new Map(), ...below };
}

function treeOf(runs: readonly Run[]): Node {
  const root = makeNode('');
  runs.forEach(({ sites }, run) => {
    for (const { stack, figures } of sites) {
      let node = root;
      for (let i = stack.length - 1; i >= 0; --i) {
        const frame = stack[i] ?? '';
        const next = node.children.get(frame) ?? makeNode(frame);
        node.children.set(frame, next);
        node = next;
        node.allocations += figures.allocations;
        node.bytes += figures.allocated_bytes;
      }
      node.stack = stack;
      node.values ??= noValues(runs.length);
      for (const name of kMetricNames) {
        const values = node.values[name];
        values[run] = (values[run] ?? 0) + figures[name];
      }
    }
  });
  return root;
}

function alignNodes(a: Node | undefined, b: Node | undefined, none: { a: Values; b: Values }, found: Aligned[]): void {
  if (a?.values !== undefined || b?.values !== undefined) {
    found.push({ stackA: a?.stack, stackB: b?.stack, a: a?.values ?? none.a, b: b?.values ?? none.b });
  }
  for (const [x, y] of pairs([...(a?.children.values() ?? [])], [...(b?.children.values() ?? [])])) {
    alignNodes(x, y, none, found);
  }
}

function pairs(a: readonly Node[], b: readonly Node[]): (readonly [Node | undefined, Node | undefined])[] {
  const names = new Set([...a, ...b].map(({ name }) => name));
  const of = (nodes: readonly Node[]) => {
    const byName = new Map<string, Node[]>();
    for (const node of nodes) byName.set(node.name, [...(byName.get(node.name) ?? []), node]);
    return byName;
  };
  const inA = of(a);
  const inB = of(b);
  return [...names].flatMap((name) => ordered(inA.get(name) ?? [], inB.get(name) ?? []));
}

/** A2. pre: all nodes have one name */
function ordered(a: readonly Node[], b: readonly Node[]): (readonly [Node | undefined, Node | undefined])[] {
  if (a.length === 1 && b.length === 1) return [[a[0], b[0]]];
  const x = [...a].sort(byLine);
  const y = [...b].sort(byLine);
  // best[i][j]: greatest sum of x from i on and y from j on
  const best = Array.from({ length: x.length + 1 }, () => new Float64Array(y.length + 1));
  const at = (i: number, j: number) => best[i]?.[j] ?? 0;
  const both = (i: number, j: number) => likeness(x[i], y[j]) + at(i + 1, j + 1);
  for (let i = x.length - 1; i >= 0; --i) {
    for (let j = y.length - 1; j >= 0; --j) {
      const row = best[i];
      if (row !== undefined) row[j] = Math.max(at(i + 1, j), at(i, j + 1), both(i, j));
    }
  }
  const found: (readonly [Node | undefined, Node | undefined])[] = [];
  let i = 0;
  let j = 0;
  while (i < x.length || j < y.length) {
    if (i < x.length && j < y.length && at(i, j) === both(i, j)) found.push([x[i++], y[j++]]);
    else if (i < x.length && at(i, j) === at(i + 1, j)) found.push([x[i++], undefined]);
    else found.push([undefined, y[j++]]);
  }
  return found;
}

const byLine = ({ order: x }: Node, { order: y }: Node): number => (x[0] === y[0] ? x[1] - y[1] : x[0] < y[0] ? -1 : 1);

/** 1 to 4.5: pairing two is always better than pairing none. */
function likeness(x: Node | undefined, y: Node | undefined): number {
  if (x === undefined || y === undefined) return 0;
  const size = (node: Node) => (node.allocations === 0 ? 0 : node.bytes / node.allocations);
  const sameLine = x.order[1] === y.order[1] ? 0.5 : 0;
  return 1 + ratio(x.allocations, y.allocations) + 2 * ratio(size(x), size(y)) + sameLine;
}

/** 1: equal; 0: one has nothing. */
const ratio = (x: number, y: number): number => (x === y ? 1 : Math.min(x, y) / Math.max(x, y, 1));
