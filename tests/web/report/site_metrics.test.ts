// Call sites by a pattern: which frames fit it, what all of those sites come to, and what is said when none does.

import { expect, test } from 'vitest';
import { noFigures } from '../../../web/src/report/site_facts.ts';
import { figuresOf, kSiteMetrics, matcher } from '../../../web/src/report/site_metrics.ts';
import type { SummedSite } from '../../../web/src/report/site_sums.ts';

const siteOf = (allocations: number, ...stack: string[]) =>
  ({ stack, figures: { ...noFigures(), allocations, allocated_bytes: 10 * allocations } }) as unknown as SummedSite;

test.each([
  ['parse', 'parse@a.c:3', true],
  ['parse', 'parser@a.c:3', false],
  ['parse', 'reparse@a.c:3', false],
  ['parse*', 'parse_all@a.c:3', true],
  ['*', 'anything', true],
  ['*_all', 'parse_all', true],
  ['a*c*e', 'abcde', true],
  ['a*c*e', 'acd', false],
  ['a.c', 'abc', false],
  ['vector<int>::grow()', 'vector<int>::grow()@v.h:9', true],
  ['f[1]+$', 'f[1]+$', true],
  ['a.c:3', 'parse@a.c:3', false],
  ['*@a.c:3', 'parse@a.c:3', true],
  ['parse@*', 'parse@a.c:3', true],
  ['parse@*', 'parse', false],
  ['a*b', 'a\nb', true],
])('%s and the frame %s: %s', (pattern, frame, fits) => {
  expect(matcher(pattern)(frame)).toBe(fits);
});

test('a pattern has all sites with such a frame anywhere in their stacks, together', () => {
  const sites = [
    siteOf(1, 'malloc', 'parse@a.c:1', 'main'),
    siteOf(20, 'parse@a.c:9'),
    siteOf(300, 'other@b.c:1', 'main'),
  ];
  const allocations = (pattern: string) => {
    const figures = figuresOf(pattern, sites);
    return typeof figures === 'string' ? figures : [figures.allocations, figures.allocated_bytes];
  };
  expect(allocations('parse')).toEqual([21, 210]);
  expect(allocations('main')).toEqual([301, 3010]);
  expect(allocations('*@a.c:9')).toEqual([20, 200]);
  expect(sites[0]?.figures.allocations).toBe(1);
});

test('where no site fits, the first eight functions are named, each once, and how many more there are', () => {
  const named = (count: number) =>
    figuresOf('x', [
      siteOf(1, 'f1@a.c:1'),
      siteOf(1, ...Array.from({ length: count }, (_, nth) => `f${nth + 1}@a.c:7`)),
    ]);
  const eight = 'f1, f2, f3, f4, f5, f6, f7, f8';
  expect(named(2)).toBe('no function of the trace fits site:x; there are f1, f2');
  expect(named(8)).toBe(`no function of the trace fits site:x; there are ${eight}`);
  expect(named(9)).toBe(`no function of the trace fits site:x; there are ${eight}, and 1 more`);
  for (const sites of [[], [siteOf(1)]]) expect(figuresOf('x', sites)).toMatch(/recorded without stacks$/);
});

test('each metric is of its own figure, and temporaries have a share of the allocations', () => {
  const figures = {
    ...noFigures(),
    ...{ allocated_bytes: 1, allocations: 20, peak_bytes: 3, live_blocks: 4, live_bytes: 5, temporaries: 6 },
  };
  const of = Object.fromEntries(Object.entries(kSiteMetrics).map(([name, metric]) => [name, metric.of(figures)]));
  expect(of).toEqual({ bytes: 1, count: 20, peak: 3, leaks: 4, leaked: 5, temporaries: 6 });
  expect([kSiteMetrics.temporaries.share(figures), kSiteMetrics.temporaries.share(noFigures())]).toEqual([0.3, 0]);
});
