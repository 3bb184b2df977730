// A plot as SVG in a figure: a row for each name, a point for each figure. Drawn twice, for a wide column and for a phone; the
// style sheet shows one. Colours are the style sheet's, so that both schemes have theirs; a shape goes with each colour.

import * as Plot from '@observablehq/plot';
import { symbol, symbolCircle, symbolDiamond, symbolSquare, symbolStar, symbolTriangle } from 'd3-shape';
import { parseHTML } from 'linkedom';

const kWidths = { wide: 680, narrow: 340 };
const kShapes = ['circle', 'square', 'triangle', 'diamond', 'star'];
const kShapesDrawn = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolStar];
const kRowHeight = 19;
const kCurveHeight = 260;
/** Wider ranges are shown on a logarithmic scale. */
const kWidest = 8;
const { document } = parseHTML('<!doctype html><html><body></body></html>');

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const color = (nth) => `var(--hg-plot-${nth + 1})`;
const unique = (list) => [...new Set(list)];

/** What a point's tooltip says; the tests read it. */
export const pointText = ({ row, series, document, value }) =>
  `${row} · ${series}${document ? ', in the document' : ''} · ${value}`;

export function figureOf(plot) {
  const series = unique(plot.points.map((point) => point.series));
  const svgs = Object.entries(kWidths).map(([name, width]) => drawing(plot, series, name, width));
  const { title, axis } = plot;
  return `<figure v-pre class="hg-plot" data-axis="${escaped(axis)}"${plot.happens === undefined ? '' : ' data-curve'}><figcaption><b>${escaped(title)}</b>: ${escaped(axis)}${legend(plot, series)}</figcaption>${svgs.join('')}</figure>`;
}

function legend({ points }, series) {
  const key = (nth, hollow) =>
    `<svg class="hg-plot__key" viewBox="-7 -7 14 14" width="14" height="14" aria-hidden="true"><path d="${symbol(kShapesDrawn[nth], 60)()}" fill="${hollow ? 'none' : color(nth)}" stroke="${color(nth)}" stroke-width="1.5"></path></svg>`;
  const items = series.map((name, nth) => `<span>${key(nth, false)}${escaped(name)}</span>`);
  if (points.some((point) => point.document)) items.push(`<span>${key(0, true)}hollow: in the document</span>`);
  return items.length < 2 ? '' : `<span class="hg-plot__legend">${items.join('')}</span>`;
}

/** In words: where each series begins and ends. All figures are in the table. */
function inWords({ title, axis, points }, series) {
  const parts = series.map((name) => {
    const own = points.filter((point) => point.series === name && !point.document).sort((a, b) => a.value - b.value);
    const [least, most] = [own[0], own.at(-1)];
    if (least === undefined || most === undefined) return `${name}: none`;
    return `${name} from ${least.value} (${least.row}) to ${most.value} (${most.row})`;
  });
  return `Plot. ${title}: ${axis}. ${parts.join('; ')}. The table below has every figure.`;
}

function drawing(plot, series, name, width) {
  const svg = plot.happens === undefined ? dotsOf(plot, series, name, width) : curveOf(plot, series, name, width);
  for (const style of svg.querySelectorAll('style')) style.remove(); // the site's style sheet has it
  for (const group of svg.querySelectorAll('g')) group.removeAttribute('aria-label'); // a group has no role that takes one
  svg.setAttribute('class', `hg-plot__${name}`);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', inWords(plot, series));
  return rounded(svg.outerHTML);
}

function curveOf({ points, happens }, series, name, width) {
  const of = (nth) => points.filter((point) => point.series === series[nth]);
  // On a phone neighbours would overlap.
  const lines = name === 'wide' ? [happens] : [0, 1].map((line) => happens.filter((_, nth) => nth % 2 === line));
  return Plot.plot({
    document,
    width,
    height: kCurveHeight,
    marginLeft: 40,
    marginRight: 16,
    marginTop: lines.length * 14 + 6,
    marginBottom: 34,
    x: { grid: false, label: null, ticks: name === 'wide' ? 9 : 4, tickSize: 0 },
    y: { zero: true, nice: true, grid: true, label: null, ticks: 5, tickSize: 0 },
    marks: [
      Plot.ruleX(happens, { x: 'at', stroke: 'currentColor', strokeOpacity: 0.4, strokeDasharray: '3 3' }),
      ...lines.map((words, line) =>
        Plot.text(words, { x: 'at', text: 'words', frameAnchor: 'top', dy: -14 * (line + 1) }),
      ),
      ...series.flatMap((_, nth) => [
        Plot.line(of(nth), { x: 'at', y: 'value', stroke: color(nth), strokeWidth: 1.5 }),
        Plot.dot(of(nth), {
          x: 'at',
          y: 'value',
          symbol: kShapes[nth],
          r: name === 'wide' ? 3 : 2.5,
          stroke: color(nth),
          fill: color(nth),
          title: pointText,
        }),
      ]),
    ],
  });
}

function dotsOf(plot, series, name, width) {
  const { points, one } = plot;
  const rows = unique(points.map(({ row }) => row));
  const values = points.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const logarithmic = least > 0 && most / least > kWidest;
  const longest = Math.max(...rows.map((row) => row.length));
  const marginLeft = Math.min(name === 'wide' ? 300 : 150, 14 + 6.5 * longest);
  const shown = (row) => shortened(row, Math.floor((marginLeft - 12) / 6.6));
  const dots = (nth, document) =>
    Plot.dot(
      points.filter((point) => point.series === series[nth] && point.document === document),
      {
        x: 'value',
        y: 'row',
        symbol: kShapes[nth],
        r: name === 'wide' ? 4 : 3.5,
        stroke: color(nth),
        fill: document ? 'none' : color(nth),
        strokeWidth: 1.5,
        title: pointText,
      },
    );
  return Plot.plot({
    document,
    width,
    height: rows.length * kRowHeight + 44,
    marginLeft,
    marginRight: 16,
    marginTop: 4,
    marginBottom: 34,
    x: {
      type: logarithmic ? 'log' : 'linear',
      zero: !logarithmic && one === undefined, // a ratio is read from 1
      nice: true,
      grid: true,
      label: null,
      ticks: name === 'wide' ? 7 : 4,
      tickSize: 0,
      tickFormat: logarithmic ? ',~g' : undefined,
    },
    y: { type: 'point', domain: rows, label: null, tickFormat: shown, tickSize: 0, padding: 0.5 },
    marks: [
      Plot.ruleY(rows, { stroke: 'currentColor', strokeOpacity: 0.12 }),
      ...(one === undefined ? [] : [Plot.ruleX([one], { stroke: 'currentColor', strokeOpacity: 0.6 })]),
      ...series.flatMap((_, nth) => [dots(nth, false), dots(nth, true)]),
    ],
  });
}

/** Places to a tenth of a pixel: half the bytes. */
const rounded = (svg) =>
  svg.replaceAll(/ (?:transform|d|c?[xy][12]?)="[^"]*"/g, (attribute) =>
    attribute.replaceAll(/\d+\.\d{2,}/g, (figure) => String(Math.round(10 * figure) / 10)),
  );

const shortened = (text, most) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);
