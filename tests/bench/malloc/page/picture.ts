// A picture of the page: heading, note, an SVG drawn anew for each width, and the same as a table, folded. A picture is
// an image with a summary for those who do not see it; the table has every figure.

import { type Selection, select } from 'd3-selection';
import { make, makeSvg } from '../../../../web/src/dom/dom.ts';
import { createTable, type TableTexts } from '../../../../web/src/panels/experiments/report_table.ts';
import type { Look } from './looks.ts';

export type LookOf = (allocator: string) => Look;
type Plot = Selection<SVGGElement, unknown, null, undefined>;

/** Draws into an empty group; the height it took. */
export type Draw = (svg: Plot, width: number, lookOf: LookOf) => number;

export interface Picture {
  readonly title: string;
  readonly note?: string;
  readonly summary: string; // instead of the image
  readonly table: TableTexts;
  readonly draw: Draw;
}

/** Marks of an allocator carry its name, so that the legend can single them out. */
export function drawMark(group: Plot, allocator: string, lookOf: LookOf, x: number, y: number, title: string): void {
  const { colour, path, hollow } = lookOf(allocator);
  group
    .append('path')
    .attr('class', `hg-mark${hollow ? ' hg-mark--hollow' : ''}`)
    .attr('data-allocator', allocator)
    .attr('d', path)
    .attr('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`)
    .style('--series', colour)
    .append('title')
    .text(title);
}

export function createPicture(picture: Picture, lookOf: LookOf, level: 'h2' | 'h3' = 'h2'): HTMLElement {
  const svg = makeSvg('svg', { class: 'hg-plot', role: 'img', 'aria-label': `${picture.title}. ${picture.summary}` });
  const table = createTable(picture.title);
  table.update(picture.table);
  const figure = make(
    'figure',
    { class: `hg-picture hg-picture--${level}` },
    make(
      'figcaption',
      {},
      make(level, { class: 'hg-picture__title' }, picture.title),
      picture.note === undefined ? undefined : make('p', { class: 'hg-note' }, picture.note),
    ),
    svg,
    make(
      'details',
      { class: 'hg-picture__values' },
      make('summary', {}, 'Values as a table', make('span', { class: 'hg-hidden' }, `: ${picture.title}`)),
      table.element,
    ),
  );
  let drawn = 0;
  new ResizeObserver(() => {
    const width = Math.floor(svg.getBoundingClientRect().width);
    if (width === drawn || width < 40) return;
    drawn = width;
    const group = select(svg).html('').append('g');
    svg.setAttribute('height', String(Math.ceil(picture.draw(group, width, lookOf))));
  }).observe(figure); // lives as long as the page
  return figure;
}
