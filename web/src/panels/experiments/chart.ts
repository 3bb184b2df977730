// One chart, drawn with D3 and filled while its experiment runs: bars and points grow to their places in 250 ms, at once
// in reduced motion. What it shows is also a table below it, folded.
//
//   figure > figcaption, legend, svg (an image with its summary), details > table

import { easeCubicOut } from 'd3-ease';
import { type Selection, select } from 'd3-selection';
import {
  line,
  type SymbolType,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from 'd3-shape';
import 'd3-transition';
import { make, makeSvg, setText } from '../../dom/dom.ts';
import { kSeriesColours } from '../../dom/palette.ts';
import type { Chart } from '../../protocol/experiments.ts';
import {
  type BarMark,
  type BarsLayout,
  chartSummary,
  hasDocument,
  kBarRow,
  type LineMark,
  type LinesLayout,
  layoutBars,
  layoutLines,
  type PointMark,
  type Tick,
  valueRows,
} from './chart_marks.ts';
import { createTable } from './report_table.ts';

const kGrowMs = 250;
const kBarHigh = 11;
/** Six with four colours: twelve series before one looks like another. The diamond is the document's. */
const kSymbols: readonly SymbolType[] = [
  symbolCircle,
  symbolSquare,
  symbolTriangle,
  symbolCross,
  symbolStar,
  symbolWye,
];
const kSymbolArea = 44;
const kDiamond = symbol(symbolDiamond, 40)() ?? '';

type Group<Datum = unknown> = Selection<SVGGElement, Datum, null, undefined>;

/** Of a series: colours begin again after the last, with another texture. */
const colourClass = (series: number): string => kSeriesColours[series % kSeriesColours.length] ?? kSeriesColours[0];
const striped = (series: number): boolean => series >= kSeriesColours.length;
const dashOf = (series: number): string | undefined => (striped(series) ? '1 3' : undefined);
const symbolOf = (series: number): string => symbol(kSymbols[series % kSymbols.length], kSymbolArea)() ?? '';

/** Number of the chart among those of the page: ids of its patterns must be its own. */
let made = 0;

export function createChart(parent: Element) {
  const id = `hg-chart-${made++}`;
  const title = make('span', { class: 'hg-chart__title' });
  const unit = make('span', { class: 'hg-chart__unit' });
  const legend = make('ul', { class: 'hg-chart__legend', 'aria-hidden': 'true' });
  const svg = makeSvg('svg', { class: 'hg-chart__svg', role: 'img' });
  const table = createTable('Values');
  const values = make(
    'details',
    { class: 'hg-chart__values' },
    make('summary', {}, 'Values as a table'),
    table.element,
  );
  const element = make(
    'figure',
    { class: 'hg-chart' },
    make('figcaption', { class: 'hg-chart__caption' }, title, unit),
    legend,
    svg,
    values,
  );
  parent.append(element);

  const root = select(svg);
  root.append('defs').html(patterns(id));
  const grid: Group = root.append('g').attr('class', 'hg-chart__grid');
  const marks: Group = root.append('g').attr('class', 'hg-chart__marks');
  const axis: Group = root.append('g').attr('class', 'hg-chart__axis');
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  let chart: Chart | undefined;
  let width = 0;

  /** Marks that were drawn before move; `still` puts them at once: another width is no news. */
  function draw(still: boolean): void {
    if (chart === undefined || width < 60) return;
    const duration = still || calm.matches ? 0 : kGrowMs;
    svg.setAttribute('width', String(width));
    if (chart.kind === 'bars') drawBars(layoutBars(chart, width), duration);
    else drawLines(layoutLines(chart, width), duration);
  }

  function drawBars(layout: BarsLayout, duration: number): void {
    svg.setAttribute('height', String(layout.height));
    drawTicks(layout.ticks, 0, layout.axisY, layout.height - 6);
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
      .join((enter) => {
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
      })
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

  function drawLines(layout: LinesLayout & { readonly height: number }, duration: number): void {
    svg.setAttribute('height', String(layout.height));
    drawTicks(layout.xTicks, layout.top, layout.bottom, layout.bottom + 17);
    drawSide(layout);
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

  /** Ticks below, with a line of the grid each. */
  function drawTicks(ticks: readonly Tick[], top: number, bottom: number, textY: number): void {
    const isBars = chart?.kind === 'bars';
    grid
      .selectAll<SVGLineElement, Tick>('line.hg-chart__down')
      .data(isBars ? ticks : [])
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

  function drawSide(layout: LinesLayout): void {
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

  function showLegend(shown: Chart): void {
    const keys: HTMLElement[] = [];
    if (shown.kind === 'lines') {
      shown.series.forEach(({ name }, series) => {
        const colour = `var(--hg-${colourClass(series)})`;
        const mark = makeSvg('path', { d: symbolOf(series), transform: 'translate(12 7)' });
        mark.style.setProperty('fill', colour);
        const stroke = makeSvg('path', { d: 'M0 7h24', 'stroke-width': 2, 'stroke-dasharray': dashOf(series) });
        stroke.style.setProperty('stroke', colour);
        keys.push(
          make('li', { class: 'hg-chart__key' }, makeSvg('svg', { width: 24, height: 14 }, stroke, mark), name),
        );
      });
    }
    if (hasDocument(shown)) {
      const mark = makeSvg('path', { d: kDiamond, transform: 'translate(7 7)', class: 'hg-chart__document' });
      keys.push(
        make(
          'li',
          { class: 'hg-chart__key' },
          makeSvg('svg', { width: 14, height: 14 }, mark),
          'the document’s figure',
        ),
      );
    }
    legend.replaceChildren(...keys);
    legend.hidden = keys.length === 0;
  }

  const observer = new ResizeObserver(([entry]) => {
    const next = Math.floor(entry?.contentRect.width ?? 0);
    if (next === width) return;
    width = next;
    draw(true);
  });
  observer.observe(element);

  return {
    element,
    update(next: Chart): void {
      if (next === chart) return;
      if (chart !== undefined && chart.kind !== next.kind)
        for (const part of [grid, marks, axis]) part.selectChildren().remove();
      if (chart === undefined || legendOf(chart) !== legendOf(next)) showLegend(next);
      chart = next;
      setText(title, next.title);
      setText(unit, `${next.yLabel}, by ${next.xLabel}`);
      svg.setAttribute('aria-label', chartSummary(next));
      table.update(valueRows(next));
      draw(false);
    },
    dispose(): void {
      observer.disconnect();
      element.remove();
    },
  };
}

/** What the legend depends on. */
const legendOf = (chart: Chart): string =>
  [chart.kind, hasDocument(chart), ...chart.series.map(({ name }) => name)].join('\n');

/** Right of the bar's end; right of the document's mark when that stands where the number would. */
function valueX(layout: BarsLayout, bar: BarMark): number {
  const x = layout.gutter + (bar.length ?? 0) + 6;
  const mark = bar.document;
  return mark !== undefined && mark > x - 8 && mark < x + bar.text.length * 7 ? mark + 10 : x;
}

/** Stripes of each colour, for series after the fourth. */
function patterns(id: string): string {
  return kSeriesColours
    .map(
      (name) =>
        `<pattern id="${id}-${name}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="3" height="5" style="fill: var(--hg-${name})"/></pattern>`,
    )
    .join('');
}
