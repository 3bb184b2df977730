// What a comparison of two runs or builds says, as plain JSON: diff_schema.json states the same for other programs.
//
//   diff_types.Q1  Keys are stable; bytes and blocks are whole numbers, of a run in the middle when there are several.
//       block_bytes is the mean request of a site: bytes are count times size, and a size varies less than a count.
//   diff_types.Q2  A change is in the lists only when it is beyond the noise (noise.ts); the lists are bounded, and counts say how
//       many there are in all.

export const kDiffVersion = 1;

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

export interface Side {
  readonly name: string;
  readonly runs: number;
  readonly events: number;
  readonly sites: number;
}

export interface Change {
  readonly metric: ComparedName;
  readonly unit: 'bytes' | 'blocks';
  readonly a: number;
  readonly b: number;
  /** b - a */
  readonly change: number;
  /** By how much repeats may differ; 0 when there are none. */
  readonly noise: number;
}

export type ChangeKind = 'grew' | 'shrank' | 'new' | 'gone';

export interface ChangedSite {
  readonly kind: ChangeKind;
  readonly function: string;
  /** Innermost first, as recorded; empty on the side that does not have it. */
  readonly stack_a: readonly string[];
  readonly stack_b: readonly string[];
  readonly changes: readonly Change[];
}

export interface Diff {
  readonly diff_version: typeof kDiffVersion;
  readonly notices: readonly string[];
  readonly a: Side;
  readonly b: Side;
  readonly noise: { readonly known: boolean; readonly rule: string };
  /** Of the whole program: those beyond the noise. */
  readonly totals: readonly Change[];
  readonly counts: Readonly<Record<ChangeKind | 'same', number>>;
  /** The largest share of the program's total first. */
  readonly sites: readonly ChangedSite[];
}
