import { describe, expect, test } from 'vitest';
import { afterNote, afterRun, kNoRuns } from '../../../../web/src/panels/experiments/experiment_runs.ts';
import type { ExperimentId, ExperimentReport } from '../../../../web/src/protocol/experiments.ts';

const report = (id: ExperimentId, done: number): ExperimentReport => ({
  id,
  title: '',
  question: '',
  done,
  of: 4,
  tables: [],
  charts: [],
  findings: [],
});

describe('the experiments of the page', () => {
  test('a run begins without the old report and failure', () => {
    const before = afterNote(kNoRuns, { type: 'failed', id: 'AE3', message: 'out of memory' });
    const runs = afterRun(before, 'AE3');
    expect(runs.running).toBe('AE3');
    expect(runs.failures.size).toBe(0);
    expect(
      afterRun(afterNote(runs, { type: 'report', report: report('AE3', 4), results: [], finished: true }), 'AE3')
        .reports.size,
    ).toBe(0);
  });

  test('reports replace each other; the run ends with the finished one', () => {
    let runs = afterRun(kNoRuns, 'AE3');
    runs = afterNote(runs, { type: 'report', report: report('AE3', 1), results: [], finished: false });
    expect(runs.running).toBe('AE3');
    runs = afterNote(runs, { type: 'report', report: report('AE3', 4), results: [], finished: true });
    expect(runs.running).toBeUndefined();
    expect(runs.reports.get('AE3')?.done).toBe(4);
  });

  test('the last word of a run that was replaced does not end the new one', () => {
    const runs = afterRun(afterRun(kNoRuns, 'AE3'), 'AE1');
    expect(afterNote(runs, { type: 'report', report: report('AE3', 2), results: [], finished: true }).running).toBe(
      'AE1',
    );
    expect(afterNote(runs, { type: 'failed', id: 'AE3', message: 'x' }).running).toBe('AE1');
  });

  test('a failure is kept beside what was measured before it', () => {
    let runs = afterNote(afterRun(kNoRuns, 'AE3'), {
      type: 'report',
      report: report('AE3', 2),
      results: [],
      finished: false,
    });
    runs = afterNote(runs, { type: 'failed', id: 'AE3', message: 'out of memory' });
    expect(runs.running).toBeUndefined();
    expect(runs.failures.get('AE3')).toBe('out of memory');
    expect(runs.reports.get('AE3')?.done).toBe(2);
  });
});
