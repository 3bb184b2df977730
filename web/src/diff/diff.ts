// Two runs or builds compared by call site: what grew, what is new, what shrank, what is gone.
//
//   runs of a ─┐                       ┌─▶ changes beyond the noise, by site
//              ├─▶ aligned (align.ts) ─┤        (noise.ts)
//   runs of b ─┘                       └─▶ of the whole program
//
//   diff.D1  A site that only one side has is new or gone when its change is beyond the noise of nothing there.
//   diff.D2  A site that changed in several figures is in the list once: grew when one of them grew.

import { frameParts, ownFrames } from '../base/frames.ts';
import { type Aligned, alignSites, type Values } from './align.ts';
import {
  type Change,
  type ChangedSite,
  type ChangeKind,
  type ComparedName,
  type Diff,
  kComparedNames,
  kDiffVersion,
  kMetricNames,
  kMostChanges,
  kMostLetters,
  kMostStack,
  type MetricName,
  type Run,
  type Side,
} from './diff_types.ts';
import { Noise } from './noise.ts';

export interface DiffOptions {
  /** Repeats of each side; the first is the one that is named. */
  readonly a: readonly Run[];
  readonly b: readonly Run[];
  readonly notices?: readonly string[];
}

/** pre: each side has a run */
export function makeDiff({ a, b, notices = [] }: DiffOptions): Diff {
  const aligned = alignSites(a, b);
  const noise = new Noise(aligned, a.length, b.length);
  const totalA = totalOf(a);
  const totalB = totalOf(b);
  const changed = aligned
    .map((site) => ({ site, changes: changesOf(noise, site.a, site.b, kComparedNames) }))
    .filter(({ changes }) => changes.length > 0)
    .map(({ site, changes }) => ({ row: rowOf(site, changes), weight: weightOf(site, changes, totalA, totalB) }))
    .sort((x, y) => y.weight - x.weight || (x.row.function < y.row.function ? -1 : 1));
  const counts = { grew: 0, shrank: 0, new: 0, gone: 0, same: aligned.length - changed.length };
  for (const { row } of changed) counts[row.kind] += 1;
  return {
    diff_version: kDiffVersion,
    notices,
    a: sideOf(a),
    b: sideOf(b),
    noise: { known: noise.known, rule: ruleText(noise.known, a.length, b.length) },
    totals: changesOf(noise, totalA, totalB, kMetricNames),
    counts,
    sites: changed.slice(0, kMostChanges).map(({ row }) => row),
  };
}

/** Some figure of some site, or of the program, is larger beyond the noise. */
export const hasGrown = ({ counts, totals }: Diff): boolean =>
  counts.grew > 0 || counts.new > 0 || totals.some(isGrowth);

const isGrowth = ({ change }: Change): boolean => change > 0;

const changesOf = (noise: Noise, a: Values, b: Values, metrics: readonly ComparedName[]): Change[] =>
  metrics.flatMap((metric) => noise.changeOf(metric, a, b) ?? []);

function rowOf({ stackA, stackB }: Aligned, changes: readonly Change[]): ChangedSite {
  const innermost = ownFrames(stackB ?? stackA ?? [])[0];
  return {
    kind: kindOf(stackA, stackB, changes),
    function: innermost === undefined ? '(not known)' : frameParts(innermost).name.slice(0, kMostLetters),
    stack_a: cut(stackA),
    stack_b: cut(stackB),
    changes,
  };
}

const cut = (stack: readonly string[] = []): string[] =>
  stack.slice(0, kMostStack).map((frame) => frame.slice(0, kMostLetters));

function kindOf(a: unknown, b: unknown, changes: readonly Change[]): ChangeKind {
  if (a === undefined) return 'new';
  if (b === undefined) return 'gone';
  return changes.some(isGrowth) ? 'grew' : 'shrank';
}

/** The largest share of the program's own figure; of a size, what it makes of the bytes allocated. */
function weightOf({ a, b }: Aligned, changes: readonly Change[], totalA: Values, totalB: Values): number {
  const of = (metric: MetricName) => Math.max(1, ...totalA[metric], ...totalB[metric]);
  const allocations = Math.min(...a.allocations, ...b.allocations);
  return Math.max(
    ...changes.map(({ metric, change }) =>
      metric === 'block_bytes'
        ? (Math.abs(change) * allocations) / of('allocated_bytes')
        : Math.abs(change) / of(metric),
    ),
  );
}

const totalOf = (runs: readonly Run[]): Values =>
  Object.fromEntries(
    kMetricNames.map((metric) => [
      metric,
      runs.map(({ sites }) => sites.reduce((sum, { figures }) => sum + figures[metric], 0)),
    ]),
  ) as unknown as Values;

const sideOf = (runs: readonly Run[]): Side => ({
  name: runs[0]?.name.slice(0, kMostLetters) ?? '',
  runs: runs.length,
  events: runs[0]?.events ?? 0,
  sites: runs[0]?.sites.length ?? 0,
});

const ruleText = (known: boolean, a: number, b: number): string =>
  known
    ? `a change is a gap between the runs of a (${a}) and of b (${b}) that is wider than the range of either, and than what sites of that size range over`
    : 'no repeats were given, so every difference is a change';
