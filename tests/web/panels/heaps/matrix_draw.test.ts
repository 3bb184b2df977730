// The picture of a matrix in a document without a browser: where heads and cells stand, and what a screen reader is told.

import { select } from 'd3-selection';
import { parseHTML } from 'linkedom';
import { describe, expect, test } from 'vitest';
import type { Matrix, MatrixCell, MatrixColumn } from '../../../../web/src/panels/heaps/matrix.ts';
import { drawHead, drawRows } from '../../../../web/src/panels/heaps/matrix_draw.ts';
import { kHead, kRow, layoutMatrix } from '../../../../web/src/panels/heaps/matrix_layout.ts';

const column = (key: string, acting = false): MatrixColumn => ({
  ...{ key, kind: 'cache', title: key, name: `thread ${key}`, acting },
});
const cell = (key: string, count: number, share = 0): MatrixCell => ({
  ...{ key, kind: 'cache', count, share, shown: String(count), text: `thread ${key}: ${count} blocks` },
});
const matrix: Matrix = {
  columns: [column('1'), column('2', true), column('3')],
  rows: [
    { key: 16, title: '16 B', extra: undefined, cells: [cell('1', 0), cell('2', 3, 0.001), cell('3', 80, 0.5)] },
    { key: 32, title: '32 B', extra: 'of 40', cells: [cell('1', 1, 1), cell('2', 0), cell('3', 0)] },
  ],
  move: undefined,
  apart: 99,
};
const layout = layoutMatrix(matrix, 500);

/** Drawn once for each matrix, one after the other, into the same groups. */
function draw(stop: string, ...matrices: readonly Matrix[]): Element {
  const { document } = parseHTML('<html><body><svg><g id="head"></g><g id="body"></g></svg></body></html>');
  const group = (id: string) =>
    select<SVGGElement, unknown>(document.querySelector(`#${id}`) as unknown as SVGGElement);
  for (const each of matrices) {
    drawHead(group('head') as Parameters<typeof drawHead>[0], each.columns, 'size', layout);
    drawRows(group('body') as Parameters<typeof drawRows>[0], each, stop, layout);
  }
  return document.body as unknown as Element;
}

const attributes = (root: Element, selector: string, name: string) =>
  [...root.querySelectorAll(selector)].map((element) => element.getAttribute(name));

describe('heads', () => {
  const root = draw('', matrix);
  const heads = '#head > g';

  test('stand in the middle above their cells, and that of the rows ends where titles do', () => {
    const middles = [0, 1, 2].map((nth) => `translate(${layout.cellX(nth) + layout.cellWidth / 2} 0)`);
    expect(attributes(root, heads, 'transform')).toEqual([`translate(${layout.titleEnd} 0)`, ...middles]);
    expect(attributes(root, `${heads} text`, 'text-anchor')).toEqual(['end', 'middle', 'middle', 'middle']);
  });

  test('say whose column it is, and who acts, also as a mark', () => {
    expect(attributes(root, heads, 'aria-label')).toEqual(['size', 'thread 1', 'thread 2, acting', 'thread 3']);
    expect(attributes(root, '.hg-caches__acting', 'display')).toEqual(['none', 'none', null, 'none']);
  });
});

describe('cells', () => {
  test('stand below their heads, row by row, each with its sentence', () => {
    const root = draw('', matrix);
    expect(attributes(root, '#body > g', 'transform')).toEqual([
      `translate(0 ${kHead})`,
      `translate(0 ${kHead + kRow})`,
    ]);
    const places = [0, 1, 2].map((nth) => `translate(${layout.cellX(nth)} 0)`);
    expect(attributes(root, '[data-cell]', 'transform')).toEqual([...places, ...places]);
    expect(attributes(root, '[data-cell]', 'aria-label')).toEqual(
      matrix.rows.flatMap((row) => row.cells.map(({ text }) => text)),
    );
    expect([...root.querySelectorAll('.hg-caches__extra')].map(({ textContent }) => textContent)).toEqual([
      '',
      'of 40',
    ]);
  });

  test('are filled by their share; a block or two of thousands is still seen, and nothing is not', () => {
    const { cellWidth } = layout;
    const widths = [0, 2, cellWidth / 2, cellWidth, 0, 0].map(String);
    expect(attributes(draw('', matrix), '.hg-caches__level', 'width')).toEqual(widths);
    const kinds = attributes(draw('', matrix), '[data-cell]', 'class').map((name) => name?.split('--')[1]);
    expect(kinds).toEqual(['none', 'cache', 'cache', 'cache', 'none', 'none']);
  });

  test('one of them takes the Tab key', () => {
    expect(attributes(draw('32 1', matrix), '[data-cell]', 'tabindex')).toEqual(['-1', '-1', '-1', '0', '-1', '-1']);
  });

  test('of a matrix with a row and a column less, none stays', () => {
    const less = {
      ...matrix,
      columns: matrix.columns.slice(1),
      rows: [{ ...matrix.rows[1], cells: [cell('2', 7, 0.2)] }],
    };
    const root = draw('', matrix, less as Matrix);
    expect(attributes(root, '[data-cell]', 'data-cell')).toEqual(['32 2']);
    expect(attributes(root, '[data-cell]', 'transform')).toEqual([`translate(${layout.cellX(0)} 0)`]);
    expect(attributes(root, '#head > g', 'aria-label')).toEqual(['size', 'thread 2, acting', 'thread 3']);
  });
});
