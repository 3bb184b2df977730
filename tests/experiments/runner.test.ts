// The runner on rows made for it: threads, figures that repeat and that do not, and rows that fail.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportOf } from '../../web/src/experiments/catalog.ts';
import { rowsOf, runExperiment, runRow } from '../../web/src/experiments/runner.ts';
import type { Threads } from '../../web/src/experiments/threads.ts';
import type { ExperimentRow } from '../../web/src/protocol/experiments.ts';
import { fixtureModule, nodeThreads } from './support/node.ts';

let module: WebAssembly.Module;
let threads: Threads;
let rows: readonly ExperimentRow[];

beforeAll(async () => {
  module = fixtureModule();
  threads = await nodeThreads();
  rows = await rowsOf(module, 'CE1', 1);
});
afterAll(() => threads.dispose());

function row(way: string): ExperimentRow {
  const found = rows.find((one) => one.way === way);
  if (found === undefined) throw new Error(`no row ${way}`);
  return found;
}

test('rows are described with their divided work, never below 1', async () => {
  expect(row('counts')).toEqual({ experiment: 'CE1', row: 0, way: 'counts', iterations: 1000, size: 1, threads: 4 });
  expect((await rowsOf(module, 'CE1', 100)).map((one) => one.iterations)).toEqual([10, 1, 1, 1]);
  expect(await rowsOf(module, 'AE1', 1)).toEqual([]);
});

test('each thread has a stack and variables of its own on one memory, again in every run', async () => {
  for (let run = 0; run < 20; ++run) {
    expect(await runRow(module, row('counts'), 2, threads)).toEqual({
      errors: 0,
      bytes_left: 0,
      sum: 2000,
      own_variables: 4,
      own_stacks: 4,
      first_thread_variable: 100,
      in_use: 0,
    });
  }
});

test('a thread that traps fails its row and leaves none waiting', async () => {
  await expect(runRow(module, row('traps'), 1, threads)).rejects.toThrow(/^CE1, traps, 2: thread 2: .*unreachable/);
  expect(await runRow(module, row('counts'), 10, threads)).toMatchObject({ sum: 400 });
});

test('where garbage can be collected, that happens twice before each run of a row', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const steps: string[] = [];
  const gc = () => {
    steps.push('collected');
    collect();
  };
  const after = () => {
    steps.push('ran');
    return false;
  };
  Object.assign(globalThis, { gc });
  try {
    await runExperiment('CE1', { module, threads: undefined, rounds: 1, divisor: 1, after });
  } finally {
    Reflect.deleteProperty(globalThis, 'gc');
  }
  const once = ['collected', 'collected', 'ran'];
  expect(steps).toEqual([...once, ...once]);
});

test('a row out of memory fails its experiment and is named', async () => {
  const run = runExperiment('DE1', { module, threads, rounds: 1, divisor: 1 });
  await expect(run).rejects.toThrow('DE1, fails, 5: out of memory');
});

test('a count that differs between rounds is unstable; times and what varies are medians', async () => {
  const { results } = await runExperiment('CE1', { module, threads: undefined, rounds: 3, divisor: 1 });
  const [drifts, leaves] = results;
  expect(drifts).toMatchObject({ rounds: 3, unstable: ['drift'], figures: { short_ms: 2.5 }, spread: { short_ms: 0 } });
  expect(drifts?.figures['drift_varies']).toBeGreaterThan(0);
  expect(leaves).toMatchObject({ unstable: [], figures: { errors: 2, bytes_left: 5 }, spread: {} });
});

test('what went wrong in a row is a finding of the report', async () => {
  const progress = await runExperiment('CE1', { module, threads: undefined, rounds: 2, divisor: 1 });
  const { findings } = reportOf('CE1', progress, 1, 'no threads here');
  expect(findings.slice(0, 4)).toEqual([
    'no threads here',
    'drifts, 3: not the same in every round: drift.',
    'leaves, 4: 2 errors; the result is wrong.',
    'leaves, 4: 5 bytes were not given back.',
  ]);
});

test('rows with threads are left out where there are none', async () => {
  const stopped = await runExperiment('CE1', {
    module,
    threads: undefined,
    rounds: 1,
    divisor: 1,
    after: ({ done }) => done === 1,
  });
  expect(stopped).toMatchObject({ done: 1, of: 2, leftOut: 2 });
  expect(stopped.results.map((result) => result.row.way)).toEqual(['drifts']);
});
