import Ajv from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { alignSites } from '../../../web/src/diff/align.ts';
import { hasGrown, makeDiff } from '../../../web/src/diff/diff.ts';
import { diffDocument } from '../../../web/src/diff/diff_document.ts';
import { kDiffSchema } from '../../../web/src/diff/diff_schema.ts';
import type { MetricValues, Run } from '../../../web/src/diff/diff_types.ts';
import { renderHtml } from '../../../web/src/document/render_html.ts';
import { renderText } from '../../../web/src/document/render_text.ts';

const validate = new Ajv().compile(kDiffSchema);

/** blocks of a size, of which some stay. */
const figures = (allocations: number, size: number, live = 0): MetricValues => ({
  allocations,
  allocated_bytes: allocations * size,
  live_blocks: live,
  live_bytes: live * size,
  peak_bytes: Math.ceil(allocations / 2) * size,
  temporaries: 0,
});

const run = (name: string, sites: Readonly<Record<string, MetricValues>>): Run => ({
  name,
  events: 1000,
  sites: Object.entries(sites).map(([stack, each]) => ({ stack: stack.split(' < '), figures: each })),
});

/** A tree of calls: some functions call one function from several lines. */
function randomRun(seed: number, shift: (line: number) => number, swing = 0, swingSeed = 0): Run {
  const shape = createRandom(seed);
  const noise = createRandom(swingSeed);
  const sites: Record<string, MetricValues> = {};
  for (let i = 0; i < 60; ++i) {
    const line = () => shift(10 + shape.below(30) * 3);
    const stack = [`f${shape.below(9)}@f.cpp:${line()}`, `g${shape.below(3)}@g.cpp:${line()}`, `main@m.cpp:${line()}`];
    const count = 40 + shape.below(4000);
    const size = 8 + shape.below(400);
    const live = shape.below(3) * 10;
    const swung = (value: number) => Math.round(value * (1 + (swing * (noise.below(2001) - 1000)) / 1000));
    sites[stack.join(' < ')] = figures(swung(count), size, swung(live));
  }
  return run(`run ${seed}`, sites);
}

