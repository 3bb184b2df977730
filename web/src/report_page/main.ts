// The script inside a report's page: reads the report from it and draws each figure, anew when its width changes.

import type { FlameTrees } from '../report/flame_tree.ts';
import type { Report } from '../report/report_types.ts';
import { drawFlame } from './flame.ts';
import { kPlots } from './plots.ts';
import { makeSortable } from './sort_table.ts';

const text = document.getElementById('report')?.textContent ?? '';
const report = JSON.parse(text) as Report;
const flameText = document.getElementById('flame')?.textContent;
const flame = typeof flameText === 'string' ? (JSON.parse(flameText) as FlameTrees) : undefined;
const whole = document.getElementById('whole');

// In the next picture: drawing changes heights, and the observer would see that within its own round, which browsers call an error.
const watcher = new ResizeObserver((entries) => {
  requestAnimationFrame(() => {
    for (const { target, contentRect } of entries) draw(target, Math.floor(contentRect.width));
  });
});

whole?.addEventListener('change', () => {
  for (const figure of document.querySelectorAll('figure[data-plot=flame]')) {
    figure.removeAttribute('data-width');
    draw(figure, Math.floor(figure.getBoundingClientRect().width));
  }
});

for (const figure of document.querySelectorAll('figure[data-plot]')) watcher.observe(figure);
for (const table of document.querySelectorAll<HTMLTableElement>('.sortable table')) makeSortable(table);

function draw(figure: Element, width: number): void {
  if (width === 0 || figure.getAttribute('data-width') === String(width)) return;
  figure.setAttribute('data-width', String(width));
  const plot = figure.getAttribute('data-plot') ?? '';
  const drawn = plot === 'flame' ? flameOf(width) : kPlots[plot]?.(report, width);
  if (drawn === undefined) figure.remove();
  else figure.replaceChildren(drawn);
  for (const svg of figure.querySelectorAll('svg')) name(svg, figure.getAttribute('aria-label') ?? '');
}

function flameOf(width: number): Element | undefined {
  const isWhole = whole instanceof HTMLInputElement && whole.checked;
  return flame && drawFlame(isWhole ? flame.all : flame.own, width);
}

/** One picture for who cannot see it, and not a list of lines and bars: their numbers are in the tables. */
function name(svg: Element, label: string): void {
  for (const part of svg.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
}
