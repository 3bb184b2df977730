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
//       The mean size of a site's allocations varies with size / sqrt(count), as every mean does; so a site whose blocks have become
//       larger is found even where their number differs from run to run.
//   noise.N3  Without repeats every difference is a change. Programs of one thread with one input allocate the same each time, so
//       that is often right.

import type { Aligned, Values } from './align.ts';
import { type Change, type ComparedName, kComparedNames } from './diff_types.ts';

const kUsual = 0.95;

export class Noise {
  readonly known: boolean;
  readonly #usual: Readonly<Record<ComparedName, number>>;

  constructor(sites: readonly Aligned[], runsA: number, runsB: number) {
    this.known = runsA > 1 || runsB > 1;
    this.#usual = Object.fromEntries(
      kComparedNames.map((metric) => [
        metric,
        quantile(
          sites.flatMap((site) => [scaledRange(site.a, metric), scaledRange(site.b, metric)]).filter(Number.isFinite),
          kUsual,
        ),
      ]),
    ) as Record<ComparedName, number>;
  }

  /** N1 and N3; undefined when it did not change. */
  changeOf(metric: ComparedName, a: Values, b: Values): Change | undefined {
    const x = runsOf(a, metric);
    const y = runsOf(b, metric);
    if (x.length === 0 || y.length === 0) return undefined;
    const scale = Math.max(scaleOf(a, metric), scaleOf(b, metric));
    const noise = Math.max(range(x), range(y), this.#usual[metric] * scale);
    const gap = Math.max(Math.min(...y) - Math.max(...x), Math.min(...x) - Math.max(...y));
    if (gap <= 0 || gap <= noise) return undefined;
    const from = Math.round(median(x));
    const to = Math.round(median(y));
    if (from === to) return undefined; // sizes that differ by parts of a byte
    const unit = metric.endsWith('_bytes') ? 'bytes' : 'blocks';
    return { metric, unit, a: from, b: to, change: to - from, noise: Math.ceil(noise) };
  }
}

/** One value a run; of a size only runs that have one. */
const runsOf = (values: Values, metric: ComparedName): readonly number[] =>
  metric === 'block_bytes'
    ? values.allocated_bytes.map((bytes, run) => bytes / (values.allocations[run] ?? 0)).filter(Number.isFinite)
    : values[metric];

/** Of a size: itself by the root of the count. Else the root of the value and, for bytes, of a block's size. */
function scaleOf(values: Values, metric: ComparedName): number {
  const bytes = mean(values.allocated_bytes);
  if (metric === 'block_bytes') return bytes / Math.max(1, mean(values.allocations)) ** 1.5;
  const block = metric.endsWith('_bytes') ? bytes / Math.max(1, mean(values.allocations)) : 1;
  return Math.sqrt(mean(values[metric]) * block);
}

/** Not a number for a site that has nothing to range over. */
function scaledRange(values: Values, metric: ComparedName): number {
  const scale = scaleOf(values, metric);
  const runs = runsOf(values, metric);
  return runs.length < 2 || scale === 0 ? Number.NaN : range(runs) / scale;
}

const range = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The middle one, the lower of two. */
const median = (values: readonly number[]): number =>
  [...values].sort((x, y) => x - y)[Math.floor((values.length - 1) / 2)] ?? 0;

/** 0 of an empty list. pre: share is below 1 */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((x, y) => x - y);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}
