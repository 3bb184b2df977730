// The experiments' programs, driven row by row so that their heaps can be watched: programs/experiments/experiment.h.
//
//   Threads are played one after another on the one thread there is: each acts under its own number, with its own cache,
//   and comes to its end before the next begins. In builds without threads no program waits for another thread.

import { assertDefined } from '../base/assert.ts';
import { type ExperimentId, type ExperimentRow, kExperimentIds } from '../protocol/experiments.ts';
import type { ExperimentOperations } from '../scenarios/scenario.ts';
import type { LiveModule } from '../wasm/live_module.ts';
import type { ExperimentFunctions } from '../wasm/load.ts';

const kUnknown = 0xffff_ffff; // EXPERIMENT_UNKNOWN
const kMainThread = 1;

export function experimentOperations(module: LiveModule): ExperimentOperations {
  assertDefined(module.functions.experiment_begin, 'experiment_begin');
  const functions = module.functions as typeof module.functions & ExperimentFunctions;
  const rows = parseRows(module.views.text(module.call(() => functions.experiment_describe() >>> 0)));
  let running: ExperimentRow | undefined;
  const playing = (thread: number, part: () => number | undefined) =>
    module.call(() => {
      functions.hg_small_play_thread(thread);
      return part();
    });
  const nameOf = ({ experiment, way, size }: ExperimentRow) => `${experiment}, ${way}, ${size}`;
  return {
    rows,
    begin: (row, divisor) => {
      module.figures.clear();
      const { experiment } = row;
      const threads = playing(
        kMainThread,
        () => functions.experiment_begin(numberOf(experiment), row.row, divisor) >>> 0,
      );
      if (threads === kUnknown) throw new Error(`the programs have no row ${nameOf(row)}`);
      running = row;
      return threads ?? 0;
    },
    thread: (thread) => {
      playing(thread, () => void functions.experiment_thread(thread));
    },
    end: () => {
      const outcome = playing(kMainThread, () => functions.experiment_end() >>> 0);
      const name = running === undefined ? 'a row' : nameOf(running);
      if (outcome !== 0) throw new Error(`${name}: out of memory`);
      const errors = module.figures.get('errors') ?? 0;
      if (errors !== 0) throw new Error(`${name}: the program found ${errors} errors in its own result`);
    },
  };
}

/** 'AE1' as HG_EXPERIMENT numbers it. */
const numberOf = (id: ExperimentId): number => (id.charCodeAt(0) << 8) | Number(id.slice(2));

/** "AE1\tV2\t10000\t10000\t0\n": experiment, way, iterations, size, threads; rows count from 0 in each experiment. */
export function parseRows(text: string): ExperimentRow[] {
  const rows: ExperimentRow[] = [];
  const counts = new Map<ExperimentId, number>();
  for (const line of text.split('\n')) {
    const [name, way = '', iterations, size, threads] = line.split('\t');
    const experiment = kExperimentIds.find((id) => id === name);
    if (experiment === undefined) continue;
    const row = counts.get(experiment) ?? 0;
    counts.set(experiment, row + 1);
    rows.push({
      experiment,
      row,
      way,
      iterations: Number(iterations),
      size: Number(size),
      threads: Number(threads),
    });
  }
  return rows;
}
