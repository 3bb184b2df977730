// The distribution of an allocator's ratios to dlmalloc over the seeds, and the tables that show it.

import { percentile } from '../../harness/measure.mjs';
import { fixed, printTable } from '../../harness/report.mjs';
import { kReference } from '../allocators.mjs';
import { geometricMean } from '../table.mjs';

/** @typedef {{ seed: number, allocator: string, ms?: number, bytes: number, live: number, timeRatio?: number,
 *   memoryRatio?: number }} Row */

/** Ratios to the reference's figure of the same seed. */
export function withRatios(rows) {
  const reference = new Map(rows.filter(({ allocator }) => allocator === kReference).map((row) => [row.seed, row]));
  return rows.map((row) => {
    const against = reference.get(row.seed);
    return { ...row, timeRatio: row.ms / against?.ms, memoryRatio: row.bytes / against?.bytes };
  });
}

/** Geometric mean, median, p90, and the best and worst with their seeds. */
export function distribution(rows, ratioOf) {
  const some = rows.filter((row) => Number.isFinite(ratioOf(row)));
  if (some.length === 0) return undefined;
  const ratios = some.map(ratioOf);
  const sorted = [...some].sort((left, right) => ratioOf(left) - ratioOf(right));
  const [best, worst] = [sorted[0], sorted[sorted.length - 1]];
  return {
    seeds: some.length,
    mean: geometricMean(ratios),
    median: percentile(ratios, 0.5),
    p90: percentile(ratios, 0.9),
    best: { ratio: ratioOf(best), seed: best.seed },
    worst: { ratio: ratioOf(worst), seed: worst.seed },
  };
}

const kRatios = [
  ['timeRatio', 'time'],
  ['memoryRatio', 'exact memory'],
];

/** @param {Row[]} rows with ratios */
export function summarize(rows, allocators) {
  return kRatios.flatMap(([key, what]) =>
    allocators.flatMap((allocator) => {
      const own = rows.filter((row) => row.allocator === allocator);
      const summary = distribution(own, (row) => row[key]);
      return summary === undefined ? [] : [{ what, allocator, ...summary }];
    }),
  );
}

export function printSummary(summary) {
  const extreme = ({ ratio, seed }) => `${fixed(ratio, 3)} (${seed})`;
  for (const [, what] of kRatios) {
    const some = summary.filter((one) => one.what === what);
    if (some.length === 0) continue;
    printTable(
      `${what}, ratio to ${kReference} (less is better)`,
      ['allocator', 'seeds', 'geometric mean', 'median', 'p90', 'best (seed)', 'worst (seed)'],
      some.map((one) => [
        one.allocator,
        one.seeds,
        fixed(one.mean, 3),
        fixed(one.median, 3),
        fixed(one.p90, 3),
        extreme(one.best),
        extreme(one.worst),
      ]),
    );
  }
}

/** The worst seeds of one allocator, in time and in memory. */
export function printWorst(rows, allocator, count) {
  for (const [key, what] of kRatios) {
    const own = rows.filter((row) => row.allocator === allocator && Number.isFinite(row[key]));
    const worst = own.sort((left, right) => right[key] - left[key]).slice(0, count);
    if (worst.length === 0) continue;
    printTable(
      `worst seeds of ${allocator}, ${what}`,
      ['seed', 'ratio', 'ms', 'MiB'],
      worst.map((row) => [row.seed, fixed(row[key], 3), fixed(row.ms, 1), fixed(row.bytes / 2 ** 20)]),
    );
  }
}

/** All allocators' figures of one seed. */
export function printSeed(rows, used) {
  printTable(
    `figures of seed ${rows[0].seed}${used ? ', in a used heap' : ''}`,
    ['allocator', 'ms', 'ratio', 'spread', 'bytes', 'ratio', 'bytes / peak live', ...(used ? ['bytes before'] : [])],
    rows.map((row) => [
      row.allocator,
      fixed(row.ms, 2),
      fixed(row.timeRatio, 3),
      fixed(row.spread * 100, 0).replace(/\d+$/, '$& %'),
      row.bytes,
      fixed(row.memoryRatio, 3),
      fixed(row.bytes / row.live, 3),
      ...(used ? [row.usedBytes] : []),
    ]),
  );
}
