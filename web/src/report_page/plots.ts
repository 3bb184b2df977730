// The plots of a report's page, by Observable Plot: each a function from the report and a width to an element.
// Colours are the sheet's, so that light and dark need no script.

import * as Plot from '@observablehq/plot';
import { byteTicks, cut, kStripe, shortCount } from '../base/charts.ts';
import { formatBytes, formatCount } from '../base/format.ts';
import type { Bucket, Report, Sample } from '../report/report_types.ts';

const kWideEnough = 640; // pixels; below it fewer ticks

type Draw = (report: Report, width: number) => Element | undefined;

export const kPlots: Readonly<Record<string, Draw>> = { memory, sizes, lifetimes, fragmentation };

const kHeight = 300;
const kMargin = { marginLeft: 64, marginRight: 12 };

const common = (width: number) => ({
  width,
  ...kMargin,
  marginBottom: 40,
  style: { background: 'transparent', fontSize: 'var(--hg-text-1)', overflow: 'visible' },
});

const eventAxis = (width: number): Plot.ScaleOptions => ({
  label: 'event',
  labelOffset: 38,
  tickSize: 0,
  tickPadding: 7,
  tickFormat: shortCount,
  ticks: width < kWideEnough ? 4 : 8,
});

/** What the time line of the glass shows, in the same fills; and the bytes that were asked for, as a line. */
function memory({ timeline, marks, peak, trace }: Report, width: number): Element | undefined {
  if (timeline.length === 0) return undefined;
  const onlyBlocks = trace.word_bytes === 0; // of a foreign heap
  const most = onlyBlocks ? peak.live.bytes : peak.footprint.bytes;
  const held = timeline.some(({ cached_bytes }) => cached_bytes > 0);
  const area = (y: keyof Sample | ((sample: Sample) => number), fill: string) =>
    Plot.areaY(timeline, { x: 'event', y, fill, curve: 'step-before' });
  const ofTheHeap = [
    area('footprint_bytes', 'var(--hg-chart-footprint)'),
    ...(held ? [area(occupied, 'url(#cached)')] : []),
    area('in_use_peak_bytes', 'var(--hg-chart-in-use)'),
  ];
  const figure = Plot.plot({
    ...common(width),
    height: kHeight,
    x: eventAxis(width),
    y: {
      label: null,
      grid: true,
      tickSize: 0,
      tickFormat: formatBytes,
      ticks: byteTicks(most, 5),
      domain: [0, Math.max(1, most)],
    },
    marks: [
      stripes,
      ...(onlyBlocks ? [area('live_peak_bytes', 'var(--hg-chart-in-use)')] : ofTheHeap),
      Plot.ruleX(marks.list, { x: 'event', stroke: 'var(--hg-chart-mark)', strokeDasharray: '2,3', title: 'name' }),
      Plot.text(namedMarks(marks.list, trace.events, width), {
        className: 'mark-names',
        x: 'event',
        text: 'name',
        frameAnchor: 'top',
        textAnchor: 'start',
        dx: 4,
        dy: -14,
        fill: 'var(--quiet)',
      }),
      Plot.lineY(timeline, {
        x: 'event',
        y: 'live_peak_bytes',
        stroke: 'var(--text)',
        strokeWidth: 1.25,
        curve: 'step-before',
      }),
      Plot.dot([peak.live], { x: 'event', y: 'bytes', r: 3.5, fill: 'var(--text)', stroke: 'var(--ground)' }),
    ],
  });
  return withLegend(figure, [
    ['line', 'Live, as asked for'],
    ...(onlyBlocks ? [] : kOfTheHeap.filter(([name]) => held || name !== 'cached')),
    ...(marks.list.length > 0 ? [['mark', 'Marks'] as const] : []),
  ]);
}

/** What the program uses and what malloc caches; a peak between two samples stands out of it. */
const occupied = ({ in_use_bytes, in_use_peak_bytes, cached_bytes }: Sample): number =>
  Math.max(in_use_peak_bytes, in_use_bytes + cached_bytes);

const kOfTheHeap: readonly (readonly [string, string])[] = [
  ['in-use', 'In use, with headers and rounding'],
  ['cached', 'Cached by malloc for reuse'],
  ['footprint', "The heaps' footprint"],
];

/** The stripes of what malloc caches, as the glass draws them. */
const stripes: Plot.Markish = () => {
  const make = (name: string, attributes: object, ...children: readonly Element[]) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    element.append(...children);
    return element as SVGElement;
  };
  const ground = make('rect', { ...kStripe.ground, fill: 'var(--hg-cached)' });
  const stripe = make('rect', { ...kStripe.stripe, fill: 'var(--hg-cached-stripe)' });
  return make('defs', {}, make('pattern', { id: 'cached', ...kStripe.pattern }, ground, stripe));
};

/** Marks whose names have room before the next one, cut where it must be. */
function namedMarks(list: Report['marks']['list'], events: number, width: number) {
  const perEvent = (width - kMargin.marginLeft - kMargin.marginRight) / Math.max(1, events);
  return list.flatMap(({ event, name }, nth) => {
    const label = cut(name, ((list[nth + 1]?.event ?? events) - event) * perEvent - 8);
    return label === '' ? [] : [{ event, name: label }];
  });
}

function sizes({ sizes: { histogram } }: Report, width: number): Element | undefined {
  return bars(histogram, width, formatBytes, 'allocations');
}

function lifetimes({ lifetimes: { by_allocations } }: Report, width: number): Element | undefined {
  return bars(by_allocations, width, short, 'blocks freed');
}

function bars(
  buckets: readonly Bucket[],
  width: number,
  written: (value: number) => string,
  label: string,
): Element | undefined {
  if (buckets.length === 0) return undefined;
  const every = Math.ceil((buckets.length * 62) / width); // room for a label
  const ticks = buckets.filter((_, i) => i % every === 0).map(({ from }) => from);
  return Plot.plot({
    ...common(width),
    height: 220,
    x: { label: null, tickFormat: written, ticks, tickSize: 0, type: 'band', padding: 0.12 },
    y: { label: null, grid: true, ticks: 5, tickSize: 0, tickFormat: short },
    marks: [
      Plot.barY(buckets, {
        x: 'from',
        y: 'allocations',
        fill: 'var(--hg-chart-in-use)',
        title: ({ from, to, allocations, bytes }: Bucket) =>
          `${written(from)} to ${written(to)}: ${formatCount(allocations)} ${label}, ${formatBytes(bytes)}`,
      }),
    ],
  });
}

function fragmentation({ timeline }: Report, width: number): Element | undefined {
  if (timeline.length === 0) return undefined;
  return Plot.plot({
    ...common(width),
    height: 180,
    x: eventAxis(width),
    y: {
      label: null,
      grid: true,
      percent: true,
      domain: [0, 100],
      ticks: 5,
      tickSize: 0,
      tickFormat: (value: number) => `${value} %`,
    },
    marks: [
      Plot.lineY(timeline, { x: 'event', y: 'fragmentation', stroke: 'var(--hg-series4)', curve: 'step-before' }),
    ],
  });
}

function withLegend(figure: Element, rows: readonly (readonly [key: string, text: string])[]): Element {
  const list = document.createElement('ul');
  list.className = 'legend';
  for (const [key, text] of rows) {
    const item = document.createElement('li');
    const patch = document.createElement('i');
    patch.className = `key-${key}`;
    item.append(patch, text);
    list.append(item);
  }
  const both = document.createElement('div');
  both.append(list, figure);
  return both;
}

/** 1.2M: what fits below a tick. */
const short = (value: number): string =>
  Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }).format(value).replace('K', 'k');