describe('alignment', () => {
  test('finds each site again when lines were added above and between functions', () => {
    for (let seed = 1; seed <= 20; ++seed) {
      const a = randomRun(seed, (line) => line);
      const b = randomRun(seed, (line) => line + 5 + (line > 40 ? 11 : 0));
      for (const { stackA, stackB } of alignSites([a], [b])) {
        const moved = stackA?.map((frame) => {
          const [, head = '', line = ''] = /^(.*:)(\d+)$/.exec(frame) ?? [];
          return `${head}${Number(line) + 5 + (Number(line) > 40 ? 11 : 0)}`;
        });
        expect(stackB, `seed ${seed}`).toEqual(moved);
      }
    }
  });

  test('tells a call that is new from the ones before and behind it in the same function', () => {
    const a = run('a', {
      'read@io.c:9 < load@l.c:10': figures(100, 16),
      'read@io.c:9 < load@l.c:20': figures(7, 4096),
    });
    const b = run('b', {
      'read@io.c:9 < load@l.c:11': figures(100, 16),
      'read@io.c:9 < load@l.c:15': figures(900, 100),
      'read@io.c:9 < load@l.c:22': figures(7, 4096),
    });
    const { sites, counts } = makeDiff({ a: [a], b: [b] });
    expect(counts).toEqual({ grew: 0, shrank: 0, new: 1, gone: 0, same: 2 });
    expect(sites[0]?.stack_b).toEqual(['read@io.c:9', 'load@l.c:15']);
  });

  test('tells which of two calls is gone or new, and keeps the other', () => {
    const calls = { 'read@io.c:9 < load@l.c:10': figures(100, 16), 'read@io.c:9 < load@l.c:20': figures(7, 4096) };
    const both = run('both', calls);
    for (const [stack, each] of Object.entries(calls)) {
      const one = run('one', { [stack]: each });
      const gone = makeDiff({ a: [both], b: [one] });
      expect(gone.counts).toEqual({ grew: 0, shrank: 0, new: 0, gone: 1, same: 1 });
      expect(gone.sites[0]?.stack_a.join(' < ')).not.toBe(stack);
      expect(makeDiff({ a: [one], b: [both] }).counts).toMatchObject({ new: 1, gone: 0, same: 1 });
    }
  });

  const pairOf = (a: Readonly<Record<string, MetricValues>>, b: Readonly<Record<string, MetricValues>>) =>
    alignSites([run('a', a)], [run('b', b)])
      .filter(({ stackA, stackB }) => stackA !== undefined && stackB !== undefined)
      .map(({ stackA, stackB }) => [stackA?.[1], stackB?.[1]]);

  test('of several calls in a function the size says more than the number, and the same line a little', () => {
    const a = { 'read < load@l.c:20': figures(100, 16) };
    const twice = { 'read < load@l.c:31': figures(100, 32), 'read < load@l.c:35': figures(5, 16) };
    expect(pairOf(a, twice)).toEqual([['load@l.c:20', 'load@l.c:35']]);
    const near = { 'read < load@l.c:20': figures(90, 16), 'read < load@l.c:35': figures(100, 16) };
    expect(pairOf(a, near)).toEqual([['load@l.c:20', 'load@l.c:20']]);
    // Of calls that allocated nothing while this was recorded, those are alike that did so on both sides.
    const idle = { 'read < load@l.c:31': figures(1, 16), 'read < load@l.c:35': figures(0, 16, 5) };
    expect(pairOf({ 'read < load@l.c:20': figures(0, 16, 5) }, idle)).toEqual([['load@l.c:20', 'load@l.c:35']]);
    const far = { 'read < load@l.c:20': figures(10, 160), 'read < load@l.c:35': figures(100, 16) };
    expect(pairOf(a, far)).toEqual([['load@l.c:20', 'load@l.c:35']]);
  });

  test('keeps the order of lines in each file: functions of one name may be in two', () => {
    const sizes = [figures(100, 16), figures(7, 4096)] as const;
    const of = (...calls: readonly string[]) =>
      Object.fromEntries(calls.map((call, nth) => [`read < ${call}`, sizes[nth] ?? sizes[0]]));
    const a = of('load@a.c:50', 'load@b.c:10');
    const b = Object.entries(of('load@a.c:5', 'load@b.c:12'));
    for (const inOrder of [b, b.toReversed()])
      expect(pairOf(a, Object.fromEntries(inOrder))).toEqual([
        ['load@a.c:50', 'load@a.c:5'],
        ['load@b.c:10', 'load@b.c:12'],
      ]);
  });

  test('adds up sites of one stack, in each run', () => {
    const stack = ['read', 'main'];
    const twice = (...counts: readonly number[]): Run => ({
      name: 'twice',
      events: 1,
      sites: counts.map((count) => ({ stack, figures: figures(count, 8) })),
    });
    const [site, ...more] = alignSites([twice(3, 4), twice(5)], [twice(1, 1, 1)]);
    expect([site?.a.allocations, site?.b.allocations, more.length]).toEqual([[7, 5], [3], 0]);
  });

  test('does not guess what a renamed function was', () => {
    const a = run('a', { 'old < main': figures(10, 10) });
    const b = run('b', { 'fresh < main': figures(10, 10) });
    const diff = makeDiff({ a: [a], b: [b] });
    expect(diff.counts).toEqual({ grew: 0, shrank: 0, new: 1, gone: 1, same: 0 });
    expect(hasGrown(diff), 'a site that is new has grown, whatever the sums say').toBe(true);
  });
});

