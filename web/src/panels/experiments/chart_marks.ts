// A chart as marks at places: pure, so that it can be tested without a page. Bars lie, because the names of ways and
// amounts are long and a panel is narrow:
//
//   [10000, 10000]              category        a single series needs no names: one bar a category
//   V1           ▓▓▓▓▓▓▓ 12.3   a bar a series
//   V2           ▓▓▓ ◇ 5.4      ◇ what the document found
//   ───────┼───────┼───────     axis
//
//  K1  A value that is not measured yet has its place and no mark: nothing moves when it comes.
//  K2  On a log scale 0 and less has no place; its bar is missing and its value is still written.

import { type ScaleContinuousNumeric, scaleLinear, scaleLog, scalePoint } from 'd3-scale';
import { formatCount } from '../../base/format.ts';
import type { Chart } from '../../protocol/experiments.ts';

export interface BarMark {
  readonly key: string;
  readonly name: string; // in the gutter: the series, or the category when there is one series
  readonly series: number;
  readonly y: number; // top of its row
  readonly length: number | undefined; // from the gutter on; undefined: nothing to draw
  readonly text: string; // '' when not measured yet
  readonly document: number | undefined; // x of the document's mark
  readonly title: string; // all of it in words
}

export interface Tick {
  readonly at: number;
  readonly text: string;
}

export interface BarsLayout {
  readonly gutter: number; // x where bars begin
  readonly right: number; // x where the axis ends
  readonly height: number; // with the axis
  readonly axisY: number;
  readonly heads: readonly { readonly key: string; readonly text: string; readonly y: number }[];
  readonly bars: readonly BarMark[];
  readonly ticks: readonly Tick[];
}

export interface PointMark {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly title: string;
}

export interface LineMark {
  readonly key: string;
  readonly name: string;
  readonly series: number;
  readonly points: readonly PointMark[];
  readonly document: readonly PointMark[];
}

export interface LinesLayout {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly lines: readonly LineMark[];
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
}

export const kBarRow = 18;
const kHeadRow = 21;
const kGroupGap = 8;
const kAxisHeight = 22;
const kLetter = 6.7; // of the gutter's type
const kValueSpace = 58;
const kMostGutter = 0.42; // of the width

/** A category that says nothing without its unit. */
const kNumber = /^[\d,.]+$/;

const kLinesHeight = 210;
const kLinesMargin = { left: 50, right: 14, top: 10, bottom: 24 };

