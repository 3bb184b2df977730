// One experiment from its programs to its report: what the page's worker, the command line and the tests call.

import type { ExperimentId, ExperimentReport, RowResult } from '../protocol/experiments.ts';
import { reportOf } from './catalog.ts';
import { moduleKindOf, moduleOf } from './modules.ts';
import { type Progress, runExperiment } from './runner.ts';
import type { Threads } from './threads.ts';

export interface MeasureOptions {
  readonly rounds: number;
  readonly divisor: number;
  readonly threads: Threads | undefined;
  readonly noThreads: string; // said when rows are left out for want of threads
  /** After every row; true ends the experiment there. */
  readonly after?: (measured: Measured) => Promise<boolean> | boolean;
}

export interface Measured {
  readonly report: ExperimentReport;
  readonly results: readonly RowResult[];
}

export async function measure(id: ExperimentId, options: MeasureOptions): Promise<Measured> {
  const { rounds, divisor, threads, noThreads, after = () => false } = options;
  const module = await moduleOf(moduleKindOf(id));
  const measuredOf = (progress: Progress): Measured => ({
    report: reportOf(id, progress, divisor, noThreads),
    results: progress.results,
  });
  return measuredOf(
    await runExperiment(id, { module, threads, rounds, divisor, after: (progress) => after(measuredOf(progress)) }),
  );
}
