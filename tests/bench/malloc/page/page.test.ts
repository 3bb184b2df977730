// The figures of the benchmark's page, and that it builds to one file.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  bestPeer,
  bytesText,
  codePanels,
  dotRows,
  type Figures,
  geometricMean,
  lockPanel,
  meanOf,
  means,
  numberText,
  type Row,
  sizedPanels,
  sizedWorkload,
  threadPanels,
} from './figures.ts';
import { sampleFigures } from './fixture/sample_figures.ts';
import { logScale, logTicks } from './log_axis.ts';
import { lookOf } from './looks.ts';
import { writePage } from './write_page.mjs';

const row = (workload: string, allocator: string, ratio: number | null, more: Partial<Row> = {}): Row => ({
  group: 'program',
  workload,
  allocator,
  ms: 10,
  ratio,
  spread: 0.1,
  footprint: 1024,
  footprintRatio: 1,
  ...more,
});
const figures = (...rows: readonly Row[]): Figures => ({
  allocators: ['heapglass', 'dlmalloc', 'talc'],
  rows,
  sizes: [],
});

describe('the figures of the page', () => {
  test('a geometric mean of a half and two is one', () => {
    expect(geometricMean([0.5, 2])).toBeCloseTo(1);
  });

  test('a row has its allocators in the order of the list, whatever the order of the file', () => {
    const rows = dotRows(figures(row('a', 'talc', 3), row('a', 'heapglass', 2), row('a', 'dlmalloc', 1)), 'ratio', [
      'program',
    ]);
    expect(rows.map(({ points }) => points.map(({ allocator }) => allocator))).toEqual([
      ['heapglass', 'dlmalloc', 'talc'],
    ]);
  });

  test('a figure that is null is left out of its row and of the mean', () => {
    const rows = dotRows(
      figures(row('a', 'heapglass', 0.5), row('b', 'heapglass', null), row('b', 'talc', 2)),
      'ratio',
      ['program'],
    );
    expect(rows.map(({ name, points }) => [name, points.length])).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
    expect(meanOf(rows, 'heapglass')).toBeCloseTo(0.5);
    expect(meanOf(rows, 'mimalloc')).toBeUndefined();
  });

  test('rows of groups come in the order asked for, workloads in that of the file', () => {
    const given = figures(row('lua', 'talc', 1, { group: 'real' }), row('b', 'talc', 1), row('a', 'talc', 1));
    expect(dotRows(given, 'ratio', ['program', 'real']).map(({ name }) => name)).toEqual(['b', 'a', 'lua']);
  });

  test('the same workload on other numbers of threads is another row', () => {
    const more = (threads: number): Partial<Row> => ({ group: 'threads', threads });
    const given = figures(row('server', 'talc', 1, more(1)), row('server', 'talc', 2, more(4)));
    expect(dotRows(given, 'ratio', ['threads']).map(({ name }) => name)).toEqual(['server ×1', 'server ×4']);
  });

  test('micro costs of one size are lines, the others are dots, and the empty loop is neither', () => {
    const micro = (workload: string): Row => row(workload, 'talc', 1, { group: 'micro', ns: 5 });
    const given = figures(micro('pair-16'), micro('lifo-1024'), micro('calloc-64'), micro('empty loop (pairs)'));
    expect(dotRows(given, 'ratio', ['micro']).map(({ name }) => name)).toEqual(['calloc-64']);
    expect(sizedPanels(given).map(({ name }) => name)).toEqual(['Pairs', 'Last in, first out']);
  });

  test('calls in a used heap have lines and rows of their own', () => {
    const call = (workload: string, group: Row['group']): Row => row(workload, 'talc', 1, { group, ns: 5 });
    const used = (workload: string): Row => call(`${workload}, used`, 'micro-used');
    const given = figures(call('pair-16', 'micro'), used('pair-16'), used('lifo-64'), used('calloc-64'));
    expect(sizedPanels(given).map(({ name }) => name)).toEqual(['Pairs']);
    expect(sizedPanels(given, 'micro-used').map(({ name }) => name)).toEqual(['Pairs', 'Last in, first out']);
    expect(dotRows(given, 'ratio', ['micro', 'micro-used']).map(({ name }) => name)).toEqual(['calloc-64, used']);
  });

  test('a sized workload is known by its kind and its size, with units or without', () => {
    expect(sizedWorkload('pair-65536')).toEqual({ kind: 'pair', size: 65536 });
    expect(sizedWorkload('FIFO 64 KiB')).toEqual({ kind: 'fifo', size: 65536 });
    expect(sizedWorkload('lifo 1 MB')).toEqual({ kind: 'lifo', size: 1048576 });
    expect(sizedWorkload('random 1-512, 10000 live')).toBeUndefined();
  });

  test('lines go from small sizes to large ones', () => {
    const micro = (size: number): Row => row(`pair-${size}`, 'talc', 1, { group: 'micro', ns: size / 2 });
    const [panel] = sizedPanels(figures(micro(1024), micro(16), micro(64)));
    expect(panel?.series[0]?.points.map(({ x, y }) => [x, y])).toEqual([
      [16, 8],
      [64, 32],
      [1024, 512],
    ]);
  });

  test('the best other of a row is none of ours, and may be the reference', () => {
    const [only] = dotRows(
      figures(row('a', 'heapglass', 0.4), row('a', 'dlmalloc', 1), row('a', 'talc', 1.2)),
      'ratio',
      ['program'],
    );
    expect(only && bestPeer(only)?.allocator).toBe('dlmalloc');
  });

  test('an allocator without footprints has no place in the picture of both', () => {
    const given = figures(row('a', 'heapglass', 0.5), row('a', 'talc', 2, { footprintRatio: null }));
    expect(means(given)).toEqual([{ allocator: 'heapglass', time: 0.5, footprint: 1, workloads: 1 }]);
  });

  test('threads make a panel a workload, code one a combination of flags', () => {
    const sample = sampleFigures();
    expect(threadPanels(sample).map(({ name }) => name)).toEqual([
      'server',
      'exchange',
      'mix',
      'containers',
      'large',
      'churn',
    ]);
    expect(codePanels(sample).map(({ name }) => name)).toHaveLength(8);
    expect(codePanels(sample)[0]?.name).toBe('-O3, whole family');
    expect(lockPanel(sample)?.bars.find(({ allocator }) => allocator === 'dlmalloc')?.text).toBe('7.60 ns');
    expect(lockPanel(figures())).toBeUndefined();
  });

  test('numbers have three digits, sizes binary units', () => {
    expect([0.0414, 3.456, 34.56, 12345.6].map(numberText)).toEqual(['0.04', '3.46', '34.6', '12,346']);
    expect([16, 1024, 1536, 1000000].map(bytesText)).toEqual([
      '16\u202fB',
      '1\u202fKiB',
      '1.50\u202fKiB',
      '977\u202fKiB',
    ]);
  });
});

