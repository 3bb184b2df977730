import { describe, expect, test } from 'vitest';
import {
  chartSummary,
  figureText,
  kBarRow,
  layoutBars,
  layoutLines,
  valueRows,
  valueScale,
} from '../../../../web/src/panels/experiments/chart_marks.ts';
import type { Chart } from '../../../../web/src/protocol/experiments.ts';

const chart: Chart = {
  title: 'Time of all push_backs',
  kind: 'bars',
  scale: 'linear',
  xLabel: 'elements',
  yLabel: 'ms',
  categories: ['10000', '10'],
  series: [
    { name: 'V1', values: [800, undefined], document: [undefined, undefined] },
    { name: 'V2', values: [400, 100], document: [320, undefined] },
  ],
};
const kWidth = 400;

describe('bars', () => {
  test('are as long as their values, from a common line', () => {
    const { bars, gutter, right } = layoutBars(chart, kWidth);
    const lengths = bars.map(({ length }) => length);
    expect(lengths[0]).toBe(right - gutter); // 800 is the end of the scale
    expect(lengths[1]).toBeCloseTo((right - gutter) / 2);
    expect(lengths[3]).toBeCloseTo((right - gutter) / 8);
  });

  test('keep their places while values are missing: nothing moves when one comes', () => {
    const empty = { ...chart, series: chart.series.map((each) => ({ ...each, values: [undefined, undefined] })) };
    const places = (shown: Chart) => layoutBars(shown, kWidth).bars.map(({ key, y }) => [key, y]);
    expect(places(empty)).toEqual(places(chart));
    expect(layoutBars(empty, kWidth).height).toBe(layoutBars(chart, kWidth).height);
    expect(layoutBars(empty, kWidth).bars.map(({ length, text }) => [length, text])).toEqual(
      Array(4).fill([undefined, '']),
    );
  });

  test('do not overlap, nor do the headings of categories', () => {
    const { bars, heads, axisY } = layoutBars(chart, kWidth);
    const tops = [...bars.map(({ y }) => y), ...heads.map(({ y }) => y)].sort((one, two) => one - two);
    for (let index = 1; index < tops.length; index++)
      expect((tops[index] ?? 0) - (tops[index - 1] ?? 0)).toBeGreaterThanOrEqual(kBarRow);
    expect(axisY).toBeGreaterThanOrEqual((tops.at(-1) ?? 0) + kBarRow);
  });

  test("carry the document's figure at its place on the same scale", () => {
    const { bars, gutter, right } = layoutBars(chart, kWidth);
    expect(bars.map((bar) => bar.document)).toEqual([
      undefined,
      gutter + ((right - gutter) * 320) / 800,
      undefined,
      undefined,
    ]);
  });

  test('of a single series are named by their category', () => {
    const single = { ...chart, series: chart.series.slice(0, 1) };
    const { bars, heads } = layoutBars(single, kWidth);
    expect(heads).toEqual([]);
    expect(bars.map(({ name }) => name)).toEqual(['10000', '10']);
  });

  test('stand under their category, a number with what it counts', () => {
    expect(layoutBars(chart, kWidth).heads.map(({ text }) => text)).toEqual(['10000 elements', '10 elements']);
    const named = { ...chart, categories: ['insertion', 'erasure'] };
    expect(layoutBars(named, kWidth).heads.map(({ text }) => text)).toEqual(['insertion', 'erasure']);
  });

  test('say all in words', () => {
    expect(layoutBars(chart, kWidth).bars.map(({ title }) => title)).toEqual([
      '10000, V1: 800',
      '10000, V2: 400; the document: 320',
      '10, V1: not measured yet',
      '10, V2: 100',
    ]);
  });

  test('leave room for their values, and names are cut to the gutter', () => {
    const long = { ...chart, series: [{ name: 'x'.repeat(80), values: [1, 2], document: [] }, ...chart.series] };
    const { bars, gutter, right } = layoutBars(long, kWidth);
    expect(gutter).toBeLessThan(kWidth / 2);
    expect(right).toBeLessThan(kWidth - 40);
    expect(bars[0]?.name).toMatch(/^x+…$/);
  });
});

describe('a log scale', () => {
  const log: Chart = {
    ...chart,
    scale: 'log',
    series: [{ name: 'V1', values: [0.5, 900, 0], document: [] }],
    categories: ['a', 'b', 'c'],
  };

  test('goes from the decade below the least to the one above the most', () => {
    expect(valueScale(log, 0, 100).domain()).toEqual([0.1, 1000]);
  });

  test('has no place for 0: its bar is missing, its value is written', () => {
    const { bars, ticks } = layoutBars(log, kWidth);
    expect(bars[2]?.length).toBeUndefined();
    expect(bars[2]?.text).toBe('0');
    expect(ticks.map(({ text }) => text)).toEqual(['0.1', '1', '10', '100', '1000']);
  });

  test('stands before anything is measured', () => {
    const empty = { ...log, series: [{ name: 'V1', values: [], document: [] }] };
    expect(valueScale(empty, 0, 100).domain()).toEqual([1, 10]);
    expect(layoutBars(empty, kWidth).bars.every(({ length }) => length === undefined)).toBe(true);
  });
});

describe('lines', () => {
  const lines: Chart = {
    ...chart,
    kind: 'lines',
    categories: ['1', '2', '4'],
    series: [
      { name: 'one heap', values: [1, 0.9, undefined], document: [] },
      { name: 'caches', values: [1, 2, 4], document: [1, 1.9, 3.8] },
    ],
  };

  test('have a point a value, higher ones higher, categories evenly apart', () => {
    const { lines: drawn, left, right } = layoutLines(lines, kWidth);
    const caches = drawn[1]?.points ?? [];
    expect(drawn[0]?.points).toHaveLength(2);
    expect(caches.map(({ y }) => y)).toEqual([...caches.map(({ y }) => y)].sort((one, two) => two - one));
    expect((caches[1]?.x ?? 0) - (caches[0]?.x ?? 0)).toBeCloseTo((caches[2]?.x ?? 0) - (caches[1]?.x ?? 0));
    for (const { x } of caches) expect(x >= left && x <= right).toBe(true);
  });

  test("have the document's points apart", () => {
    const [heap, caches] = layoutLines(lines, kWidth).lines;
    expect(heap?.document).toEqual([]);
    expect(caches?.document).toHaveLength(3);
    expect(caches?.document[0]?.y).toBe(caches?.points[0]?.y);
  });
});

describe('a chart in words', () => {
  test('its table has every value and, where there are any, the document’s', () => {
    expect(valueRows(chart)).toEqual({
      head: ['elements', 'V1', 'V1, document', 'V2', 'V2, document'],
      rows: [
        ['10000', '800', '', '400', '320'],
        ['10', '', '', '100', ''],
      ],
    });
    const own = { ...chart, series: chart.series.map((each) => ({ ...each, document: [] })) };
    expect(valueRows(own).head).toEqual(['elements', 'V1', 'V2']);
  });

  test('its summary says how far it is', () => {
    expect(chartSummary(chart)).toBe('Time of all push_backs, ms: 3 of 4 values measured. The table below has them.');
  });

  test.each([
    [12.345, '12.3'],
    [0.04123, '0.0412'],
    [12_345.6, '12,346'],
    [7, '7'],
    [1_234_567, '1.23\u202fM'],
    [0, '0'],
  ])('%d reads %s', (value, text) => {
    expect(figureText(value)).toBe(text);
  });
});
