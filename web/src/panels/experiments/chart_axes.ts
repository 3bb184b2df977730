// The axes of a chart: numbers below and at the side, and the lines of the grid.

import type { Group } from './chart_looks.ts';
import type { LinesLayout, Tick } from './chart_marks.ts';

export interface AxisGroups {
  readonly grid: Group;
  readonly axis: Group;
}

export interface TicksPlace {
  readonly top: number;
  readonly bottom: number;
  readonly textY: number;
  /** With a line of the grid each. */
  readonly isGrid: boolean;
}

/** Ticks below. */
export function drawTicks(
  { grid, axis }: AxisGroups,
  ticks: readonly Tick[],
  { top, bottom, textY, isGrid }: TicksPlace,
): void {
  grid
    .selectAll<SVGLineElement, Tick>('line.hg-chart__down')
    .data(isGrid ? ticks : [])
    .join('line')
    .attr('class', 'hg-chart__down')
    .attr('y1', top)
    .attr('y2', bottom + 4)
    .attr('x1', (tick) => Math.round(tick.at) + 0.5)
    .attr('x2', (tick) => Math.round(tick.at) + 0.5);
  axis
    .selectAll<SVGTextElement, Tick>('text.hg-chart__below')
    .data(ticks)
    .join('text')
    .attr('class', 'hg-chart__below')
    .attr('text-anchor', 'middle')
    .attr('x', (tick) => tick.at)
    .attr('y', textY)
    .text((tick) => tick.text);
}

export function drawSide({ grid, axis }: AxisGroups, layout: LinesLayout): void {
  grid
    .selectAll<SVGLineElement, Tick>('line.hg-chart__across')
    .data(layout.yTicks)
    .join('line')
    .attr('class', 'hg-chart__across')
    .attr('x1', layout.left)
    .attr('x2', layout.right)
    .attr('y1', (tick) => Math.round(tick.at) + 0.5)
    .attr('y2', (tick) => Math.round(tick.at) + 0.5);
  axis
    .selectAll<SVGTextElement, Tick>('text.hg-chart__side')
    .data(layout.yTicks)
    .join('text')
    .attr('class', 'hg-chart__side')
    .attr('text-anchor', 'end')
    .attr('x', layout.left - 8)
    .attr('y', (tick) => tick.at + 4)
    .text((tick) => tick.text);
}
