// Every experiment runs watched on the real programs, is proved by walking all heaps after each chapter, and loses no event;
// its trace, opened elsewhere, proves itself and can be undone to nothing.

import { describe, expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import { experimentOperations, parseRows } from '../../../web/src/engine/experiment_operations.ts';
import { kExperimentIds } from '../../../web/src/protocol/experiments.ts';
import { kExperimentScenarios } from '../../../web/src/scenarios/experiments.ts';
import type { Scenario } from '../../../web/src/scenarios/scenario.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { LiveModule } from '../../../web/src/wasm/live_module.ts';
import { proveTrace } from '../../contract/prove_trace.ts';
import { makeEngine } from './harness.ts';

test('there is one for each experiment of the documents', () => {
  expect(kExperimentScenarios.map(({ info }) => info.experiment)).toEqual([...kExperimentIds]);
  expect(kExperimentScenarios.map(({ info }) => info.id)).toEqual(
    kExperimentIds.map((id) => `experiment_${id.toLowerCase()}`),
  );
});

describe.each(kExperimentScenarios.map((scenario) => [scenario.info.experiment, scenario] as const))(
  '%s',
  (_, { info }) => {
    test('is told to its end, each chapter proved, nothing lost, and undone nothing is left', async () => {
      const { run, frame, ask, notes } = makeEngine();
      await run(info.id);
      expect(notes.filter((note) => note.type !== 'progress' || note.message !== undefined)).toEqual([]);
      const { status, timeline } = await frame({ timeline: { from: seq(0), to: 'head', columns: 50 } });
      expect(status).toMatchObject({ lost: 0, mismatch: undefined, verifiedAt: status.head, live: true });
      expect(timeline?.marks.map((mark) => mark.label)).toEqual(info.chapters);
      const verified = new Set(timeline?.verified);
      const begins = (timeline?.marks ?? []).map((mark) => mark.seq);
      expect(begins.filter((begin) => !verified.has(begin))).toEqual([]);
      const ends = [...begins.slice(1), status.head];
      for (const [chapter, begin] of begins.entries()) {
        const events = (ends[chapter] ?? 0) - begin;
        expect(events, info.chapters[chapter]).toBeGreaterThan(2_000);
        expect(events, info.chapters[chapter]).toBeLessThan(80_000);
      }
      expect(Math.max(...(timeline?.inUseMax ?? []))).toBeGreaterThan(1_000);

      const decoded = decodeTraceFile((await ask({ type: 'exportTrace' }, 'trace')).file);
      if (!decoded.ok) throw new Error(decoded.error.message);
      const proof = proveTrace(decoded.value.trace, 1);
      expect(proof.problem).toBeUndefined();
      expect(proof.checkpoints).toBeGreaterThan(0);
    });
  },
);

describe('the hands on the programs', () => {
  test('rows are read as they are described', () => {
    expect(parseRows('AE1\tV2\t10000\t10\t0\nDE1\tsmall\t5\t128\t2\nAE1\tV1\t7\t8\t0\nXX9\ta\t1\t1\t0\n')).toEqual([
      { experiment: 'AE1', row: 0, way: 'V2', iterations: 10_000, size: 10, threads: 0 },
      { experiment: 'DE1', row: 0, way: 'small', iterations: 5, size: 128, threads: 2 },
      { experiment: 'AE1', row: 1, way: 'V1', iterations: 7, size: 8, threads: 0 },
    ]);
  });

  test('a row that is not there is named', async () => {
    const module = await LiveModule.start('experiments', 'drop', { append: () => {}, lost: () => {} });
    const operations = experimentOperations(module);
    const [row] = operations.rows;
    if (row === undefined) throw new Error('no rows');
    expect(() => operations.begin({ ...row, row: 9_999 }, 1)).toThrow(/have no row/);
  });

  test('a row ends with a sentence that names it, where memory or its own result was not enough', () => {
    const played: number[] = [];
    const figures = new Map<string, number>();
    let outcome = 0;
    const functions = {
      experiment_describe: () => 0,
      experiment_begin: () => 2,
      experiment_thread: (thread: number) => played.push(thread),
      experiment_end: () => outcome,
      hg_small_play_thread: (thread: number) => played.push(thread),
    };
    const views = { text: () => 'AE1\tV2\t10\t20\t2\n' };
    const module = { functions, views, figures, call: (work: (of: typeof functions) => unknown) => work(functions) };
    const { rows, begin, thread, end } = experimentOperations(module as unknown as LiveModule);
    const [row] = rows;
    if (row === undefined) throw new Error('no rows');
    expect(begin(row, 1)).toBe(2);
    thread(2);
    end();
    expect(played).toEqual([1, 2, 2, 1]);
    figures.set('errors', 3);
    expect(end).toThrow(/^AE1, V2, 20: the program found 3 errors/);
    outcome = 1;
    expect(end).toThrow('AE1, V2, 20: out of memory');
    begin(row, 1);
    outcome = 0;
    end(); // the figures of the row before are gone
  });

  test('a story that names a row of none, or of two, ends with a sentence', async () => {
    const [first] = kExperimentScenarios;
    if (first === undefined) throw new Error('no experiments');
    const lost: Scenario = {
      ...first,
      run: ({ experiments }, seed) =>
        first.run({ experiments: experiments && { ...experiments, rows: [] } } as never, seed),
    };
    const { run, notes } = makeEngine({ scenarios: [lost] });
    await run(lost.info.id);
    expect(notes.at(-1)).toMatchObject({ running: false, message: expect.stringMatching(/have 0 rows/) });
  });
});
