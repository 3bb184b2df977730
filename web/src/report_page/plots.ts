// The plots of a report's page, by Observable Plot: each a function from the report and a width to an element.
// Colours are the sheet's, so that light and dark need no script.

import * as Plot from '@observablehq/plot';
import { formatBytes, formatCount } from '../base/format.ts';
import type { Bucket, Report, Sample } from '../report/report_types.ts';

const kWideEnough = 640; // pixels; below it fewer ticks

type Draw = (report: Report, width: number) => Element | undefined;

export const kPlots: Readonly<Record<string, Draw>> = { memory, sizes, lifetimes, fragmentation };

const common = (width: number) => ({
  width,
  marginLeft: 64,
  marginRight: 12,
  marginBottom: 40,
  style: { background: 'transparent', fontSize: 'var(--hg-text-2)', overflow: 'visible' },
});

const eventAxis = (width: number): Plot.ScaleOptions => ({
  label: 'event',
  labelOffset: 38,
  tickFormat: (value: number) => short(value),
  ticks: width < kWideEnough ? 4 : 8,
});

const byteTicks = (most: number): number[] => {
  const step = 2 ** Math.ceil(Math.log2(Math.max(1, most) / 5));
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
};

const kOfTheHeap: readonly (readonly [string, string])[] = [
  ['in-use', 'In use, with headers and rounding'],
  ['cached', 'Cached by malloc for reuse'],
  ['footprint', "The heaps' footprint"],
];

function memory({ timeline, marks, peak, trace }: Report, width: number): Element | undefined {
  if (timeline.length === 0) return undefined;
  const onlyBlocks = trace.word_bytes === 0; // of a foreign heap
  const most = onlyBlocks ? peak.live.bytes : peak.footprint.bytes;
  const line = (y: keyof Sample, stroke: string) =>
    Plot.lineY(timeline, { x: 'event', y, stroke: `var(--${stroke})`, strokeWidth: 1.5, curve: 'step-before' });
  const figure = Plot.plot({
    ...common(width),
    height: 300,
    x: eventAxis(width),
    y: {
      label: null,
      grid: true,
      tickFormat: formatBytes,
      ticks: byteTicks(most),
      domain: [0, Math.max(1, most)],
    },
    marks: [
      Plot.areaY(timeline, {
        x: 'event',
        y: 'live_peak_bytes',
        fill: 'var(--live)',
        fillOpacity: 0.2,
        curve: 'step-before',
      }),
      Plot.areaY(timeline, {
        x: 'event',
        y1: 'in_use_bytes',
        y2: ({ in_use_bytes, cached_bytes }: Sample) => in_use_bytes + cached_bytes,
        fill: 'var(--in-use)',
        fillOpacity: 0.15,
        curve: 'step-before',
      }),
      Plot.ruleX(marks.list, { x: 'event', stroke: 'var(--other)', strokeDasharray: '2,3', title: 'name' }),
      ...(onlyBlocks ? [] : [line('footprint_bytes', 'footprint'), line('in_use_peak_bytes', 'in-use')]),
      line('live_peak_bytes', 'live'),
      Plot.dot([peak.live], { x: 'event', y: 'bytes', r: 4, fill: 'var(--live)', stroke: 'var(--ground)' }),
      Plot.ruleY([0]),
    ],
  });
  const rows: readonly (readonly [string, string])[] = [
    ['live', 'Live, as asked for'],
    ...(onlyBlocks ? [] : kOfTheHeap),
    ...(marks.list.length > 0 ? [['other', 'Marks'] as const] : []),
  ];
  return withLegend(figure, rows);
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
    x: { label: null, tickFormat: written, ticks, type: 'band', padding: 0.12 },
    y: { label: null, grid: true, ticks: 5, tickFormat: short },
    marks: [
      Plot.barY(buckets, {
        x: 'from',
        y: 'allocations',
        fill: 'var(--live)',
        title: ({ from, to, allocations, bytes }: Bucket) =>
          `${written(from)} to ${written(to)}: ${formatCount(allocations)} ${label}, ${formatBytes(bytes)}`,
      }),
      Plot.ruleY([0]),
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
      tickFormat: (value: number) => `${value} %`,
    },
    marks: [
      Plot.lineY(timeline, { x: 'event', y: 'fragmentation', stroke: 'var(--other)', curve: 'step-before' }),
      Plot.ruleY([0]),
    ],
  });
}

function withLegend(figure: Element, rows: readonly (readonly [colour: string, text: string])[]): Element {
  const list = document.createElement('ul');
  list.className = 'legend';
  for (const [colour, text] of rows) {
    const item = document.createElement('li');
    const patch = document.createElement('i');
    patch.style.background = `var(--${colour})`;
    item.append(patch, text);
    list.append(item);
  }
  const both = document.createElement('div');
  both.append(list, figure);
  return both;
}

/** 1.2M: what fits below a tick. */
const short = (value: number): string =>
  Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }).format(value);
