// The pictures of a replay's page, read back from their SVG: each sample where it belongs, each range inside the picture.

import { expect, test } from 'vitest';
import type { Block } from '../../web/src/document/document.ts';
import { footprintCurves, timeRanges } from '../../web/src/replay/replay_curves.ts';
import type { ReplayReport } from '../../web/src/replay/replay_types.ts';

const [kLeft, kRight, kTop, kBottom] = [72, 948, 10, 284]; // of the footprints' plot
const times = (ratio: number, least_ratio: number, most_ratio: number) => ({ ratio, least_ratio, most_ratio });
const allocator = (name: string, footprint_bytes: readonly number[], time: object | null) => ({
  name,
  absent: null,
  failed: null,
  time,
  footprint_bytes,
  peak_footprint_bytes: Math.max(...footprint_bytes),
});
const report = {
  program: { operations: 400 },
  samples: [
    { operations: 100, live_bytes: 1000 },
    { operations: 400, live_bytes: 3000 },
  ],
  allocators: [
    allocator('fast', [2000, 4000], times(0.5, 0.4, 3)),
    allocator('dlmalloc', [4000, 8000], times(1, 1, 1)),
    allocator('small', [2000, 2000], null),
  ],
  measured: { compared_with: 'dlmalloc' },
} as unknown as ReplayReport;

function svgOf(block: Block): string {
  if (block.is !== 'plot') throw new Error(block.is);
  return block.svg ?? '';
}

/** The corners of a path of steps, as [x, y]. */
function cornersOf(svg: string, name: string): number[][] {
  const [, path = ''] = new RegExp(`d="([^"]*)"[^>]*--curve-${name}\\)`).exec(svg) ?? [];
  return path
    .split(/[ML]/)
    .filter(Boolean)
    .map((place) => place.split(',').map(Number));
}

test('a footprint steps up where its sample was taken, from nothing to the end of the program', () => {
  const svg = svgOf(footprintCurves(report));
  const quarter = kLeft + (kRight - kLeft) / 4;
  const high = (bytes: number) => kBottom - ((kBottom - kTop) * bytes) / 8000;
  const steps = (first: number, last: number) => [
    [kLeft, kBottom],
    [quarter, kBottom],
    [quarter, high(first)],
    [kRight, high(first)],
    [kRight, high(last)],
  ];
  const curve = (name: string) => cornersOf(svg, name).map((corner) => corner.map(Math.round));
  const rounded = (corners: number[][]) => corners.map((corner) => corner.map(Math.round));
  expect(curve('live')).toEqual(rounded(steps(1000, 3000)));
  expect(curve('fast')).toEqual(rounded(steps(2000, 4000)));
  expect(curve('dlmalloc')).toEqual(rounded(steps(4000, 8000)));
  expect(svg.match(/<path /g)).toHaveLength(4);
});

test('the scale has the peak in it, in steps of powers of two', () => {
  const labels = [...svgOf(footprintCurves(report)).matchAll(/text-anchor="end">([^<]*)</g)].map(([, text]) => text);
  expect(labels).toEqual(['0\u202fB', '2\u202fKiB', '4\u202fKiB', '6\u202fKiB', 'operations']);
});

test('a time is a dot on the line of its range, all of it inside; an allocator without times has none', () => {
  const svg = svgOf(timeRanges(report));
  const [from, to] = [kLeft + 20, kRight];
  const x = (ratio: number) => (from + ((to - from) * ratio) / 3).toFixed(1); // 3: the greatest ratio of all rounds
  const lines = [...svg.matchAll(/<line x1="([\d.]+)" x2="([\d.]+)" y1="([\d.]+)"/g)].map(([, ...places]) => places);
  const dots = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, ...places]) => places);
  expect(lines).toEqual([
    [x(0.4), x(3), '24'],
    [x(1), x(1), '52'],
  ]);
  expect(dots).toEqual([
    [x(0.5), '24'],
    [x(1), '52'],
  ]);
  expect(svg).toContain('times dlmalloc');
  expect(svg).not.toContain('small');
});

test('labels beside a picture end before it begins, each at its own height', () => {
  const placesOf = (svg: string) =>
    [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)" text-anchor="end">([^<]*)</g)]
      .map(([, x, y, text]) => ({ x: Number(x), y: Number(y), text }))
      .slice(0, -1); // the last one names the other axis
  const footprints = svgOf(footprintCurves(report));
  const grid = [...footprints.matchAll(/class="grid" x1="([\d.]+)" x2="[\d.]+" y1="([\d.]+)"/g)];
  const scale = placesOf(footprints);
  expect(scale.map(({ y }) => Math.round(y - 4))).toEqual(grid.map(([, , y]) => Math.round(Number(y))));
  expect(grid.map(([, x]) => Number(x))).toEqual(scale.map(() => kLeft));
  const names = placesOf(svgOf(timeRanges(report)));
  expect(names.map(({ text, y }) => [text, y])).toEqual([
    ['fast', 28],
    ['dlmalloc', 56],
  ]);
  for (const { x, text } of scale) expect(x, text).toBeLessThan(kLeft);
  for (const { x, text } of names) expect(x, text).toBeLessThan(kLeft + 20);
  for (const { x, text } of [...scale, ...names]) expect(x, text).toBeGreaterThan(50); // it has space before it
});