describe('noise', () => {
  const repeats = (seed: number, swing: number, from: number, runs: number, line = 0): Run[] =>
    Array.from({ length: runs }, (_, i) => randomRun(seed, (each) => each + line, swing, from + i));

  test('of repeats covers what equal builds differ by', () => {
    let found = 0;
    for (let seed = 1; seed <= 30; ++seed) {
      const diff = makeDiff({ a: repeats(seed, 0.05, seed * 100, 3), b: repeats(seed, 0.05, seed * 100 + 50, 3, 4) });
      found += diff.counts.grew + diff.counts.shrank + diff.counts.new + diff.counts.gone + diff.totals.length;
    }
    expect(found).toBe(0);
  });

  test('does not hide a site that doubled', () => {
    let named = 0;
    for (let seed = 1; seed <= 30; ++seed) {
      const b = repeats(seed, 0.05, seed * 100 + 50, 3, 4);
      const planted = seed % 40;
      const stack = b[0]?.sites[planted]?.stack.join();
      const doubled = b.map((each) => ({
        ...each,
        sites: each.sites.map((site) =>
          site.stack.join() === stack
            ? {
                ...site,
                figures: {
                  ...site.figures,
                  allocations: site.figures.allocations * 2,
                  allocated_bytes: site.figures.allocated_bytes * 2,
                },
              }
            : site,
        ),
      }));
      const diff = makeDiff({ a: repeats(seed, 0.05, seed * 100, 3), b: doubled });
      if (diff.sites.length === 1 && diff.sites[0]?.kind === 'grew' && diff.sites[0].stack_b.join() === stack)
        named += 1;
    }
    expect(named).toBe(30);
  });

  test('of sizes is not that of counts: larger blocks are named where their number swings by a third', () => {
    const counts = [100, 130, 90];
    const runs = (size: number, shift: number): Run[] =>
      counts.map((count, nth) => {
        const others = Array.from({ length: 12 }, (_, i) => [`g${i} < main`, figures(count + 3 * i + shift, 64)]);
        return run(`${nth}`, { 'f < main': figures(count + shift, size), ...Object.fromEntries(others) });
      });
    const [site, ...more] = makeDiff({ a: runs(320, 0), b: runs(400, 5) }).sites;
    expect([site?.function, site?.kind, more.length]).toEqual(['f', 'grew', 0]);
    expect(site?.changes.map(({ metric, a, b }) => [metric, a, b])).toEqual([['block_bytes', 320, 400]]);
    expect(makeDiff({ a: runs(320, 0), b: runs(320, 5) }).sites).toEqual([]);
  });

  test('as wide as the difference hides it, and a difference that is wider shows', () => {
    // Sites that never differ keep the usual range at nothing, so that only the site's own range counts.
    const others = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`g${i} < main`, figures(100, 64)]));
    const runs = (...counts: number[]) =>
      counts.map((count, nth) => run(`${nth}`, { 'f < main': figures(count, 8), ...others }));
    expect(makeDiff({ a: runs(100, 104), b: runs(108, 112) }).sites).toEqual([]);
    expect(makeDiff({ a: runs(100, 104), b: runs(109, 113) }).sites.map((site) => site.function)).toEqual(['f']);
    expect(makeDiff({ a: runs(100, 100), b: runs(108, 116) }).sites).toEqual([]);
    expect(makeDiff({ a: runs(100, 100), b: runs(109, 117) }).sites.map((site) => site.function)).toEqual(['f']);
  });

  // One site ranges widely on one side: whether the others are measured by it depends on how many ranges there are.
  test.each([
    { sites: 10, repeated: [2, 2], hidden: true }, // 20 ranges: one is a twentieth
    { sites: 11, repeated: [2, 2], hidden: false },
    { sites: 15, repeated: [1, 2], hidden: true }, // 15 ranges: one run has none
    { sites: 22, repeated: [1, 2], hidden: false },
  ] as const)(
    'is what one of twenty sites ranges over: $sites sites, runs $repeated',
    ({ sites, repeated, hidden }) => {
      const runs = (count: number, changed: number, wide: readonly number[]): Run[] =>
        Array.from({ length: count }, (_, nth) => {
          const steady = Array.from({ length: sites - 2 }, (__, i) => [`g${i} < main`, figures(100, 64)]);
          const two = { 'f < main': figures(changed, 64), 'wide < main': figures(wide[nth] ?? 0, 64) };
          return run(`${nth}`, { ...two, ...Object.fromEntries(steady) });
        });
      const diff = makeDiff({ a: runs(repeated[0], 100, [120, 120]), b: runs(repeated[1], 104, [100, 140]) });
      expect(diff.noise.known).toBe(true);
      expect(diff.sites.map((site) => site.function)).toEqual(hidden ? [] : ['f']);
    },
  );

  test('is unknown without repeats: then one block is a change, and it is said', () => {
    const one = run('a', { 'f < main': figures(100, 8, 0) });
    const two = run('b', { 'f < main': figures(100, 8, 1) });
    const diff = makeDiff({ a: [one], b: [two] });
    expect(diff.noise.known).toBe(false);
    expect(hasGrown(diff)).toBe(true);
    expect(hasGrown(makeDiff({ a: [two], b: [one] }))).toBe(false);
    const text = renderText(diffDocument(diff));
    expect(text).toContain('no repeats were given, so every difference is a change');
    expect(text).toContain('f < main grew\n  live at the end: 0 B to 8 B (+8 B)');
  });
});

