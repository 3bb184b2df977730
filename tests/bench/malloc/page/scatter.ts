// Who is fast and lean: time against footprint, geometric means over the programs. dlmalloc stands at the crossing; the
// quarter below and left of it is the goal.

import type { Mean } from './figures.ts';
import { kOurs, numberText } from './figures.ts';
import { logScale, logTicks, tickText } from './log_axis.ts';
import { type Draw, drawMark } from './picture.ts';

const kLeft = 42;
const kBottom = 38;
const kTop = 14;

export function scatter(means: readonly Mean[]): Draw {
  return (svg, width, lookOf) => {
    const height = Math.round(Math.min(Math.max(width * 0.82, 300), 480));
    const x = logScale(
      means.map(({ time }) => time),
      [kLeft, width - 14],
      [1, 0.6, 1.2],
    );
    const y = logScale(
      means.map(({ footprint }) => footprint),
      [height - kBottom, kTop],
      [1, 0.8, 1.6],
    );
    const across = (value: number): number => Math.round(x(value)) + 0.5;
    const down = (value: number): number => Math.round(y(value)) + 0.5;
    svg
      .append('rect')
      .attr('class', 'hg-plot__goal')
      .attr('x', kLeft)
      .attr('y', down(1))
      .attr('width', across(1) - kLeft)
      .attr('height', height - kBottom - down(1));
    svg
      .append('text')
      .attr('class', 'hg-plot__goalname')
      .attr('x', kLeft + 8)
      .attr('y', height - kBottom - 9)
      .text('faster and leaner');
    for (const tick of logTicks(x, 34)) {
      svg
        .append('line')
        .attr('class', tick === 1 ? 'hg-plot__one' : 'hg-plot__grid')
        .attr('x1', across(tick))
        .attr('x2', across(tick))
        .attr('y1', kTop)
        .attr('y2', height - kBottom);
      svg
        .append('text')
        .attr('class', 'hg-plot__tick')
        .attr('text-anchor', 'middle')
        .attr('x', x(tick))
        .attr('y', height - kBottom + 16)
        .text(tickText(tick));
    }
    for (const tick of logTicks(y, 22)) {
      svg
        .append('line')
        .attr('class', tick === 1 ? 'hg-plot__one' : 'hg-plot__grid')
        .attr('x1', kLeft)
        .attr('x2', width - 14)
        .attr('y1', down(tick))
        .attr('y2', down(tick));
      svg
        .append('text')
        .attr('class', 'hg-plot__tick')
        .attr('text-anchor', 'end')
        .attr('x', kLeft - 8)
        .attr('y', y(tick) + 4)
        .text(tickText(tick));
    }
    svg
      .append('text')
      .attr('class', 'hg-plot__axis')
      .attr('text-anchor', 'end')
      .attr('x', width - 14)
      .attr('y', height - 4)
      .text('time →');
    svg.append('text').attr('class', 'hg-plot__axis').attr('x', 0).attr('y', 9).text('↑ footprint');
    const places = means.map((mean) => ({ mean, x: x(mean.time), y: y(mean.footprint) }));
    // Names keep off the marks and off each other; ours chooses first.
    const taken: Box[] = places.map((at) => ({ x: at.x - 7, y: at.y - 7, width: 14 }));
    for (const { mean, ...at } of places.toSorted((a, b) => Number(isOurs(b.mean)) - Number(isOurs(a.mean)))) {
      const title = `${mean.allocator}: time ${numberText(mean.time)}, footprint ${numberText(mean.footprint)}`;
      const group = svg.append('g').attr('class', 'hg-plot__row').attr('data-allocator', mean.allocator);
      drawMark(group, mean.allocator, lookOf, at.x, at.y, title);
      const box = freeBox(at, mean.allocator.length * 7.3, width, taken);
      taken.push(box);
      if (Math.abs(box.y + 7 - at.y) > 1) {
        const edge = Math.min(Math.max(at.x, box.x), box.x + box.width);
        group
          .append('line')
          .attr('class', 'hg-plot__leader')
          .attr('x1', at.x)
          .attr('y1', at.y)
          .attr('x2', edge)
          .attr('y2', box.y + 7)
          .lower();
      }
      group
        .append('text')
        .attr('class', `hg-plot__label${isOurs(mean) ? ' hg-plot__label--ours' : ''}`)
        .attr('x', box.x)
        .attr('y', box.y + 11)
        .text(mean.allocator);
    }
    return height;
  };
}

const isOurs = ({ allocator }: Mean): boolean => allocator === kOurs;

/** A mark or a name, kHigh high. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

const kHigh = 14;

/** The first place around a mark, near ones before far ones, where a name touches nothing. */
function freeBox(
  at: { readonly x: number; readonly y: number },
  width: number,
  room: number,
  taken: readonly Box[],
): Box {
  const right = at.x + 10;
  const left = at.x - 10 - width;
  const over = at.x - width / 2;
  const boxes = [0, 14, -14, 26, -26, 40, -40].flatMap((down) =>
    [right, left, over].map((x) => ({ x, y: at.y - 7 + down, width })),
  );
  const free = (box: Box): boolean =>
    box.x > kLeft &&
    box.x + width < room &&
    taken.every(
      (other) => box.x >= other.x + other.width || other.x >= box.x + box.width || Math.abs(box.y - other.y) >= kHigh,
    );
  return boxes.find(free) ?? { x: right, y: at.y - 7, width };
}
