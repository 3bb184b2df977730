// The picture of a matrix: heads of the columns, rows of cells, and the arrow of what moved last.

import { easeCubicOut } from 'd3-ease';
import { type Selection, select } from 'd3-selection';
import 'd3-transition';
import type { Matrix, MatrixCell, MatrixColumn, MatrixMove, MatrixRow } from './matrix.ts';
import { arrowOf, kHead, kRow, type MatrixLayout } from './matrix_layout.ts';

const kMoveMs = 250;

type Group = Selection<SVGGElement, unknown, null, undefined>;

/** How a cell is found again: the row's key, and its own. */
export const cellName = (row: MatrixRow, cell: MatrixCell): string => `${row.key} ${cell.key}`;

export function drawHead(
  head: Group,
  columns: readonly MatrixColumn[],
  rowsTitle: string,
  { titleEnd, cellX, cellWidth }: MatrixLayout,
): void {
  head
    .selectAll<SVGGElement, number>('g')
    .data(['', ...columns.map((column) => column.key)])
    .join((enter) => {
      const group = enter.append('g').attr('role', 'columnheader').attr('class', 'hg-caches__column');
      group.append('text').attr('y', kHead - 12);
      group.append('path').attr('class', 'hg-caches__acting').attr('d', 'M-5 -7h10l-5 6z').attr('aria-hidden', 'true');
      return group;
    })
    .each(function (_, index) {
      const column = columns[index - 1];
      const group = select(this);
      const x = column === undefined ? titleEnd : cellX(index - 1) + cellWidth / 2;
      group.attr('transform', `translate(${x} 0)`);
      group.attr('aria-label', column === undefined ? rowsTitle : `${column.name}${column.acting ? ', acting' : ''}`);
      group.classed('hg-caches__column--acting', column?.acting ?? false);
      group
        .select('text')
        .attr('text-anchor', column === undefined ? 'end' : 'middle')
        .text(column?.title ?? rowsTitle);
      group
        .select('.hg-caches__acting')
        .attr('transform', `translate(0 ${kHead - 25})`)
        .attr('display', column?.acting ? null : 'none');
    });
}

/** `stop`: the cell that takes the Tab key. */
export function drawRows(body: Group, { columns, rows }: Matrix, stop: string, layout: MatrixLayout): void {
  body
    .selectAll<SVGGElement, MatrixRow>('g.hg-caches__row')
    .data(rows, (row) => row.key)
    .join((enter) => {
      const group = enter.append('g').attr('class', 'hg-caches__row').attr('role', 'row');
      group
        .append('text')
        .attr('class', 'hg-caches__class')
        .attr('role', 'rowheader')
        .attr('y', kRow / 2 + 4)
        .attr('text-anchor', 'end');
      group
        .append('text')
        .attr('class', 'hg-caches__extra')
        .attr('y', kRow / 2 + 4);
      return group;
    })
    .attr('transform', (_, index) => `translate(0 ${kHead + index * kRow})`)
    .each(function (row) {
      const group = select<SVGGElement, MatrixRow>(this);
      group.select('.hg-caches__class').attr('x', layout.titleEnd).text(row.title);
      group
        .select('.hg-caches__extra')
        .attr('x', layout.cellX(columns.length) + 4)
        .text(row.extra ?? '');
      drawCells(group, row, stop, layout);
    });
}

function drawCells(
  group: Selection<SVGGElement, MatrixRow, null, undefined>,
  row: MatrixRow,
  stop: string,
  { cellX, cellWidth }: MatrixLayout,
): void {
  const high = kRow - 4;
  group
    .selectAll<SVGGElement, MatrixCell>('g.hg-caches__cell')
    .data(row.cells, (cell) => cell.key)
    .join((enter) => {
      const cell = enter.append('g').attr('role', 'gridcell');
      cell.append('rect').attr('class', 'hg-caches__box').attr('y', 3).attr('rx', 3);
      cell.append('rect').attr('class', 'hg-caches__level').attr('y', 3).attr('rx', 3);
      cell
        .append('text')
        .attr('y', kRow / 2 + 4)
        .attr('text-anchor', 'middle')
        .attr('aria-hidden', 'true');
      return cell;
    })
    .attr('class', (cell) => `hg-caches__cell hg-caches__cell--${cell.count === 0 ? 'none' : cell.kind}`)
    .attr('data-cell', (cell) => cellName(row, cell))
    .attr('transform', (_, index) => `translate(${cellX(index)} 0)`)
    .attr('tabindex', (cell) => (cellName(row, cell) === stop ? 0 : -1))
    .attr('aria-label', (cell) => cell.text)
    .each(function (cell) {
      const box = select(this);
      box.select('.hg-caches__box').attr('width', cellWidth).attr('height', high);
      // A block or two of thousands is still seen.
      const level = cell.count === 0 ? 0 : Math.max(2, cell.share * cellWidth);
      box.select('.hg-caches__level').attr('width', level).attr('height', high);
      box
        .select('text')
        .attr('x', cellWidth / 2)
        .text(cell.shown);
    });
}

/** H2 */
export function createMoveArrow(svg: SVGSVGElement) {
  const arrow = select(svg).append('g').attr('class', 'hg-caches__arrow').attr('aria-hidden', 'true');
  const arrowLine = arrow.append('path').attr('class', 'hg-caches__line');
  const arrowHead = arrow.append('path').attr('class', 'hg-caches__point').attr('d', 'M0 0l-7 -3.5v7z');
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  let lastMove = -1;
  return (move: MatrixMove | undefined, layout: MatrixLayout): void => {
    arrow.attr('display', move === undefined ? 'none' : null);
    if (move === undefined) return;
    const way = arrowOf(move, layout);
    arrowLine.attr('d', way.line);
    arrowHead.attr('transform', way.point);
    const other = move.seq !== lastMove;
    lastMove = move.seq;
    if (!other || calm.matches) return;
    const length = arrowLine.node()?.getTotalLength() ?? 0;
    arrowLine
      .attr('stroke-dasharray', `${length} ${length}`)
      .attr('stroke-dashoffset', length)
      .transition()
      .duration(kMoveMs)
      .ease(easeCubicOut)
      .attr('stroke-dashoffset', 0)
      .on('end', () => arrowLine.attr('stroke-dasharray', null));
  };
}
