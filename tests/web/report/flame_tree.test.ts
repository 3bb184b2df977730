import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { flameTree, flameTrees, kFlameFigures } from '../../../web/src/report/flame_tree.ts';
import { kMostFlameNodes } from '../../../web/src/report/limits.ts';
import { noFigures } from '../../../web/src/report/site_facts.ts';
import type { SummedSite } from '../../../web/src/report/site_sums.ts';
import { someOf } from '../../every.ts';

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

  test('folds the frames of libraries, and has all of them beside it', () => {
    const sites = [
      site('malloc operator^new std::vector<int>::push_back load@load.cpp:12 __original_main@load.cpp:40 main', 100),
      site('malloc load@load.cpp:12 __original_main@load.cpp:40 main', 20),
      site('malloc operator^new', 5),
    ].map(({ stack, figures }) => ({ stack: stack.map((frame) => frame.replace('^', ' ')), figures }));
    const { own, all } = flameTrees(sites);
    const said = ({ names, nodes }: typeof own) =>
      nodes.map(([parent, name, peak]) => [parent, names[name ?? 0], peak] as const);
    expect(said(own)).toEqual([
      [-1, '__original_main@load.cpp:40', 120],
      [0, 'load@load.cpp:12', 120],
      [-1, 'malloc', 5],
    ]);
    expect(said(all).map(([, name]) => name)).toContain('std::vector<int>::push_back');
    const whole = (tree: typeof own) =>
      said(tree).reduce((sum, [parent, , peak]) => sum + ((parent ?? 0) < 0 ? (peak ?? 0) : 0), 0);
    expect([whole(own), whole(all)]).toEqual([125, 125]);
  });

  test.each(someOf([1, 2, 3]))('has the paths with the greatest shares, by a count of every path, seed %i', (seed) => {
    const { below } = createRandom(seed);
    const sites = Array.from({ length: 6000 }, (_, nth) => {
      const stack = Array.from({ length: below(4) }, (_, depth) => `f${below(depth === 0 ? 2000 : 9)}`);
      const peak_bytes = stack.length === 1 ? below(1000) : 0;
      const figures = {
        peak_bytes,
        live_bytes: below(50),
        allocated_bytes: peak_bytes + below(90),
        allocations: stack.length === 3 ? 1 + below(4) : 0,
      };
      return { stack: nth % 100 === 0 ? [] : stack, figures: { ...noFigures(), ...figures } };
    });
    const paths = new Map<string, number[]>();
    const totals = kFlameFigures.map((name) => sites.reduce((sum, { figures }) => sum + figures[name], 0));
    for (const { stack, figures } of sites) {
      const frames = stack.length === 0 ? ['(call site not known)'] : stack.toReversed();
      for (const depth of frames.keys()) {
        const path = frames.slice(0, depth + 1).join(' ');
        const known = paths.get(path) ?? kFlameFigures.map(() => 0);
        paths.set(
          path,
          known.map((sum, nth) => sum + figures[kFlameFigures[nth] ?? 'peak_bytes']),
        );
      }
    }
    const { names, nodes } = flameTree(sites);
    const pathOf = ([parent = -1, name = 0]: readonly number[]): string =>
      parent < 0 ? (names[name] ?? '') : `${pathOf(nodes[parent] ?? [])} ${names[name]}`;
    const said = new Map(nodes.map((node) => [pathOf(node), node.slice(2)]));
    expect(said.size).toBe(Math.min(paths.size, kMostFlameNodes));
    expect(paths.size).toBeGreaterThan(kMostFlameNodes);
    const share = (figures: readonly number[]) => Math.max(...figures.map((value, nth) => value / (totals[nth] ?? 1)));
    const left = [...paths].filter(([path]) => !said.has(path)).map(([, figures]) => share(figures));
    for (const [path, figures] of said) expect(figures, path).toEqual(paths.get(path));
    expect(Math.min(...[...said.values()].map(share))).toBeGreaterThanOrEqual(Math.max(...left));
  });
});