describe('a comparison', () => {
  test('names each site by the side that has it, its stacks, and the change of the whole program', () => {
    const withUnknown = (of: Run, count: number): Run => ({
      ...of,
      sites: [...of.sites, { stack: [], figures: figures(count, 8) }],
    });
    const a = withUnknown(run('a', { 'old@o.c:1 < main': figures(3, 16), 'more < main': figures(10, 16) }), 1);
    const b = withUnknown(run('b', { 'fresh@n.c:2 < main': figures(4, 16), 'more < main': figures(20, 16) }), 2);
    const diff = makeDiff({ a: [a], b: [b] });
    const named = diff.sites.map((site) => [site.kind, site.function, site.stack_a[0] ?? '', site.stack_b[0] ?? '']);
    expect(named.toSorted()).toEqual([
      ['gone', 'old', 'old@o.c:1', ''],
      ['grew', '(not known)', '', ''],
      ['grew', 'more', 'more', 'more'],
      ['new', 'fresh', '', 'fresh@n.c:2'],
    ]);
    const text = renderText(diffDocument(diff));
    expect(text).toMatch(/The whole program\n(?:.*\n)*? {2}allocations: 14 to 26 \(\+12, /);
    expect(text).toContain('old o.c:1 < main is gone');
    expect(text).toContain('fresh n.c:2 < main is new');
    expect(text).toContain('calls that do not say where they come from grew');
    const same = renderText(diffDocument(makeDiff({ a: [a], b: [a] })));
    expect(same).not.toContain('allocations:');
  });

  test('says in one sentence how many call sites changed, and how', () => {
    const a = run('a', { 'kept < main': figures(5, 16), 'more < main': figures(10, 16), 'old < main': figures(3, 16) });
    const b = run('b', {
      'kept < main': figures(5, 16),
      'more < main': figures(20, 16),
      'fresh < main': figures(3, 16),
    });
    const said = (x: Run, y: Run) => diffDocument(makeDiff({ a: [x], b: [y] })).summary;
    expect(said(a, b)).toBe('Of 4 call sites 1 grew, 1 is new, 1 is gone.');
    expect(said(a, a)).toBe('No call site changed beyond the noise; 3 are the same.');
  });

  test('fits its schema, is bounded, and has its names escaped', () => {
    const a = randomRun(3, (line) => line);
    const sites = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`<b>${'x'.repeat(300)}${i} < main`, figures(i, 32)]),
    );
    const diff = makeDiff({ a: [a], b: [run('b', sites)], notices: ['a notice'] });
    expect(validate(diff), JSON.stringify(validate.errors)).toBe(true);
    expect([diff.sites.length, diff.counts.new]).toEqual([60, 499]); // the one with 0 blocks is the same
    const page = renderHtml(diffDocument(makeDiff({ a: [run('a', {})], b: [run('<b>', sites)] })));
    expect(page).not.toContain('<b>');
    expect(page).toContain('&lt;b&gt;xxx');
    expect(validate(makeDiff({ a: [a], b: [a] }))).toBe(true);
  });
});

/** Functions without lines, each with random figures, on either side or on both. */
function twoSides(seed: number): [Run, Run] {
  const random = createRandom(seed);
  const some = (): MetricValues => ({
    allocations: random.below(3) === 0 ? 0 : 1 + random.below(50),
    allocated_bytes: random.below(5000),
    live_blocks: random.below(4),
    live_bytes: random.below(3) * 100,
    peak_bytes: random.below(3) * 1000,
    temporaries: random.below(3),
  });
  const [a, b]: Record<string, MetricValues>[] = [{}, {}];
  for (let nth = 0; nth < 40; ++nth) {
    const [both, stack] = [some(), `f${nth} < g${nth % 3} < main`];
    const side = random.below(6);
    if (a !== undefined && side !== 0) a[stack] = both;
    if (b !== undefined && side !== 1)
      b[stack] = side < 4 ? some() : { ...both, [kMetrics[random.below(6)] ?? '']: random.below(9) };
  }
  return [run('a', a ?? {}), run('b', b ?? {})];
}
const kMetrics = ['allocations', 'allocated_bytes', 'live_blocks', 'live_bytes', 'peak_bytes', 'temporaries'] as const;

