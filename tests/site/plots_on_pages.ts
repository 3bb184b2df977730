// What a page of the site shows as plots and as tables, read from the page, and the comparison of the two.
//
//   SP1  The points of a plot, in order, are the figures of the columns that the list names, in the tables below the plot.
//   SP2  A point lies where its value belongs: places are a line through the values, or through their logarithms. Those of a curve lie at
//        their height.

import type { Page } from '@playwright/test';

interface Column {
  readonly column: string;
  readonly names?: readonly string[];
}
export interface PlotEntry {
  readonly heading: RegExp;
  readonly each?: boolean;
  readonly rows: readonly string[];
  readonly columns: readonly (string | Column)[];
  readonly document?: boolean;
  readonly curve?: string;
}
interface ShownPoint {
  readonly row: string;
  readonly series: string;
  readonly value: number;
  readonly x: number;
}
interface ShownTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
export interface ShownPlot {
  readonly section: string;
  readonly title: string;
  readonly words: string;
  readonly wide: readonly ShownPoint[];
  readonly narrow: readonly ShownPoint[];
  readonly tables: readonly ShownTable[];
}

/** The plots of the open page, each with the tables between it and the next plot or section. */
export function plotsShown(page: Page): Promise<readonly ShownPlot[]> {
  return page.evaluate(() => {
    const textOf = (element: Element | null) => (element?.textContent ?? '').replace(/\u200b/g, '').trim();
    const pointsOf = (svg: Element | null, isCurve: boolean) =>
      [...(svg?.querySelectorAll('title') ?? [])].map((title) => {
        const [row = '', series = '', value = ''] = textOf(title).split(' · ');
        const mark = title.parentElement; // a circle has a centre, another shape is moved to its place
        const [, across, down] = /translate\(([-\d.]+),([-\d.]+)/.exec(mark?.getAttribute('transform') ?? '') ?? [];
        const place = mark?.getAttribute(isCurve ? 'cy' : 'cx') ?? (isCurve ? down : across);
        const x = Number(place);
        return { row, series, value: Number(value), x };
      });
    return [...document.querySelectorAll('figure.hg-plot')].map((figure) => {
      const tables = [];
      let section: Element | null = figure;
      while (section !== null && !section.matches('h1, h2, h3')) section = section.previousElementSibling;
      for (let at = figure.nextElementSibling; at !== null; at = at.nextElementSibling) {
        if (at.matches('h1, h2, h3, figure.hg-plot')) break;
        if (!at.matches('table')) continue;
        const [head = [], ...rows] = [...at.querySelectorAll('tr')].map((row) => [...row.children].map(textOf));
        tables.push({ head, rows });
      }
      const wide = figure.querySelector('.hg-plot__wide');
      const narrow = figure.querySelector('.hg-plot__narrow');
      const words = wide?.getAttribute('aria-label') ?? '';
      const title = textOf(figure.querySelector('b'));
      const isCurve = figure.hasAttribute('data-curve');
      const points = { wide: pointsOf(wide, isCurve), narrow: pointsOf(narrow, isCurve) };
      return { section: textOf(section), title, words, ...points, tables };
    });
  });
}

/** SP1. Rows by their first cell, series, value: as the tables have them. */
export function pointsInTables(plot: ShownPlot, entry: PlotEntry): readonly string[] {
  const tables = tablesOf(plot, entry);
  return entry.columns.flatMap((wanted) => {
    const { column, names } = columnOf(wanted);
    const bare = column.replace(/ \((document|seed)\)$/, '');
    const both = entry.document === true || column.endsWith('(document)');
    return tables.flatMap(({ head, rows }) => {
      const at = head.indexOf(column);
      if (at < 0) return [];
      return rows.flatMap((cells) => {
        const figures = (cells[at] ?? '').split('±')[0]?.match(/[-\d][\d,]*(\.\d+)?/g) ?? [];
        return figures.slice(0, names?.length ?? (both ? 2 : 1)).map((figure, nth) => {
          const series = names?.[nth] ?? (nth === 1 ? `${bare}, in the document` : bare);
          return `${series}: ${Number(figure.replace(/,(?=\d)/g, '').replace(/,$/, ''))}`;
        });
      });
    });
  });
}

const columnOf = (wanted: string | Column): Column => (typeof wanted === 'string' ? { column: wanted } : wanted);

/** Those below the plot that the list's entry means. */
const tablesOf = ({ tables }: ShownPlot, { rows, columns }: PlotEntry) =>
  tables.filter(
    ({ head }) =>
      rows.every((name) => head.includes(name)) && columns.some((wanted) => head.includes(columnOf(wanted).column)),
  );

/** The plots of an entry. */
export const plotsOf = (shown: readonly ShownPlot[], entry: PlotEntry) =>
  shown.filter((plot) => entry.heading.test(plot.section) && tablesOf(plot, entry).length > 0);

/** SP1, SP2: what is wrong with a plot; empty when it shows its tables. */
export function wrongIn(plot: ShownPlot, entry: PlotEntry): readonly string[] {
  const wanted = [...pointsInTables(plot, entry)].sort();
  const wrong = wanted.length < 3 ? [`${plot.title}: the tables have ${wanted.length} figures`] : [];
  for (const points of [plot.wide, plot.narrow]) {
    const shown = points.map(({ series, value }) => `${series}: ${value}`).sort();
    if (shown.join('\n') !== wanted.join('\n')) wrong.push(`${plot.title}: shows ${shown} instead of ${wanted}`);
    const firsts = plot.tables.flatMap(({ rows }) => rows.map(([first = '']) => first));
    for (const { row } of points)
      if (!firsts.some((first) => row.includes(first))) wrong.push(`${plot.title}: no row "${row}"`);
    if (
      Math.min(
        strays(points, (value) => value),
        strays(points, Math.log),
      ) > 0.6
    )
      wrong.push(`${plot.title}: points lie elsewhere than their values`);
  }
  return wrong;
}

/** Pixels by which the worst point is off the line through the outermost two. */
function strays(points: readonly ShownPoint[], scale: (value: number) => number): number {
  const sorted = [...points].sort((a, b) => a.value - b.value);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined || scale(first.value) === Number.NEGATIVE_INFINITY) return Infinity;
  const slope = (last.x - first.x) / (scale(last.value) - scale(first.value));
  return Math.max(...points.map(({ value, x }) => Math.abs(first.x + slope * (scale(value) - scale(first.value)) - x)));
}
