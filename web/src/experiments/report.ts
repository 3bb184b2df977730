// Tables and charts from results: what all documents' reports have in common.

import type { Chart, ChartSeries, ExperimentRow, ReportTable, RowResult } from '../protocol/experiments.ts';

/** What a document says about an experiment, and how our results are told beside it. */
export interface CatalogEntry {
  readonly title: string;
  readonly question: string;
  tables(results: readonly RowResult[]): readonly ReportTable[];
  charts(results: readonly RowResult[]): readonly Chart[];
  /** Where ours differs from the document, and why as far as that is known. Only sentences that the figures bear out. */
  findings(results: readonly RowResult[]): readonly string[];
}

/** One cell: what to show of a row, "" while it is not there. */
export interface Column {
  readonly head: string;
  cell(result: RowResult): string;
}

export function tableOf(title: string, columns: readonly Column[], results: readonly RowResult[]): ReportTable {
  return {
    title,
    head: columns.map((column) => column.head),
    rows: results.map((result) => columns.map((column) => column.cell(result))),
  };
}

export const figure = (result: RowResult | undefined, name: string): number | undefined => result?.figures[name];

/** A number to so many digits after the point, thousands grouped; "" for none. */
export function shown(value: number | undefined, digits = 0): string {
  if (value === undefined || !Number.isFinite(value)) return '';
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** 2.13x */
export const times = (value: number | undefined, digits = 2): string =>
  value === undefined || !Number.isFinite(value) ? '' : `${shown(value, digits)}×`;

export const percent = (value: number | undefined, digits = 1): string =>
  value === undefined || !Number.isFinite(value) ? '' : `${shown(value, digits)} %`;

/** a / b where both are there. */
export function ratio(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined || b === 0 ? undefined : a / b;
}

/** The result of one way and size (and thread count). */
export function find(results: readonly RowResult[], wanted: Partial<ExperimentRow>): RowResult | undefined {
  const keys = Object.keys(wanted) as (keyof ExperimentRow)[];
  return results.find(({ row }) => keys.every((key) => row[key] === wanted[key]));
}

/** Values of a field in the order of their first row. */
export function distinct<K extends keyof ExperimentRow>(results: readonly RowResult[], key: K): ExperimentRow[K][] {
  return [...new Set(results.map(({ row }) => row[key]))];
}

/** How fast `result` is, 1 being the same row of the way `base`: time of base / time of result. */
export function speedAgainst(
  results: readonly RowResult[],
  base: string,
  name: string,
  { row, figures }: RowResult,
): number | undefined {
  const other = find(results, { way: base, size: row.size, threads: row.threads });
  return ratio(figure(other, name), figures[name]);
}

/** Speed against `base` at the row's own size and thread count, as a column; the document's number in parentheses. */
export function speedColumn(
  head: string,
  results: readonly RowResult[],
  base: string,
  name: string,
  document: (result: RowResult) => number | undefined = () => undefined,
): Column {
  return {
    head,
    cell: (result) => withDocument(times(speedAgainst(results, base, name, result)), times(document(result))),
  };
}

/** A figure as it is. */
export const countColumn = (head: string, name: string, digits = 0): Column => ({
  head,
  cell: (result) => shown(figure(result, name), digits),
});

/** A time with half its spread. */
export const timeColumn = (head: string, name: string, digits = 1): Column => ({
  head,
  cell: (result) => {
    const value = shown(figure(result, name), digits);
    return value === '' || result.rounds < 2 ? value : `${value} ±${shown(50 * (result.spread[name] ?? 0))} %`;
  },
});

export const wayColumn = (head: string): Column => ({ head, cell: ({ row }) => row.way });
export const sizeColumn = (head: string): Column => ({ head, cell: ({ row }) => shown(row.size) });
export const iterationsColumn: Column = { head: 'iterations', cell: ({ row }) => shown(row.iterations) };
export const threadsColumn: Column = { head: 'threads', cell: ({ row }) => shown(row.threads) };

/** ours (document theirs) */
export const withDocument = (ours: string, theirs: string): string =>
  ours === '' || theirs === '' ? ours : `${ours} (${theirs})`;

/** Bars: one group a category, one bar a way; values are speeds, the way `base` being 1. */
export function speedBars(
  title: string,
  xLabel: string,
  results: readonly RowResult[],
  base: string,
  name: string,
  document: (way: string, size: number) => number | undefined = () => undefined,
  scale: Chart['scale'] = 'linear',
): Chart {
  const sizes = distinct(results, 'size').sort((a, b) => a - b);
  const bars = distinct(results, 'way').map((way) => {
    const speeds = sizes.map((size) => {
      const result = find(results, { way, size });
      return result === undefined ? undefined : speedAgainst(results, base, name, result);
    });
    return { name: way, values: speeds, document: sizes.map((size) => document(way, size)) };
  });
  const categories = sizes.map((size) => shown(size));
  return { title, kind: 'bars', scale, xLabel, yLabel: `speed, ${base} = 1`, categories, series: bars };
}

/** A sentence when ours is further from the document's than a quarter of it; with why, where that is known. */
export function differs(what: string, ours: number | undefined, document: number, why = ''): string[] {
  if (ours === undefined || !Number.isFinite(ours) || Math.abs(ours - document) <= document / 4) return [];
  const digits = (value: number): number => (value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2);
  const text = `${what}: ${times(ours, digits(ours))} here, ${times(document, digits(document))} in the document.`;
  return [why === '' ? text : `${text} ${why}`];
}

export function series(
  name: string,
  values: readonly (number | undefined)[],
  document: readonly (number | undefined)[] = [],
): ChartSeries {
  return { name, values, document: values.map((_, index) => document[index]) };
}
