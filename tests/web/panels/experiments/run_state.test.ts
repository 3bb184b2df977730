import { describe, expect, test } from 'vitest';
import { kCatalog } from '../../../../web/src/experiments/catalog.ts';
import { kExperimentGroups, listedExperiment } from '../../../../web/src/panels/experiments/experiment_list.ts';
import { isFigure } from '../../../../web/src/panels/experiments/report_table.ts';
import { type ExperimentsState, listStatus, progressText } from '../../../../web/src/panels/experiments/run_state.ts';
import { type ExperimentId, type ExperimentReport, kExperimentIds } from '../../../../web/src/protocol/experiments.ts';

const report = (id: ExperimentId, done: number, of: number): ExperimentReport => ({
  id,
  title: '',
  question: '',
  done,
  of,
  tables: [],
  charts: [],
  findings: [],
});
const idle: ExperimentsState = {
  chosen: undefined,
  running: undefined,
  reports: new Map(),
  failures: new Map(),
  threads: true,
  watchable: new Set(),
  watched: undefined,
};
const withReport = (done: number, running: boolean): ExperimentsState => ({
  ...idle,
  running: running ? 'AE3' : undefined,
  reports: new Map([['AE3', report('AE3', done, 16)]]),
});

describe('the list of experiments', () => {
  test('has each of them once, under the document whose letter it bears', () => {
    const listed = kExperimentGroups.flatMap(({ letter, experiments }) => {
      for (const { id } of experiments) expect(id[0]).toBe(letter);
      return experiments.map(({ id }) => id);
    });
    expect(listed).toEqual([...kExperimentIds]);
    expect(listedExperiment('DE1')?.threads).toBe(true);
  });

  test('calls them as their reports do', () => {
    for (const id of kExperimentIds) expect(listedExperiment(id)?.name).toBe(kCatalog[id].title);
  });

  test('says which runs, which are measured, which were stopped or failed', () => {
    expect(listStatus(idle, 'AE3')).toBe('');
    expect(listStatus({ ...idle, running: 'AE3' }, 'AE3')).toBe('starting');
    expect(listStatus(withReport(3, true), 'AE3')).toBe('3 of 16');
    expect(listStatus(withReport(16, false), 'AE3')).toBe('measured');
    expect(listStatus(withReport(3, false), 'AE3')).toBe('stopped at 3 of 16');
    expect(listStatus({ ...idle, reports: new Map([['AE3', report('AE3', 0, 0)]]) }, 'AE3')).toBe('not measured');
    expect(listStatus({ ...idle, failures: new Map([['AE3', 'out of memory']]) }, 'AE3')).toBe('failed');
  });
});

test('progress names the measurement that is at work, and never one beyond the last', () => {
  expect(progressText(withReport(3, true), 'AE3')).toBe('Measuring: 4 of 16');
  expect(progressText(withReport(16, true), 'AE3')).toBe('Measuring: 16 of 16');
  expect(progressText(withReport(16, false), 'AE3')).toBe('16 measurements.');
  expect(progressText(withReport(5, false), 'AE3')).toBe('Stopped at 5 of 16 measurements.');
});

test.each(['12.3', '1,234 µs', '90×', '33 %', '–', '', '12.3 ±2 %', '5.71× (6.57×)', '4.00 (4)', '341.5 ms'])(
  '%j is set as a figure',
  (text) => {
    expect(isFigure(text)).toBe(true);
  },
);
test.each(['V2, expansion masked', 'std::vector', '2 % sub-blocks', '[10000, 10000]'])('%j is set as words', (text) => {
  expect(isFigure(text)).toBe(false);
});
