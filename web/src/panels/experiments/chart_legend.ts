// What the lines and marks of a chart mean.

import { make, makeSvg } from '../../dom/dom.ts';
import type { Chart } from '../../protocol/experiments.ts';
import { colourClass, dashOf, kDiamond, symbolOf } from './chart_looks.ts';
import { hasDocument } from './chart_marks.ts';

/** What the legend depends on. */
export const legendOf = (chart: Chart): string =>
  [chart.kind, hasDocument(chart), ...chart.series.map(({ name }) => name)].join('\n');

/** Each series with its line and symbol, and the document's mark. */
export function legendKeys(shown: Chart): HTMLElement[] {
  const keys: HTMLElement[] = [];
  if (shown.kind === 'lines') {
    shown.series.forEach(({ name }, series) => {
      const colour = `var(--hg-${colourClass(series)})`;
      const mark = makeSvg('path', { d: symbolOf(series), transform: 'translate(12 7)' });
      mark.style.setProperty('fill', colour);
      const stroke = makeSvg('path', { d: 'M0 7h24', 'stroke-width': 2, 'stroke-dasharray': dashOf(series) });
      stroke.style.setProperty('stroke', colour);
      keys.push(make('li', { class: 'hg-chart__key' }, makeSvg('svg', { width: 24, height: 14 }, stroke, mark), name));
    });
  }
  if (hasDocument(shown)) {
    const mark = makeSvg('path', { d: kDiamond, transform: 'translate(7 7)', class: 'hg-chart__document' });
    keys.push(
      make('li', { class: 'hg-chart__key' }, makeSvg('svg', { width: 14, height: 14 }, mark), 'the document’s figure'),
    );
  }
  return keys;
}
