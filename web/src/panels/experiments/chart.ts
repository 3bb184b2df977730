// One chart, drawn with D3 and filled while its experiment runs: bars and points grow to their places in 250 ms, at once
// in reduced motion. What it shows is also a table below it, folded.
//
//   figure > figcaption, legend, svg (an image with its summary), details > table

import { select } from 'd3-selection';
import { make, makeSvg, setText } from '../../dom/dom.ts';
import type { Chart } from '../../protocol/experiments.ts';
import { drawSide, drawTicks } from './chart_axes.ts';
import { drawBars } from './chart_bars.ts';
import { legendKeys, legendOf } from './chart_legend.ts';
import { drawLines } from './chart_lines.ts';
import { type Group, patterns } from './chart_looks.ts';
import { chartSummary, layoutBars, layoutLines, valueRows } from './chart_marks.ts';
import { createTable } from './report_table.ts';

const kGrowMs = 250;

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
  svg.append(makeSvg('defs', {}, ...patterns(id)));
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
    if (chart.kind === 'bars') {
      const layout = layoutBars(chart, width);
      const textY = layout.height - 6;
      svg.setAttribute('height', String(layout.height));
      drawTicks({ grid, axis }, layout.ticks, { top: 0, bottom: layout.axisY, textY, isGrid: true });
      drawBars(marks, layout, { id, width, duration });
      return;
    }
    const layout = layoutLines(chart, width);
    const { top, bottom } = layout;
    svg.setAttribute('height', String(layout.height));
    drawTicks({ grid, axis }, layout.xTicks, { top, bottom, textY: bottom + 17, isGrid: false });
    drawSide({ grid, axis }, layout);
    drawLines(marks, layout, duration);
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
      if (chart === undefined || legendOf(chart) !== legendOf(next)) {
        const keys = legendKeys(next);
        legend.replaceChildren(...keys);
        legend.hidden = keys.length === 0;
      }
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
