// Bars from zero, shortest first, each with its name and figure. One that is far longer than the others is cut, and says so
// by its broken end: the rest would be hairlines.

import { scaleLinear } from 'd3-scale';
import { type BarPanel, kOurs } from './figures.ts';
import type { Draw } from './picture.ts';
import { drawMark } from './picture.ts';

const kBar = 20;
const kCutOver = 2.5; // times the longest of the rest
const kValue = 74;

export function barPlot({ name, bars }: BarPanel, nameWidth: number): Draw {
  return (svg, width, lookOf) => {
    const sorted = bars.toSorted((a, b) => a.value - b.value);
    const rest = sorted.slice(0, Math.ceil(sorted.length * 0.7)).map(({ value }) => value);
    const most = Math.max(...rest, 0) * kCutOver;
    const longest = Math.min(Math.max(...sorted.map(({ value }) => value), 0), most) || 1;
    const length = scaleLinear([0, longest], [0, width - nameWidth - kValue]);
    sorted.forEach(({ allocator, value, text }, at) => {
      const y = at * kBar;
      const cut = value > longest;
      const { colour, hollow } = lookOf(allocator);
      const long = Math.max(length(Math.min(Math.max(value, 0), longest)), 1);
      const group = svg.append('g').attr('class', 'hg-plot__row').attr('data-allocator', allocator);
      group.append('rect').attr('class', 'hg-plot__hit').attr('y', y).attr('width', width).attr('height', kBar);
      group
        .append('text')
        .attr('class', `hg-plot__name${allocator === kOurs ? ' hg-plot__name--ours' : ''}`)
        .attr('x', 18)
        .attr('y', y + 14)
        .text(allocator);
      drawMark(group, allocator, lookOf, 7, y + 10, `${allocator}, ${name}: ${text}`);
      group
        .append('rect')
        .attr('class', `hg-plot__bar${hollow ? ' hg-plot__bar--hollow' : ''}`)
        .attr('x', nameWidth)
        .attr('y', y + 5)
        .attr('width', long)
        .attr('height', 10)
        .attr('rx', 1.5)
        .style('--series', colour);
      if (cut)
        group
          .append('path')
          .attr('class', 'hg-plot__cut')
          .attr('d', `M${nameWidth + long - 12} ${y + 17}l5 -14M${nameWidth + long - 8} ${y + 17}l5 -14`);
      group
        .append('text')
        .attr('class', `hg-plot__value${allocator === kOurs ? ' hg-plot__ours' : ''}`)
        .attr('x', nameWidth + long + 6)
        .attr('y', y + 14)
        .text(text);
    });
    return sorted.length * kBar + 2;
  };
}
