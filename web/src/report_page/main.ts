// The script inside a report's page: reads the report from it and draws each figure, anew when its width changes.

import type { Report } from '../report/report_types.ts';
import { kPlots } from './plots.ts';

const text = document.getElementById('report')?.textContent ?? '';
const report = JSON.parse(text) as Report;

const watcher = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) draw(target, Math.floor(contentRect.width));
});

for (const figure of document.querySelectorAll('figure[data-plot]')) watcher.observe(figure);

function draw(figure: Element, width: number): void {
  if (width === 0 || figure.getAttribute('data-width') === String(width)) return;
  figure.setAttribute('data-width', String(width));
  const drawn = kPlots[figure.getAttribute('data-plot') ?? '']?.(report, width);
  if (drawn === undefined) figure.remove();
  else figure.replaceChildren(drawn);
  for (const svg of figure.querySelectorAll('svg')) name(svg, figure.getAttribute('aria-label') ?? '');
}

/** One picture for who cannot see it, and not a list of lines and bars: their numbers are in the tables. */
function name(svg: Element, label: string): void {
  for (const part of svg.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
}