/** 12.3 · 0.041 · 12,345 · 1.23 M: three digits, and a thousand in full. */
export function figureText(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))}\u202fM`;
  if (size >= 1000 || Number.isInteger(value)) return formatCount(Math.round(value));
  return String(Number(value.toPrecision(3)));
}

export const hasDocument = (chart: Chart): boolean =>
  chart.series.some((series) => series.document.some((value) => value !== undefined));

/** Values written under a scale: short enough for a tick. */
function tickText(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(2))}M`;
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(2))}k`;
  return String(Number(value.toPrecision(2)));
}

type Scale = ScaleContinuousNumeric<number, number>;

/** From 0, or from the decade below the least; to a round number above the most. */
export function valueScale(chart: Chart, from: number, to: number): Scale {
  const all = chart.series.flatMap(({ values, document }) => [...values, ...document]);
  const shown = all.filter((value): value is number => value !== undefined && Number.isFinite(value));
  if (chart.scale === 'log') {
    const positive = shown.filter((value) => value > 0);
    const least = 10 ** Math.floor(Math.log10(Math.min(...positive, Number.MAX_VALUE)));
    const most = 10 ** Math.ceil(Math.log10(Math.max(...positive, 0)));
    if (positive.length === 0) return scaleLog([1, 10], [from, to]);
    return scaleLog([least, Math.max(most, least * 10)], [from, to]);
  }
  return scaleLinear([0, Math.max(0, ...shown) || 1], [from, to]).nice(4);
}

const onScale = (chart: Chart, value: number | undefined): value is number =>
  value !== undefined && Number.isFinite(value) && (chart.scale === 'linear' || value > 0);

function ticksOf(chart: Chart, scale: Scale, count: number): Tick[] {
  if (chart.scale === 'linear') return scale.ticks(count).map((value) => ({ at: scale(value), text: tickText(value) }));
  const [least = 1, most = 10] = scale.domain();
  const decades = Math.round(Math.log10(most / least));
  const every = Math.max(1, Math.ceil(decades / count));
  return Array.from({ length: Math.floor(decades / every) + 1 }, (_, index) => {
    const value = least * 10 ** (index * every);
    return { at: scale(value), text: tickText(value) };
  });
}

function titleOf(chart: Chart, series: number, category: number): string {
  const { name = '', values = [], document = [] } = chart.series[series] ?? {};
  const value = values[category];
  const found = document[category];
  const names = [chart.categories[category] ?? '', chart.series.length > 1 ? name : ''].filter((part) => part !== '');
  const measured = value === undefined ? 'not measured yet' : figureText(value);
  const documented = found === undefined ? '' : `; the document: ${figureText(found)}`;
  return `${names.join(', ')}: ${measured}${documented}`;
}

export function layoutBars(chart: Chart, width: number): BarsLayout {
  const grouped = chart.series.length > 1;
  const names = grouped ? chart.series.map(({ name }) => name) : chart.categories;
  const longest = names.reduce((most, name) => Math.max(most, name.length), 0);
  const gutter = Math.round(Math.min(longest * kLetter + 12, width * kMostGutter));
  const right = Math.max(gutter + 40, width - kValueSpace);
  const scale = valueScale(chart, 0, right - gutter);
  const heads: { key: string; text: string; y: number }[] = [];
  const bars: BarMark[] = [];
  const letters = Math.floor((gutter - 10) / kLetter);
  let y = 0;
  chart.categories.forEach((category, at) => {
    if (grouped) {
      heads.push({ key: category, text: kNumber.test(category) ? `${category} ${chart.xLabel}` : category, y });
      y += kHeadRow;
    }
    chart.series.forEach(({ name, values, document }, series) => {
      const value = values[at];
      const found = document[at];
      bars.push({
        key: `${category}\n${name}`,
        name: cut(grouped ? name : category, letters),
        series,
        y,
        length: onScale(chart, value) ? Math.max(1, scale(value)) : undefined,
        text: value === undefined ? '' : figureText(value),
        document: onScale(chart, found) ? gutter + scale(found) : undefined,
        title: titleOf(chart, series, at),
      });
      y += kBarRow;
    });
    if (grouped) y += kGroupGap;
  });
  const ticks = ticksOf(chart, scale, Math.max(2, Math.floor((right - gutter) / 62)));
  return {
    gutter,
    right,
    height: y + kAxisHeight,
    axisY: y,
    heads,
    bars,
    ticks: ticks.map((tick) => ({ ...tick, at: gutter + tick.at })),
  };
}

export function layoutLines(chart: Chart, width: number): LinesLayout & { readonly height: number } {
  const left = kLinesMargin.left;
  const right = Math.max(left + 40, width - kLinesMargin.right);
  const top = kLinesMargin.top;
  const bottom = kLinesHeight - kLinesMargin.bottom;
  const y = valueScale(chart, bottom, top);
  const x = scalePoint([...chart.categories.keys()], [left + 14, right - 14]);
  const points = (series: number, values: readonly (number | undefined)[]): PointMark[] =>
    values.flatMap((value, at) =>
      onScale(chart, value)
        ? [{ key: chart.categories[at] ?? '', x: x(at) ?? left, y: y(value), title: titleOf(chart, series, at) }]
        : [],
    );
  const most = Math.max(1, Math.floor((right - left) / 46));
  const every = Math.ceil(chart.categories.length / most);
  return {
    left,
    right,
    top,
    bottom,
    height: kLinesHeight,
    lines: chart.series.map(({ name, values, document }, series) => ({
      key: name,
      name,
      series,
      points: points(series, values),
      document: points(series, document),
    })),
    xTicks: chart.categories.flatMap((text, at) =>
      at % every === 0
        ? [
            {
              at: x(at) ?? left,
              text: cut(text, Math.floor((((right - left) / chart.categories.length) * every) / 6.2)),
            },
          ]
        : [],
    ),
    yTicks: ticksOf(chart, y, 4),
  };
}

/** The chart's values for those who do not see it: what is read out, and the table below it. */
export function valueRows(chart: Chart): {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
} {
  const documented = hasDocument(chart);
  const text = (value: number | undefined) => (value === undefined ? '' : figureText(value));
  const head = [
    chart.xLabel,
    ...chart.series.flatMap(({ name }) => (documented ? [name, `${name}, document`] : [name])),
  ];
  const rows = chart.categories.map((category, at) => [
    category,
    ...chart.series.flatMap(({ values, document }) =>
      documented ? [text(values[at]), text(document[at])] : [text(values[at])],
    ),
  ]);
  return { head, rows };
}

/** "Time of 10,000 push_backs: 12 of 16 values measured." */
export function chartSummary(chart: Chart): string {
  const all = chart.series.flatMap(({ values }) => chart.categories.map((_, at) => values[at]));
  const measured = all.filter((value) => value !== undefined).length;
  return `${chart.title}, ${chart.yLabel}: ${measured} of ${all.length} values measured. The table below has them.`;
}

function cut(text: string, letters: number): string {
  return text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1)).trimEnd()}…`;
}