test.each([1, 2, 3, 4, 5])(
  'without repeats each difference of each site is there, in whole numbers (seed %i)',
  (seed) => {
    const [a, b] = twoSides(seed);
    const diff = makeDiff({ a: [a], b: [b] });
    const none = figures(0, 0);
    const sideOf = ({ sites }: Run) => new Map(sites.map((site) => [site.stack.join(), site.figures]));
    const [inA, inB] = [sideOf(a), sideOf(b)];
    const kinds = { grew: 0, shrank: 0, new: 0, gone: 0, same: 0 };
    const expected = new Map<string, Record<string, [number, number]>>();
    for (const stack of new Set([...inA.keys(), ...inB.keys()])) {
      const [x, y] = [inA.get(stack) ?? none, inB.get(stack) ?? none];
      const changes: Record<string, [number, number]> = {};
      for (const metric of kMetrics) if (x[metric] !== y[metric]) changes[metric] = [x[metric], y[metric]];
      const [from, to] = [x, y].map((each) => Math.round(each.allocated_bytes / each.allocations));
      if (x.allocations > 0 && y.allocations > 0 && from !== to) changes['block_bytes'] = [from ?? 0, to ?? 0];
      const isLarger = Object.values(changes).some(([before, after]) => after > before);
      if (Object.keys(changes).length === 0) kinds.same += 1;
      else {
        kinds[!inA.has(stack) ? 'new' : !inB.has(stack) ? 'gone' : isLarger ? 'grew' : 'shrank'] += 1;
        expected.set(stack, changes);
      }
    }
    expect(diff.counts).toEqual(kinds);
    const found = diff.sites.map(({ stack_a, stack_b, changes }) => {
      for (const each of changes) expect(each.change).toBe(each.b - each.a);
      for (const { metric, unit } of changes) expect(unit).toBe(metric.includes('bytes') ? 'bytes' : 'blocks');
      return [
        (stack_b.length > 0 ? stack_b : stack_a).join(),
        Object.fromEntries(changes.map(({ metric, a, b }) => [metric, [a, b]])),
      ];
    });
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    const sum = ({ sites }: Run, metric: (typeof kMetrics)[number]) =>
      sites.reduce((all, each) => all + each.figures[metric], 0);
    const totals = kMetrics.filter((metric) => sum(a, metric) !== sum(b, metric));
    expect(diff.totals.map(({ metric, a, b }) => [metric, a, b])).toEqual(
      diff.totals.map(({ metric }) => [metric, sum(a, metric as 'allocations'), sum(b, metric as 'allocations')]),
    );
    expect(new Set(diff.totals.map(({ metric }) => metric))).toEqual(new Set(totals));
    expect([diff.a, diff.b]).toMatchObject([
      { name: 'a', runs: 1, events: 1000, sites: a.sites.length },
      { name: 'b', runs: 1, events: 1000, sites: b.sites.length },
    ]);
  },
);

test('the site whose change is the largest share of the program is first, whatever the figure', () => {
  const others = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`g${i} < main`, figures(1000 + i, 50, 10)]));
  const moved = Object.fromEntries(
    Object.entries(others).map(([stack, each], i) => [stack, { ...each, live_blocks: 10 + i }]),
  );
  const big = (change: Partial<MetricValues>) => ({ ...figures(1000, 50, 10), ...change });
  const firstOf = (change: Partial<MetricValues>) =>
    makeDiff({
      a: [run('a', { ...others, 'f < main': big({}) })],
      b: [run('b', { ...moved, 'f < main': big(change) })],
    }).sites[0]?.function;
  expect(firstOf({ live_blocks: 90 })).toBe('f');
  expect(firstOf({ temporaries: 1 })).toBe('f'); // all that there are
  expect(firstOf({ peak_bytes: 25_001 })).toBe('g9');
  expect(firstOf({ peak_bytes: 25_100 })).toBe('g9'); // many bytes, and a small share of all
  expect(firstOf({ allocated_bytes: 450_000 })).toBe('f');
});

test('the middle one of repeats is compared, the lower of two', () => {
  const runs = (...counts: number[]) => counts.map((count, nth) => run(`${nth}`, { 'f < main': figures(count, 8) }));
  const changed = (a: Run[], b: Run[]) =>
    makeDiff({ a, b }).sites[0]?.changes.find(({ metric }) => metric === 'allocations');
  expect(changed(runs(103, 100, 101), runs(900, 905, 901))).toMatchObject({ a: 101, b: 901, change: 800 });
  expect(changed(runs(102, 100), runs(900, 901, 902, 903))).toMatchObject({ a: 100, b: 901, change: 801 });
});
