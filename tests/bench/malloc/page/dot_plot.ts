// Ratios as dots: one row a workload, one dot an allocator, dlmalloc the line at 1. At the right heapglass's figure and
// the best of the others, so that the picture can be read without a pointer. Narrow, the name stands above its dots.

import type { Selection } from 'd3-selection';
import { bestPeer, type DotRow, type Group, kOurs, kReference, numberText } from './figures.ts';
import { type LogScale, logScale, logTicks, tickText } from './log_axis.ts';
import type { Draw } from './picture.ts';
import { drawMark } from './picture.ts';

const kRow = 21;
const kHead = 30;
const kAxis = 26;
const kNarrow = 520;
const kTitles: Record<Group, string> = {
  micro: 'Single calls',
  'micro-used': 'Single calls in a used heap',
  program: 'Programs of the classic kinds',
  'program-used': 'Programs in a used heap',
  real: 'Programs made elsewhere',
  stream: 'Recorded streams',
  threads: 'Threads',
};

interface Placed {
  readonly row: DotRow;
  readonly y: number; // of the dots
}

export function dotPlot(rows: readonly DotRow[], allocators: readonly string[]): Draw {
  return (svg, width, lookOf) => {
    const narrow = width < kNarrow;
    const left = narrow ? 8 : Math.min(Math.max(...rows.map(({ name }) => name.length)) * 7.2 + 14, width * 0.36);
    const right = width - (narrow ? 8 : 158);
    const values = rows.flatMap(({ points }) => points.map(({ value }) => value));
    const scale = logScale(values, [left + 8, right - 8], [1]);
    const { placed, heads, height } = place(rows, narrow);
    drawGrid(svg, scale, height, narrow ? undefined : width);
    for (const { group, y } of heads)
      svg.append('text').attr('class', 'hg-plot__head').attr('x', 0).attr('y', y).text(kTitles[group]);
    for (const each of placed) drawRow(svg, each, { scale, width, left, narrow, allocators }, lookOf);
    return height;
  };
}

/** Where rows stand, with a title above the first of each group. */
function place(rows: readonly DotRow[], narrow: boolean) {
  const heads: { group: Group; y: number }[] = [];
  const placed: Placed[] = [];
  let y = kAxis;
  let group: Group | undefined;
  for (const row of rows) {
    if (row.group !== group) {
      group = row.group;
      heads.push({ group, y: y + kHead - 10 });
      y += kHead;
    }
    const high = narrow ? kRow * 2 - 4 : kRow;
    placed.push({ row, y: y + high - kRow / 2 });
    y += high;
  }
  return { placed, heads, height: y + 8 };
}

type Plot = Selection<SVGGElement, unknown, null, undefined>;

function drawGrid(svg: Plot, scale: LogScale, height: number, width: number | undefined): void {
  for (const tick of logTicks(scale, 34)) {
    const x = Math.round(scale(tick)) + 0.5;
    const reference = tick === 1;
    svg
      .append('line')
      .attr('class', reference ? 'hg-plot__one' : 'hg-plot__grid')
      .attr('x1', x)
      .attr('x2', x)
      .attr('y1', kAxis - 6)
      .attr('y2', height);
    svg
      .append('text')
      .attr('class', 'hg-plot__tick')
      .attr('text-anchor', 'middle')
      .attr('x', x)
      .attr('y', 13)
      .text(tickText(tick));
  }
  if (width === undefined) return;
  svg
    .append('text')
    .attr('class', 'hg-plot__column hg-plot__ours')
    .attr('text-anchor', 'end')
    .attr('x', width - 100)
    .attr('y', 13)
    .text('ours');
  svg
    .append('text')
    .attr('class', 'hg-plot__column')
    .attr('x', width - 90)
    .attr('y', 13)
    .text('best other');
}

function drawRow(
  svg: Plot,
  { row, y }: Placed,
  at: {
    readonly scale: LogScale;
    readonly width: number;
    readonly left: number;
    readonly narrow: boolean;
    readonly allocators: readonly string[];
  },
  lookOf: Parameters<Draw>[2],
): void {
  const { scale, width, left, narrow } = at;
  const group = svg.append('g').attr('class', 'hg-plot__row');
  const top = narrow ? y - kRow * 1.5 + 4 : y - kRow / 2;
  group
    .append('rect')
    .attr('class', 'hg-plot__hit')
    .attr('y', top)
    .attr('width', width)
    .attr('height', y + kRow / 2 - top);
  const nameY = narrow ? y - kRow + 7 : y + 4;
  group
    .append('text')
    .attr('class', 'hg-plot__name')
    .attr('x', narrow ? 8 : left - 6)
    .attr('y', nameY)
    .attr('text-anchor', narrow ? 'start' : 'end')
    .text(row.name);
  const xs = row.points.map(({ value }) => scale(value));
  group
    .append('line')
    .attr('class', 'hg-plot__span')
    .attr('x1', Math.min(...xs, scale(1)))
    .attr('x2', Math.max(...xs, scale(1)))
    .attr('y1', y)
    .attr('y2', y);
  const ours = row.points.find(({ allocator }) => allocator === kOurs);
  // Ours last: it lies on top.
  for (const point of row.points.toSorted((a, b) => Number(a === ours) - Number(b === ours))) {
    if (point.allocator === kReference) continue; // the line at 1
    const title = `${point.allocator}, ${row.name}: ${numberText(point.value)} of ${kReference} (${point.text})`;
    drawMark(group, point.allocator, lookOf, scale(point.value), y, title);
  }
  const peer = bestPeer(row);
  const oursText = ours === undefined ? '–' : numberText(ours.value);
  const peerText = peer === undefined ? '' : `${numberText(peer.value)} ${peer.allocator}`;
  const wins = ours !== undefined && peer !== undefined && ours.value <= peer.value;
  group
    .append('text')
    .attr('class', `hg-plot__value hg-plot__ours${wins ? ' hg-plot__ours--best' : ''}`)
    .attr('text-anchor', 'end')
    .attr('x', narrow ? width - 112 : width - 100)
    .attr('y', nameY)
    .text(oursText);
  group
    .append('text')
    .attr('class', 'hg-plot__value')
    .attr('x', narrow ? width - 102 : width - 90)
    .attr('y', nameY)
    .text(peerText);
}
