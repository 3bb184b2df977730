// What is compared, and what a comparison says as plain JSON: the types of diff_schema.ts.

import type { Described } from '../document/schema.ts';
import type { kDiffSchema } from './diff_schema.ts';

export const kDiffVersion = 1;
export const kMostChanges = 60;
export const kMostStack = 24;
export const kMostLetters = 200;

export const kMetricNames = [
  'live_bytes',
  'live_blocks',
  'peak_bytes',
  'allocated_bytes',
  'allocations',
  'temporaries',
] as const;
export type MetricName = (typeof kMetricNames)[number];
/** What is compared: the sums, and what an allocation asks for in the mean. */
export const kComparedNames = [...kMetricNames, 'block_bytes'] as const;
export type ComparedName = (typeof kComparedNames)[number];
export type MetricValues = Readonly<Record<MetricName, number>>;

/** The sums of the call sites of one run. */
export interface Run {
  readonly name: string;
  readonly events: number;
  readonly sites: readonly { readonly stack: readonly string[]; readonly figures: MetricValues }[];
}

export type Diff = Described<typeof kDiffSchema>;
export type Side = Diff['a'];
export type Change = Diff['totals'][number];
export type ChangedSite = Diff['sites'][number];
export type ChangeKind = ChangedSite['kind'];
