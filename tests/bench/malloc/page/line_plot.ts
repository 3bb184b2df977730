// Lines over a log scale: ns by block size, ms by number of threads. The scale of values is shared by the panels that are
// compared, and given from outside.

import { line } from 'd3-shape';
import { kOurs, type LinePanel } from './figures.ts';
import { logScale, logTicks, tickText } from './log_axis.ts';
import { type Draw, drawMark } from './picture.ts';

const kLeft = 40;
const kTop = 18;
const kBottom = 24;

export interface LineAxes {
  readonly unit: string; // of y
  readonly values: readonly number[]; // that y has to show
  readonly tickX: (x: number) => string;
  readonly height: number;
}

export function linePlot({ name, series }: LinePanel, axes: LineAxes): Draw {
  return (svg, width, lookOf) => {
    const { height } = axes;
    const xs = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].toSorted((a, b) => a - b);
    const x = logScale(xs, [kLeft + 6, width - 10]).domain([xs[0] ?? 1, xs.at(-1) ?? 2]);
    const y = logScale(axes.values, [height - kBottom, kTop]);
    for (const tick of logTicks(y, 20)) {
      const at = Math.round(y(tick)) + 0.5;
      svg
        .append('line')
        .attr('class', 'hg-plot__grid')
        .attr('x1', kLeft)
        .attr('x2', width)
        .attr('y1', at)
        .attr('y2', at);
      svg
        .append('text')
        .attr('class', 'hg-plot__tick')
        .attr('text-anchor', 'end')
        .attr('x', kLeft - 7)
        .attr('y', at + 4)
        .text(tickText(tick));
    }
    svg.append('text').attr('class', 'hg-plot__axis').attr('x', 0).attr('y', 9).text(axes.unit);
    let free = Number.NEGATIVE_INFINITY;
    for (const tick of xs) {
      const text = axes.tickX(tick);
      const half = text.length * 3.4;
      const at = Math.min(Math.max(x(tick), half), width - half);
      if (at - half < free) continue;
      free = at + half + 9;
      svg
        .append('text')
        .attr('class', 'hg-plot__tick')
        .attr('text-anchor', 'middle')
        .attr('x', at)
        .attr('y', height - 6)
        .text(text);
    }
    const path = line<{ readonly x: number; readonly y: number }>(
      (point) => x(point.x),
      (point) => y(point.y),
    );
    for (const { allocator, points } of series.toSorted(
      (a, b) => Number(a.allocator === kOurs) - Number(b.allocator === kOurs),
    )) {
      const { colour, hollow } = lookOf(allocator);
      const group = svg.append('g').attr('class', 'hg-plot__series').attr('data-allocator', allocator);
      group
        .append('path')
        .attr('class', `hg-plot__path${allocator === kOurs ? ' hg-plot__path--ours' : ''}`)
        .attr('stroke-dasharray', hollow ? '3 3' : null)
        .style('--series', colour)
        .attr('d', path(points));
      for (const point of points)
        drawMark(group, allocator, lookOf, x(point.x), y(point.y), `${allocator}, ${name}, ${point.text}`);
    }
    return height;
  };
}
