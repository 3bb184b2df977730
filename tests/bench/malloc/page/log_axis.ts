// Log scales and their ticks, for all pictures of the page.

import { type ScaleLogarithmic, scaleLog } from 'd3-scale';

export type LogScale = ScaleLogarithmic<number, number>;

/** A scale over the values, with a little room on both sides; `always` are values it has to show. */
export function logScale(
  values: readonly number[],
  range: readonly [number, number],
  always: readonly number[] = [],
): LogScale {
  const all = [...values, ...always];
  const least = all.length === 0 ? 0.5 : Math.min(...all);
  const most = all.length === 0 ? 2 : Math.max(...all);
  const room = Math.max((most / least) ** 0.04, 1.08);
  return scaleLog([least / room, most * room], range);
}

/** Multiples of the powers of ten inside the scale: as many as stand apart, decades last to go. */
export function logTicks(scale: LogScale, gapPx: number): number[] {
  const [least = 1, most = 1] = scale.domain();
  const decades: number[] = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); ++power) decades.push(power);
  const inside = (multiples: readonly number[]): number[] =>
    decades
      .flatMap((power) => multiples.map((multiple) => Number((multiple * 10 ** power).toPrecision(1))))
      .filter((tick) => tick >= least && tick <= most);
  const sparse = inside([1]);
  const tries = [
    inside([1, 2, 3, 4, 5, 6, 7, 8, 9]),
    inside([1, 2, 5]),
    inside([1, 3]),
    sparse,
    sparse.filter((tick) => Math.log10(tick) % 2 === 0),
  ];
  const fits = (ticks: readonly number[]): boolean =>
    ticks.every((tick, at) => at === 0 || Math.abs(scale(tick) - scale(ticks[at - 1] ?? tick)) >= gapPx);
  return tries.find((ticks) => ticks.length > 1 && fits(ticks)) ?? sparse;
}

export const tickText = (tick: number): string => (tick >= 1000 ? `${tick / 1000}k` : String(tick));
