// When a difference is a change: only beyond what runs of one build differ by among themselves.
//
//   a  ──x─x───x──────────────────          values of the runs of a, then of b
//   b  ─────────────────x──x──x───
//             |◀─ gap ─▶|
//
//   noise.N1  With repeats, a value grew when the gap between the greatest of a and the least of b is wider than the noise. The noise is
//       the widest of: the range of a's runs, the range of b's, and what sites of this size usually range over.
//   noise.N2  The usual range grows with the root of a count, as counts of random events do (Anscombe 1948): range / sqrt(value * block)
//       is taken of all sites, and its 95th percentile is used for each. It is what keeps a site that repeats happened to agree on
//       from being reported. Ranges of repeats, not one run, decide, as Kalibera and Jones 2013 ask.
//   noise.N3  Without repeats every difference is a change. Programs of one thread with one input allocate the same each time, so
//       that is often right.

import type { Aligned, Values } from './align.ts';
import { type Change, kMetricNames, type MetricName } from './diff_types.ts';

const kUsual = 0.95;

export class Noise {
  readonly known: boolean;
  readonly #usual: Readonly<Record<MetricName, number>>;

  constructor(sites: readonly Aligned[], runsA: number, runsB: number) {
    this.known = runsA > 1 || runsB > 1;
    this.#usual = Object.fromEntries(
      kMetricNames.map((metric) => [
        metric,
        quantile(
          sites.flatMap((site) => [scaledRange(site.a, metric), scaledRange(site.b, metric)]).filter(Number.isFinite),
          kUsual,
        ),
      ]),
    ) as Record<MetricName, number>;
  }

  /** N1 and N3; undefined when it did not change. */
  changeOf(metric: MetricName, a: Values, b: Values): Change | undefined {
    const x = a[metric];
    const y = b[metric];
    const scale = Math.max(scaleOf(a, metric), scaleOf(b, metric));
    const noise = Math.max(range(x), range(y), this.#usual[metric] * scale);
    const gap = Math.max(Math.min(...y) - Math.max(...x), Math.min(...x) - Math.max(...y));
    if (gap <= 0 || gap <= noise) return undefined;
    const from = median(x);
    const to = median(y);
    const unit = metric.endsWith('_bytes') ? 'bytes' : 'blocks';
    return { metric, unit, a: from, b: to, change: to - from, noise: Math.ceil(noise) };
  }
}

/** Root of the value and, for bytes, of a block's size. */
function scaleOf(values: Values, metric: MetricName): number {
  const bytes = mean(values.allocated_bytes);
  const block = metric.endsWith('_bytes') ? bytes / Math.max(1, mean(values.allocations)) : 1;
  return Math.sqrt(mean(values[metric]) * block);
}

/** Not a number for a site that has nothing to range over. */
function scaledRange(values: Values, metric: MetricName): number {
  const scale = scaleOf(values, metric);
  return values[metric].length < 2 || scale === 0 ? Number.NaN : range(values[metric]) / scale;
}

const range = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The middle one, the lower of two. */
const median = (values: readonly number[]): number =>
  [...values].sort((x, y) => x - y)[Math.floor((values.length - 1) / 2)] ?? 0;

/** 0 of an empty list. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((x, y) => x - y);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
