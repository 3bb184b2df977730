// The pictures of a replay's page, as SVG text: footprints of all allocators on one clock, and times with their ranges.
//
// Not by Observable Plot, which draws a report's page: Plot needs a browser's document. So the page would need its script (a report's has
// 279 KB, this whole page 75 KB), or the command line a document of its own. This page runs nothing.

import { scaleLinear } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import { formatBytes } from '../base/format.ts';
import type { Block, Line } from '../document/document.ts';
import { type AllocatorName, presentOf, type ReplayReport } from './replay_types.ts';

const kWidth = 960;
const kHeight = 320;
const kLeft = 72;
const kRight = 12;
const kTop = 10;
const kBottom = 36;
const kRow = 28;

interface Colour {
  readonly light: string;
  readonly dark: string;
}

const kColours: Readonly<Record<AllocatorName | 'live', Colour>> = {
  live: { light: '#6b7685', dark: '#8c97a6' },
  fast: { light: '#1f6feb', dark: '#58a6ff' },
  small: { light: '#0e8a6a', dark: '#4fd1a5' },
  hardened: { light: '#8250df', dark: '#bc8cff' },
  'row-d': { light: '#9a6b00', dark: '#e0b040' },
  dlmalloc: { light: '#b3261e', dark: '#ff8a80' },
  emmalloc: { light: '#c2410c', dark: '#f0a04b' },
  mimalloc: { light: '#a3178f', dark: '#f48fe4' },
};

/** The legend: live bytes, and each allocator. */
const linesOf = (report: ReplayReport): Line[] =>
  (['live', ...presentOf(report).map(({ name }) => name)] as const).map((name) => ({ name, ...kColours[name] }));

export function footprintCurves(report: ReplayReport): Block {
  const { samples } = report;
  const shown = presentOf(report);
  const most = Math.max(1, ...shown.map(({ peak_footprint_bytes }) => peak_footprint_bytes));
  const x = scaleLinear([0, report.program.operations], [kLeft, kWidth - kRight]);
  const y = scaleLinear([0, most], [kHeight - kBottom, kTop]);
  const path = (name: string, bytes: readonly number[]) => {
    const points = bytes.map((value, nth): [number, number] => [x(samples[nth]?.operations ?? 0), y(value)]);
    const drawn = line().curve(curveStepAfter).digits(1)([[x(0), y(0)], ...points]) ?? '';
    return `<path d="${drawn}" fill="none" stroke="var(--curve-${name})" stroke-width="1.6"><title>${name}</title></path>`;
  };
  const step = 2 ** Math.ceil(Math.log2(most / 5));
  const ticks = Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
  const parts = [
    ...ticks.map((value) => across(y(value)) + text(kLeft - 8, y(value) + 4, 'end', formatBytes(value))),
    ...x.ticks(8).map((value) => text(x(value), kHeight - kBottom + 18, 'middle', short(value))),
    text(kWidth - kRight, kHeight - 2, 'end', 'operations'),
    path(
      'live',
      report.samples.map(({ live_bytes }) => live_bytes),
    ),
    ...shown.map(({ name, footprint_bytes }) => path(name, footprint_bytes)),
  ];
  const label = 'Live bytes and the footprint of each allocator, by operation';
  return { is: 'plot', name: 'footprint', label, note: '', svg: svg(kHeight, label, parts), legend: linesOf(report) };
}

export function timeRanges(report: ReplayReport): Block {
  const shown = presentOf(report).flatMap(({ name, time }) => (time === null ? [] : [{ name, time }]));
  const height = kTop + shown.length * kRow + kBottom;
  const most = Math.max(1.1, ...shown.map(({ time }) => time.most_ratio));
  const x = scaleLinear([0, most], [kLeft + 20, kWidth - kRight]);
  const rows = shown.map(({ name, time }, nth) => {
    const at = kTop + (nth + 0.5) * kRow;
    const colour = `var(--curve-${name})`;
    const range = `<line x1="${x(time.least_ratio).toFixed(1)}" x2="${x(time.most_ratio).toFixed(1)}" y1="${at}" y2="${at}" stroke="${colour}" stroke-width="2"/>`;
    const dot = `<circle cx="${x(time.ratio).toFixed(1)}" cy="${at}" r="5" fill="${colour}"><title>${name}: ${time.ratio.toFixed(2)}</title></circle>`;
    return text(kLeft + 8, at + 4, 'end', name) + range + dot;
  });
  const bottom = height - kBottom;
  const ticks = x.ticks(8).map((value) => {
    const at = x(value).toFixed(1);
    return `<line class="grid" x1="${at}" x2="${at}" y1="${kTop}" y2="${bottom}"/>${text(x(value), bottom + 18, 'middle', String(value))}`;
  });
  const axis = text(kWidth - kRight, height - 2, 'end', `times ${report.measured.compared_with}`);
  const label = 'Time of each allocator as a ratio, with its range';
  const note = 'Dot: the median of the ratios; line: the range of all rounds.';
  return { is: 'plot', name: 'time', label, note, svg: svg(height, label, [...ticks, ...rows, axis]) };
}

const svg = (height: number, name: string, parts: readonly string[]): string =>
  `<svg viewBox="0 0 ${kWidth} ${height}" role="img" aria-label="${name}">${parts.join('')}</svg>`;
const across = (y: number): string =>
  `<line class="grid" x1="${kLeft}" x2="${kWidth - kRight}" y1="${y.toFixed(1)}" y2="${y.toFixed(1)}"/>`;
const text = (x: number, y: number, anchor: string, words: string): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${words}</text>`;
const short = (value: number): string =>
  Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }).format(value);
