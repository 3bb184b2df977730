// Bars of a chart, a row each, with the document's figure as a mark beside them.

import { easeCubicOut } from 'd3-ease';
import type { EnterElement, Selection } from 'd3-selection';
import 'd3-transition';
import { colourClass, type Group, kDiamond, striped } from './chart_looks.ts';
import { type BarMark, type BarsLayout, kBarRow } from './chart_marks.ts';

const kBarHigh = 11;

export interface BarsOptions {
  /** Of the chart: its patterns are named after it. */
  readonly id: string;
  readonly width: number;
  /** Milliseconds in which they grow to their places. */
  readonly duration: number;
}

export function drawBars(marks: Group, layout: BarsLayout, { id, width, duration }: BarsOptions): void {
  marks
    .selectAll<SVGTextElement, BarsLayout['heads'][number]>('text.hg-chart__head')
    .data(layout.heads, (head) => head.key)
    .join('text')
    .attr('class', 'hg-chart__head')
    .attr('x', 0)
    .attr('y', (head) => head.y + 14)
    .text((head) => head.text);
  const bars = marks
    .selectAll<SVGGElement, BarMark>('g.hg-chart__bar')
    .data(layout.bars, (bar) => bar.key)
    .join(enterBar)
    .attr('transform', (bar) => `translate(0 ${bar.y})`);
  bars.select('title').text((bar) => bar.title);
  bars.select('.hg-chart__hit').attr('width', width);
  bars
    .select('.hg-chart__name')
    .attr('x', layout.gutter - 8)
    .text((bar) => bar.name);
  bars
    .select('.hg-chart__fill')
    .attr('x', layout.gutter)
    .style('fill', (bar) =>
      striped(bar.series) ? `url(#${id}-${colourClass(bar.series)})` : `var(--hg-${colourClass(bar.series)})`,
    )
    .transition()
    .duration(duration)
    .ease(easeCubicOut)
    .attr('width', (bar) => bar.length ?? 0);
  bars
    .select('.hg-chart__value')
    .text((bar) => bar.text)
    .transition()
    .duration(duration)
    .ease(easeCubicOut)
    // Beside the bar, and beside the document's mark when that stands where the number would.
    .attr('x', (bar) => valueX(layout, bar));
  bars
    .select('.hg-chart__document')
    .attr('display', (bar) => (bar.document === undefined ? 'none' : null))
    .attr('transform', (bar) => `translate(${bar.document ?? 0} ${3 + kBarHigh / 2})`);
}

function enterBar(enter: Selection<EnterElement, BarMark, SVGGElement, unknown>) {
  const bar = enter.append('g').attr('class', 'hg-chart__bar');
  bar.append('title');
  bar.append('rect').attr('class', 'hg-chart__hit').attr('height', kBarRow);
  bar.append('text').attr('class', 'hg-chart__name').attr('y', 13).attr('text-anchor', 'end');
  bar
    .append('rect')
    .attr('class', 'hg-chart__fill')
    .attr('y', 3)
    .attr('height', kBarHigh)
    .attr('rx', 1.5)
    .attr('width', 0);
  bar.append('text').attr('class', 'hg-chart__value').attr('y', 13);
  bar.append('path').attr('class', 'hg-chart__document').attr('d', kDiamond);
  return bar;
}

/** Right of the bar's end; right of the document's mark when that stands where the number would. */
function valueX(layout: BarsLayout, bar: BarMark): number {
  const x = layout.gutter + (bar.length ?? 0) + 6;
  const mark = bar.document;
  return mark !== undefined && mark > x - 8 && mark < x + bar.text.length * 7 ? mark + 10 : x;
}
