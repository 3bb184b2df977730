// The experiments that were run in this page: which one runs now, and the last report of each. Reports live as long as
// the page; they are figures of this machine at this moment, not part of any source or address.
//
//   G1  `running` ends with the worker's last word on that experiment, never by guessing.

import { createExperimentClient } from '../../client/experiment_client.ts';
import type { ExperimentId, ExperimentNote, ExperimentReport } from '../../protocol/experiments.ts';

export interface ExperimentRuns {
  readonly running: ExperimentId | undefined;
  readonly reports: ReadonlyMap<ExperimentId, ExperimentReport>;
  readonly failures: ReadonlyMap<ExperimentId, string>;
}

export const kNoRuns: ExperimentRuns = { running: undefined, reports: new Map(), failures: new Map() };

const without = <Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): ReadonlyMap<Key, Value> => {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
};

/** What is known once a run was asked for: its old report and failure are gone. */
export function afterRun(runs: ExperimentRuns, id: ExperimentId): ExperimentRuns {
  return { running: id, reports: without(runs.reports, id), failures: without(runs.failures, id) };
}

/** What is known after the worker's note. */
export function afterNote(runs: ExperimentRuns, note: ExperimentNote): ExperimentRuns {
  if (note.type === 'failed') {
    const running = runs.running === note.id ? undefined : runs.running;
    return { ...runs, running, failures: new Map(runs.failures).set(note.id, note.message) };
  }
  const { report, finished } = note;
  const running = finished && runs.running === report.id ? undefined : runs.running;
  return { ...runs, running, reports: new Map(runs.reports).set(report.id, report) };
}

export function createExperimentRuns(changed: () => void) {
  let runs = kNoRuns;
  const client = createExperimentClient((note) => {
    runs = afterNote(runs, note);
    changed();
  });
  return {
    now: (): ExperimentRuns => runs,
    run(id: ExperimentId, rounds: number, divisor: number): void {
      runs = afterRun(runs, id);
      changed();
      client.run({ id, rounds, divisor });
    },
    stop: () => client.stop(),
    dispose: () => client.dispose(),
  };
}
