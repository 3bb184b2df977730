// The same figures as text: the table below each picture, and the sentence that stands for it.

import type { TableTexts } from '../../../../web/src/panels/experiments/report_table.ts';
import {
  type BarPanel,
  bestPeer,
  type DotRow,
  kOurs,
  kReference,
  type LinePanel,
  type Mean,
  meanOf,
  numberText,
} from './figures.ts';

export function dotTable(rows: readonly DotRow[], allocators: readonly string[]): TableTexts {
  const cell = (row: DotRow, allocator: string): string => {
    const point = row.points.find((one) => one.allocator === allocator);
    return point === undefined ? '–' : `${numberText(point.value)} · ${point.text}`;
  };
  const mean = (allocator: string): string => {
    const value = meanOf(rows, allocator);
    return value === undefined ? '–' : numberText(value);
  };
  return {
    head: ['workload', ...allocators],
    rows: [
      ...rows.map((row) => [row.name, ...allocators.map((allocator) => cell(row, allocator))]),
      ['geometric mean', ...allocators.map(mean)],
    ],
  };
}

export function dotSummary(rows: readonly DotRow[]): string {
  const shown = rows.filter(({ points }) => points.some(({ allocator }) => allocator === kOurs));
  const best = shown.filter((row) => {
    const ours = row.points.find(({ allocator }) => allocator === kOurs);
    const peer = bestPeer(row);
    return ours !== undefined && peer !== undefined && ours.value <= peer.value;
  });
  const mean = meanOf(rows, kOurs);
  const ours =
    mean === undefined ? `no figures of ${kOurs}` : `${kOurs}: geometric mean ${numberText(mean)} of ${kReference}`;
  return `${ours}; lowest of all in ${best.length} of ${shown.length} rows.`;
}

export function meansTable(means: readonly Mean[]): TableTexts {
  return {
    head: ['allocator', 'time', 'footprint', 'workloads'],
    rows: means.map(({ allocator, time, footprint, workloads }) => [
      allocator,
      numberText(time),
      numberText(footprint),
      String(workloads),
    ]),
  };
}

export function meansSummary(means: readonly Mean[]): string {
  return means
    .map(
      ({ allocator, time, footprint }) => `${allocator}: time ${numberText(time)}, footprint ${numberText(footprint)}`,
    )
    .join('; ');
}

export function lineTable({ series }: LinePanel, first: string, textX: (x: number) => string): TableTexts {
  const xs = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].toSorted((a, b) => a - b);
  const cell = (allocator: LinePanel['series'][number], x: number): string => {
    const point = allocator.points.find((one) => one.x === x);
    return point === undefined ? '–' : numberText(point.y);
  };
  return {
    head: [first, ...series.map(({ allocator }) => allocator)],
    rows: xs.map((x) => [textX(x), ...series.map((one) => cell(one, x))]),
  };
}

/** First and last value of each line. */
export function lineSummary({ series }: LinePanel, unit: string): string {
  return series
    .map(
      ({ allocator, points }) =>
        `${allocator} ${numberText(points[0]?.y ?? 0)} to ${numberText(points.at(-1)?.y ?? 0)} ${unit}`,
    )
    .join('; ');
}

export function barTable({ bars }: BarPanel): TableTexts {
  return { head: ['allocator', 'figure'], rows: bars.map(({ allocator, text }) => [allocator, text]) };
}

export const barSummary = ({ bars }: BarPanel): string =>
  bars.map(({ allocator, text }) => `${allocator} ${text}`).join('; ');
