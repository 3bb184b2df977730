// What a plot shows: points, each a figure of a table.
//
//   PO1  Every cell of the named columns is a point for each of its figures. A cell without one is none: a row may lack a value.
//   PO3  A curve has its rows along the axis: each names a moment by a figure. What happens then stands in a column of its own.
//   PO2  Tables that one entry of the list names become one plot; their titles, where they differ, are part of the rows' names.

import { figuresIn } from './tables.mjs';

/** @typedef {{ row: string, at?: number, series: string, document: boolean, value: number }} Point */

/** @param {import('./tables.mjs').Table[]} tables of a document @returns {{ title: string, axis: string, one?: number, begin: number, points: Point[], happens?: { at: number, words: string }[] }[]} */
export function plotsOf(tables, entries) {
  return entries.flatMap((entry) => {
    const fitting = tables.filter((table) => fits(entry, table));
    if (fitting.length === 0) throw new Error(`no table for the plot of ${JSON.stringify(String(entry.heading))}`);
    const groups = entry.each ? fitting.map((table) => [table]) : [fitting];
    return groups.map((group) => plotOf(group, entry));
  });
}

const fits = ({ heading, title, head, rows, columns }, table) =>
  heading.test(table.heading) &&
  (title === undefined || title.test(table.title)) &&
  (head === undefined || table.head[0].startsWith(head)) &&
  rows.every((name) => table.head.includes(name)) &&
  columns.some((column) => table.head.includes(column.column ?? column));

function plotOf(group, entry) {
  const several = group.length > 1;
  const points = group.flatMap((table) =>
    table.rows.flatMap((cells) => {
      if (entry.curve !== undefined) return curvePoints(entry, table, cells);
      const names = entry.rows.map((name) => nameOf(name, cells[table.head.indexOf(name)]));
      const row = [...(several ? [table.title] : []), ...names].join(', ');
      return entry.columns.flatMap((column) => pointsOf(row, column, table, cells, entry.document));
    }),
  );
  const { title, heading, begin } = group[0];
  const words = several || title === '' ? heading : title;
  const happens = entry.curve === undefined ? undefined : group.flatMap((table) => happeningsOf(entry, table));
  return { title: words, axis: entry.axis, one: entry.one, begin, points, happens };
}

/** PO3 */
function curvePoints({ rows: [moment], columns }, { head }, cells) {
  const cell = cells[head.indexOf(moment)];
  return columns.flatMap((column) =>
    figuresIn(cells[head.indexOf(column)]).map((value) => ({
      row: `${moment} ${cell}`,
      at: Number(cell),
      series: column,
      document: false,
      value,
    })),
  );
}

/** PO3 */
function happeningsOf({ rows: [moment], curve }, { head, rows }) {
  const found = rows.map((cells) => ({ at: Number(cells[head.indexOf(moment)]), words: cells[head.indexOf(curve)] }));
  return found.filter(({ words }) => words !== '');
}

/** "10,000" says nothing alone: its column's name stands beside it. */
const nameOf = (column, cell) => (/^[\d,]+$/.test(cell) ? `${column} ${cell}` : cell);

/** PO1 */
function pointsOf(row, wanted, table, cells, document) {
  const { column, names } = wanted.column === undefined ? { column: wanted } : wanted;
  const at = table.head.indexOf(column);
  if (at < 0) return [];
  const figures = figuresIn(cells[at]);
  if (names !== undefined) return figures.map((value, nth) => ({ row, series: names[nth], document: false, value }));
  const series = column.replace(/ \((document|seed)\)$/, '');
  const taken = document || column.endsWith('(document)') ? 2 : 1;
  return figures.slice(0, taken).map((value, nth) => ({ row, series, document: nth === 1, value }));
}
