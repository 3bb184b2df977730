// Experiments of the source documents: what runs where, and what a view or the command line is given to show.
//
//   program (wasm) ──figures──▶ runner ──RowResult──▶ catalog ──ExperimentReport──▶ table, chart, JSON
//
// The runner and the catalog live in web/src/experiments, in a worker of their own or in Node. A report is whole after
// every row: what is not measured yet is undefined in charts and an empty cell in tables.

export const kExperimentIds = [
  ...(['AE1', 'AE2', 'AE3', 'AE4', 'AE5', 'BE1', 'CE1', 'DE1'] as const),
  ...(['EE1', 'EE2', 'EE3', 'EE4', 'EE5'] as const),
] as const;
export type ExperimentId = (typeof kExperimentIds)[number];

/** One way of doing one amount of work, as programs/experiments/experiment.h describes it. */
export interface ExperimentRow {
  readonly experiment: ExperimentId;
  readonly row: number;
  readonly way: string;
  readonly iterations: number; // as measured: divided by the divisor
  readonly size: number;
  readonly threads: number; // 0: none needed
}

export type Figures = Readonly<Record<string, number>>;

export interface RowResult {
  readonly row: ExperimentRow;
  readonly rounds: number;
  readonly figures: Figures; // times (_ms, _ns) and _varies: median of the rounds; counts: the same in every round
  readonly spread: Figures; // of times: (largest - smallest) / median
  readonly unstable: readonly string[]; // counts that were not the same in every round
}

export interface ReportTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface ChartSeries {
  readonly name: string;
  readonly values: readonly (number | undefined)[]; // one a category
  readonly document: readonly (number | undefined)[]; // what the document found, where it gives a number
}

export interface Chart {
  readonly title: string;
  readonly kind: 'bars' | 'lines';
  readonly scale: 'linear' | 'log';
  readonly xLabel: string;
  readonly yLabel: string;
  readonly categories: readonly string[];
  readonly series: readonly ChartSeries[];
}

export interface ExperimentReport {
  readonly id: ExperimentId;
  readonly title: string;
  readonly question: string; // one sentence: what is measured, and what the document claims
  readonly done: number; // runs of rows, one a row and round; in the worker's reports they grow to `of`
  readonly of: number;
  readonly tables: readonly ReportTable[];
  readonly charts: readonly Chart[];
  readonly findings: readonly string[]; // where a figure differs from the document, and why
}

/** Page to the worker of experiments. */
export type ExperimentRequest =
  | { readonly type: 'run'; readonly id: ExperimentId; readonly rounds: number; readonly divisor: number }
  | { readonly type: 'stop' };

/** The worker to the page, by itself. The last of a run has `finished`, or is failed. */
export type ExperimentNote =
  | {
      readonly type: 'report';
      readonly report: ExperimentReport;
      readonly results: readonly RowResult[]; // what the report was made of
      readonly finished: boolean;
    }
  | { readonly type: 'failed'; readonly id: ExperimentId; readonly message: string };
