// A matrix of counts as a picture: one row a size, one column a place, an arrow for what moved last.
//
//   H1  The picture is a grid for the keyboard and for screen readers too: one stop of the Tab key, arrows move inside,
//       each cell has its sentence.
//   H2  A move is animated only when it is another one than before, and never in reduced motion.

import './caches.css';
import { easeCubicOut } from 'd3-ease';
import { select } from 'd3-selection';
import 'd3-transition';
import { make, makeSvg, setText } from '../../dom/dom.ts';
import type { Matrix, MatrixCell, MatrixMove, MatrixRow } from './matrix.ts';

export interface MatrixGridOptions {
  readonly name: string; // of the grid
  readonly rows: string; // what a row is, at the head of their titles
  /** A cell of the row with this key was chosen; undefined: nothing follows from it. */
  readonly choose?: (row: number) => void;
}

const kHead = 44;
const kRow = 28;
const kTitle = 62;
const kGap = 4;
const kLeastCell = 40;
const kMostCell = 64;
const kExtra = 76; // for a text behind the cells
const kMoveMs = 250;
const kRest = 'Point at a cell, or move through them with the arrow keys.';

export function createMatrixGrid(parent: Element, options: MatrixGridOptions) {
  const svg = makeSvg('svg', { class: 'hg-caches__matrix', role: 'grid', 'aria-label': options.name });
  const scroller = make('div', { class: 'hg-caches__scroller' }, svg);
  const said = make('p', { class: 'hg-caches__said' });
  parent.append(scroller, said);

  const head = select(svg).append('g').attr('role', 'row');
  const body = select(svg).append('g').attr('role', 'rowgroup');
  const arrow = select(svg).append('g').attr('class', 'hg-caches__arrow').attr('aria-hidden', 'true');
  const arrowLine = arrow.append('path').attr('class', 'hg-caches__line');
  const arrowHead = arrow.append('path').attr('class', 'hg-caches__point').attr('d', 'M0 0l-7 -3.5v7z');
  const calm = matchMedia('(prefers-reduced-motion: reduce)');

  let matrix: Matrix = { columns: [], rows: [], move: undefined, apart: 0 };
  let width = 0;
  let cellWidth = kMostCell;
  let stop = ''; // the cell that takes the Tab key
  let hovered: string | undefined;
  let lastMove = -1;

  const cellX = (column: number): number => kTitle + column * (cellWidth + kGap) + (column >= matrix.apart ? 10 : 0);
  const cellName = (row: MatrixRow, cell: MatrixCell): string => `${row.key} ${cell.key}`;

  function draw(): void {
    const { columns, rows } = matrix;
    const extra = rows.some((row) => row.extra !== undefined) ? kExtra : 0;
    const room = (width - kTitle - 10 - extra) / Math.max(1, columns.length) - kGap;
    cellWidth = Math.max(kLeastCell, Math.min(kMostCell, Math.floor(room)));
    const wide = cellX(columns.length) + 2 + extra;
    svg.setAttribute('width', String(wide));
    svg.setAttribute('height', String(kHead + rows.length * kRow + 2));

    head
      .selectAll<SVGGElement, number>('g')
      .data(['', ...columns.map((column) => column.key)])
      .join((enter) => {
        const group = enter.append('g').attr('role', 'columnheader').attr('class', 'hg-caches__column');
        group.append('text').attr('y', kHead - 12);
        group
          .append('path')
          .attr('class', 'hg-caches__acting')
          .attr('d', 'M-5 -7h10l-5 6z')
          .attr('aria-hidden', 'true');
        return group;
      })
      .each(function (_, index) {
        const column = columns[index - 1];
        const group = select(this);
        const x = column === undefined ? kTitle - 10 : cellX(index - 1) + cellWidth / 2;
        group.attr('transform', `translate(${x} 0)`);
        group.attr(
          'aria-label',
          column === undefined ? options.rows : `${column.name}${column.acting ? ', acting' : ''}`,
        );
        group.classed('hg-caches__column--acting', column?.acting ?? false);
        group
          .select('text')
          .attr('text-anchor', column === undefined ? 'end' : 'middle')
          .text(column?.title ?? options.rows);
        group
          .select('.hg-caches__acting')
          .attr('transform', `translate(0 ${kHead - 25})`)
          .attr('display', column?.acting ? null : 'none');
      });

    body
      .selectAll<SVGGElement, MatrixRow>('g.hg-caches__row')
      .data(rows, (row) => row.key)
      .join((enter) => {
        const group = enter.append('g').attr('class', 'hg-caches__row').attr('role', 'row');
        group
          .append('text')
          .attr('class', 'hg-caches__class')
          .attr('role', 'rowheader')
          .attr('x', kTitle - 10)
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
        group.select('.hg-caches__class').text(row.title);
        group
          .select('.hg-caches__extra')
          .attr('x', cellX(columns.length) + 4)
          .text(row.extra ?? '');
        drawCells(group, row);
      });
    drawMove();
  }

  function drawCells(group: ReturnType<typeof select<SVGGElement, MatrixRow>>, row: MatrixRow): void {
    const high = kRow - 6;
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

  function drawMove(): void {
    const { move } = matrix;
    arrow.attr('display', move === undefined ? 'none' : null);
    if (move === undefined) return;
    const way = arrowOf(move);
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
  }

  /** From cell to cell along the upper edge of the row, so that no number is crossed. */
  function arrowOf(move: MatrixMove): { readonly line: string; readonly point: string } {
    const y = kHead + move.row * kRow + 3;
    const edge = (column: number, other: number) => cellX(column) + (column < other ? cellWidth - 8 : 8);
    const [from, to] = [edge(move.from, move.to), edge(move.to, move.from)];
    const up = Math.min(14, 7 + Math.abs(to - from) / 30);
    const line = `M${from} ${y + 4}C${from} ${y - up} ${to} ${y - up} ${to} ${y + 2}`;
    return { line, point: `translate(${to} ${y + 6}) rotate(90)` };
  }

  // ---- reading cell by cell (H1)

  const cells = (): HTMLElement[] => [...svg.querySelectorAll<HTMLElement>('[data-cell]')];
  const cellOf = (target: EventTarget | null): Element | undefined =>
    (target instanceof Element ? target.closest('[data-cell]') : null) ?? undefined;
  const say = (): void => {
    const shown = svg.querySelector(`[data-cell="${hovered ?? ''}"]`)?.getAttribute('aria-label');
    setText(said, shown ?? kRest);
  };
  svg.addEventListener('pointermove', (event) => {
    hovered = cellOf(event.target)?.getAttribute('data-cell') ?? undefined;
    say();
  });
  svg.addEventListener('pointerleave', () => {
    hovered = undefined;
    say();
  });
  svg.addEventListener('focusin', (event) => {
    hovered = cellOf(event.target)?.getAttribute('data-cell') ?? undefined;
    stop = hovered ?? stop;
    for (const cell of cells()) cell.setAttribute('tabindex', cell.dataset['cell'] === stop ? '0' : '-1');
    say();
  });
  svg.addEventListener('focusout', () => {
    hovered = undefined;
    say();
  });
  svg.addEventListener('click', (event) => choose(cellOf(event.target)));
  svg.addEventListener('keydown', (event) => {
    const across = matrix.columns.length;
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across }[event.key];
    if (event.key === 'Enter') choose(cellOf(event.target));
    if (by === undefined) return;
    const all = cells();
    const at = all.findIndex((cell) => cell.dataset['cell'] === stop);
    const next = Math.abs(by) === 1 && Math.floor(at / across) !== Math.floor((at + by) / across) ? -1 : at + by;
    event.preventDefault();
    event.stopPropagation();
    all[next]?.focus();
  });

  function choose(cell: Element | undefined): void {
    const row = Number(cell?.getAttribute('data-cell')?.split(' ')[0]);
    if (Number.isInteger(row)) options.choose?.(row);
  }

  const observer = new ResizeObserver(([entry]) => {
    const next = entry?.contentRect.width ?? 0;
    if (next === width) return;
    width = next;
    draw();
  });
  observer.observe(scroller);

  return {
    update(next: Matrix): void {
      matrix = next;
      const names = matrix.rows.flatMap((row) => row.cells.map((cell) => cellName(row, cell)));
      if (!names.includes(stop)) stop = names[0] ?? '';
      draw();
      say();
    },
    dispose(): void {
      observer.disconnect();
    },
  };
}
