// What the page knows of the experiments: which one runs, and each one's last report. The view shows it.

import type { ExperimentId, ExperimentReport } from '../../protocol/experiments.ts';

export interface ExperimentsState {
  /** undefined: the list. */
  readonly chosen: ExperimentId | undefined;
  readonly running: ExperimentId | undefined;
  readonly reports: ReadonlyMap<ExperimentId, ExperimentReport>;
  readonly failures: ReadonlyMap<ExperimentId, string>;
  /** Threads can be had here: the page is isolated. */
  readonly threads: boolean;
  /** Experiments that the map can show, and the one that it shows now. */
  readonly watchable: ReadonlySet<ExperimentId>;
  readonly watched: ExperimentId | undefined;
}

/** Full runs measure as the document did; quick ones do a hundredth of the work and show the shape of the result. */
export const kExtents = {
  quick: { rounds: 3, divisor: 100 },
  full: { rounds: 5, divisor: 1 },
} as const;
export type Extent = keyof typeof kExtents;

/** "3 of 16" · "measured" · '': beside an experiment in the list. */
export function listStatus(state: ExperimentsState, id: ExperimentId): string {
  const report = state.reports.get(id);
  if (state.running === id) return report === undefined ? 'starting' : `${report.done} of ${report.of}`;
  if (state.failures.has(id)) return 'failed';
  if (report === undefined) return '';
  if (report.of === 0) return 'not measured';
  return report.done >= report.of ? 'measured' : `stopped at ${report.done} of ${report.of}`;
}

/** Of the one that is shown. A measurement is one row in one round. */
export function progressText(state: ExperimentsState, id: ExperimentId): string {
  const report = state.reports.get(id);
  if (state.running === id) {
    if (report === undefined) return 'Preparing …';
    return `Measuring: ${Math.min(report.done + 1, report.of)} of ${report.of}`;
  }
  if (report === undefined) return 'Run measures it in this page: quick takes seconds, full minutes.';
  if (report.of === 0) return 'Nothing was measured.';
  return report.done >= report.of
    ? `${report.of} measurements.`
    : `Stopped at ${report.done} of ${report.of} measurements.`;
}
