// A matrix of counts as a picture: one row a size, one column a place, an arrow for what moved last.
//
//   H1  The picture is a grid for the keyboard and for screen readers too: one stop of the Tab key, arrows move inside,
//       each cell has its sentence.
//   H2  A move is animated only when it is another one than before, and never in reduced motion.

import './caches.css';
import { select } from 'd3-selection';
import { make, makeSvg, setText } from '../../dom/dom.ts';
import type { Matrix } from './matrix.ts';
import { cellName, createMoveArrow, drawHead, drawRows } from './matrix_draw.ts';
import { layoutMatrix } from './matrix_layout.ts';

export interface MatrixGridOptions {
  readonly name: string; // of the grid
  readonly rows: string; // what a row is, at the head of their titles
  /** A cell of the row with this key was chosen; undefined: nothing follows from it. */
  readonly choose?: (row: number) => void;
}

const kRest = 'Point at a cell, or move through them with the arrow keys.';

export function createMatrixGrid(parent: Element, options: MatrixGridOptions) {
  const svg = makeSvg('svg', { class: 'hg-caches__matrix', role: 'grid', 'aria-label': options.name });
  const scroller = make('div', { class: 'hg-caches__scroller' }, svg);
  const said = make('p', { class: 'hg-caches__said' });
  parent.append(scroller, said);

  const head = select(svg).append('g').attr('role', 'row');
  const body = select(svg).append('g').attr('role', 'rowgroup');
  const drawMove = createMoveArrow(svg);
  let matrix: Matrix = { columns: [], rows: [], move: undefined, apart: 0 };
  let width = 0;
  const reading = listenForReading(svg, said, () => matrix.columns.length, options.choose);

  function draw(): void {
    const layout = layoutMatrix(matrix, width);
    svg.setAttribute('width', String(layout.wide));
    svg.setAttribute('height', String(layout.high));
    drawHead(head, matrix.columns, options.rows, layout);
    drawRows(body, matrix, reading.stop(), layout);
    drawMove(matrix.move, layout);
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
      reading.keepStop(matrix.rows.flatMap((row) => row.cells.map((cell) => cellName(row, cell))));
      draw();
      reading.say();
    },
    dispose(): void {
      observer.disconnect();
    },
  };
}

/** Cell by cell, by pointer and keys (H1). `across`: cells in a row. */
function listenForReading(
  svg: SVGSVGElement,
  said: HTMLElement,
  across: () => number,
  chooseRow: ((row: number) => void) | undefined,
) {
  let stop = ''; // the cell that takes the Tab key
  let hovered: string | undefined;

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
    const row = across();
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row }[event.key];
    if (event.key === 'Enter') choose(cellOf(event.target));
    if (by === undefined) return;
    const all = cells();
    const at = all.findIndex((cell) => cell.dataset['cell'] === stop);
    const next = Math.abs(by) === 1 && Math.floor(at / row) !== Math.floor((at + by) / row) ? -1 : at + by;
    event.preventDefault();
    event.stopPropagation();
    all[next]?.focus();
  });

  function choose(cell: Element | undefined): void {
    const row = Number(cell?.getAttribute('data-cell')?.split(' ')[0]);
    if (Number.isInteger(row)) chooseRow?.(row);
  }

  return {
    stop: () => stop,
    say,
    /** The first cell, when the one that had it is gone. */
    keepStop(names: readonly string[]): void {
      if (!names.includes(stop)) stop = names[0] ?? '';
    },
  };
}
