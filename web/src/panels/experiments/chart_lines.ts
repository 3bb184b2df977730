// Lines of a chart, with a symbol at each point and the document's figures as marks.

import { type Selection, select } from 'd3-selection';
import { line } from 'd3-shape';
import 'd3-transition';
import { colourClass, dashOf, type Group, kDiamond, symbolOf } from './chart_looks.ts';
import type { LineMark, LinesLayout, PointMark } from './chart_marks.ts';

export function drawLines(marks: Group, layout: LinesLayout, duration: number): void {
  const path = line<PointMark>(
    (point) => point.x,
    (point) => point.y,
  );
  const series = marks
    .selectAll<SVGGElement, LineMark>('g.hg-chart__line')
    .data(layout.lines, (each) => each.key)
    .join((enter) => {
      const group = enter.append('g').attr('class', 'hg-chart__line');
      group.append('path').attr('class', 'hg-chart__found');
      group.append('path').attr('class', 'hg-chart__path');
      return group;
    })
    .style('--series', (each) => `var(--hg-${colourClass(each.series)})`);
  series.select('.hg-chart__found').attr('d', (each) => path(each.document) ?? '');
  series
    .select('.hg-chart__path')
    .attr('stroke-dasharray', (each) => dashOf(each.series) ?? null)
    .attr('d', (each) => path(each.points) ?? '');
  series.each(function (each) {
    const group = select<SVGGElement, LineMark>(this);
    drawPoints(group, each, 'document', duration);
    drawPoints(group, each, 'points', duration);
  });
}

function drawPoints(
  group: Selection<SVGGElement, LineMark, null, undefined>,
  each: LineMark,
  which: 'points' | 'document',
  duration: number,
): void {
  group
    .selectAll<SVGPathElement, PointMark>(`path.hg-chart__${which}`)
    .data(each[which], (point) => point.key)
    .join((enter) => {
      const mark = enter.append('path').attr('class', `hg-chart__${which}`).attr('opacity', 0);
      mark.append('title');
      return mark;
    })
    .attr('d', which === 'document' ? kDiamond : symbolOf(each.series))
    .attr('transform', (point) => `translate(${point.x} ${point.y})`)
    .call((mark) => mark.select('title').text((point) => point.title))
    .transition()
    .duration(duration)
    .attr('opacity', 1);
}
