import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { flameTree, kFlameFigures } from '../../../web/src/report/flame_tree.ts';
import { noFigures } from '../../../web/src/report/site_facts.ts';
import type { SummedSite } from '../../../web/src/report/site_sums.ts';

const site = (stack: string, peak: number): SummedSite => ({
  stack: stack === '' ? [] : stack.split(' '),
  figures: { ...noFigures(), peak_bytes: peak, allocations: 1 },
});

describe('the tree of a flame graph', () => {
  test('has in each node what is allocated in it and below', () => {
    const { names, nodes } = flameTree([site('read load main', 100), site('load main', 20), site('', 3)]);
    const said = nodes.map(([parent, name, peak, , , count]) => [parent, names[name ?? 0], peak, count]);
    expect(said).toEqual([
      [-1, 'main', 120, 2],
      [0, 'load', 120, 2],
      [1, 'read', 100, 1],
      [-1, '(call site not known)', 3, 1],
    ]);
  });

  test('keeps of too many nodes the largest, each with its callers', () => {
    const random = createRandom(3);
    const sites = Array.from({ length: 9000 }, (_, i) =>
      site(`leaf${i} f${random.below(40)} g${random.below(10)} main`, random.below(100_000)),
    );
    const { nodes } = flameTree(sites);
    expect(nodes).toHaveLength(4000);
    const total = sites.reduce((sum, { figures }) => sum + figures.peak_bytes, 0);
    const peak = 2 + kFlameFigures.indexOf('peak_bytes');
    expect(nodes[0]?.[peak]).toBe(total);
    expect(nodes.every(([parent = -1], at) => parent < at)).toBe(true);
    const least = Math.min(...nodes.map((node) => node[peak] ?? 0));
    const dropped = sites.map(({ figures }) => figures.peak_bytes).sort((x, y) => y - x)[3999] ?? 0;
    expect(least).toBeGreaterThanOrEqual(dropped * 0.9);
  });

  test('keeps a node for its share of any figure, whatever that is counted in', () => {
    const many = { stack: ['many'], figures: { ...noFigures(), allocations: 500 } };
    const { names } = flameTree([...Array.from({ length: 5000 }, (_, n) => site(`large${n}`, 1_000_000)), many]);
    expect(names).toContain('many');
  });
});