describe('the axes of the page', () => {
  test('ticks lie inside the scale, apart, and include one where it is shown', () => {
    for (const [least, most] of [
      [0.04, 1.9],
      [0.3, 240],
      [0.9, 1.1],
    ] as const) {
      const scale = logScale([least, most], [0, 300], [1]);
      const ticks = logTicks(scale, 30);
      expect(ticks).toContain(1);
      const places = ticks.map(scale);
      expect(places.every((at) => at >= 0 && at <= 300)).toBe(true);
      expect(places.slice(1).every((at, index) => at - (places[index] ?? 0) >= 30)).toBe(true);
    }
  });

  test('no two allocators look alike', () => {
    const names = [...sampleFigures().allocators, 'row-d', 'ltalloc', 'walloc', 'another'];
    const looks = names.map((name) => JSON.stringify(lookOf(name, names)));
    expect(new Set(looks).size).toBe(names.length);
  });
});

test('the page is one file that asks for no other and holds the figures', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-page-test-'));
  try {
    const json = join(folder, 'malloc.json');
    const hostile = { ...sampleFigures(), engine: 'V8 </script><b>$&' };
    writeFileSync(json, JSON.stringify(hostile));
    const html = readFileSync(await writePage(json, join(folder, 'page')), 'utf8');
    expect(html).not.toMatch(/<(?:script|link|img)[^>]*(?:src|href)="(?!data:)/);
    expect(html).not.toMatch(/url\((?!["']?data:)/);
    const inside = /id="hg-figures">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
    expect(JSON.parse(inside)).toEqual(JSON.parse(JSON.stringify(hostile)));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
