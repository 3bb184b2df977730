// Runs an experiment: every row in fresh memory, round after round, so that a slow moment of the machine hits all rows.
//
//  R1  A round runs every row once, in order. A time (_ms, _ns) is the median of the rounds.
//  R2  Every other figure is a count and has to be the same in every round, else it is listed as unstable; a name that
//      ends in _varies may differ (what threads do to each other), and is a median too.
//  R3  Before the first of several rounds each row runs once with a small part of the work, and its figures are dropped:
//      the engine compiles hot code meanwhile.
//  R4  A row that fails ends the experiment with an error that names it.
//  R5  Where the engine lets a program collect garbage (V8 with --expose-gc), the memory of earlier rows is collected before each
//      run of a row. Otherwise the engine returns that memory to the system beside a later row, and a growth of the later row's
//      memory waits for it: 12.8 ms for one of the 88 growths of a row of BE1, which otherwise take 0.8 ms together.

import {
  type ExperimentId,
  type ExperimentRow,
  type Figures,
  kExperimentIds,
  type RowResult,
} from '../protocol/experiments.ts';
import { Instance } from './instance.ts';
import type { Threads } from './threads.ts';

export const kWarmUpDivisor = 20;

export interface RunOptions {
  readonly module: WebAssembly.Module;
  readonly threads: Threads | undefined; // undefined: rows with threads are left out
  readonly rounds: number;
  readonly divisor: number;
  /** After every row. The runner waits for it: the place to show, to breathe, and to say true when it is to stop. */
  readonly after?: (progress: Progress) => Promise<boolean> | boolean;
}

export interface Progress {
  readonly results: readonly RowResult[]; // those with a figure by now
  readonly done: number; // runs of rows
  readonly of: number;
  readonly leftOut: number; // rows that need threads where there are none
}

/** The rows of an experiment in a module, their work divided. */
export async function rowsOf(
  module: WebAssembly.Module,
  id: ExperimentId,
  divisor: number,
): Promise<readonly ExperimentRow[]> {
  const instance = await Instance.first(module, 0, () => {});
  return readRows(instance.describe(), divisor).filter((row) => row.experiment === id);
}

export async function runExperiment(id: ExperimentId, options: RunOptions): Promise<Progress> {
  const { module, threads, rounds, divisor, after = () => false } = options;
  const all = await rowsOf(module, id, divisor);
  const rows = all.filter((row) => row.threads === 0 || threads !== undefined);
  const records = rows.map((row) => new Record(row));
  if (rounds > 1) for (const row of rows) await runRow(module, row, divisor * kWarmUpDivisor, threads); // R3
  const of = rows.length * rounds;
  let done = 0;
  const progress = (): Progress => ({
    results: records.filter((record) => record.rounds > 0).map((record) => record.result()),
    done,
    of,
    leftOut: all.length - rows.length,
  });
  for (let round = 0; round < rounds; ++round) {
    for (const record of records) {
      record.add(await runRow(module, record.row, divisor, threads));
      ++done;
      if (await after(progress())) return progress();
    }
  }
  return progress();
}

/** R5. The first call finds the garbage; the second waits until its memory is returned. */
function collectGarbage(): void {
  const { gc } = globalThis as { readonly gc?: () => void };
  gc?.();
  gc?.();
}

/** One run of one row; what it told. */
export async function runRow(
  module: WebAssembly.Module,
  { experiment, row, way, size }: ExperimentRow,
  divisor: number,
  threads: Threads | undefined,
): Promise<Figures> {
  const figures: { [name: string]: number } = {};
  collectGarbage();
  try {
    const origin = performance.timeOrigin;
    const instance = await Instance.first(module, origin, (name, value) => {
      figures[name] = value;
    });
    const count = readRows(instance.describe(), 1).find(
      (one) => one.experiment === experiment && one.row === row,
    )?.threads;
    const places = count === undefined || count === 0 ? [] : instance.placeThreads(count);
    const needed = instance.begin(numberOf(experiment), row, divisor);
    if (needed === kUnknown) throw new Error('the module does not know it');
    if (needed > 0) {
      if (threads === undefined) throw new Error('it needs threads');
      await threads.run({ module, memory: instance.memory, origin }, places);
    }
    if (instance.end() !== 0) throw new Error('out of memory');
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${experiment}, ${way}, ${size}: ${what}`, { cause });
  }
  return figures;
}

const kUnknown = 0xffff_ffff;

/** HG_EXPERIMENT: 'A', 1 of AE1. */
function numberOf(id: ExperimentId): number {
  return (id.charCodeAt(0) << 8) | Number(id.slice(2));
}

function readRows(text: string, divisor: number): ExperimentRow[] {
  const counts = new Map<ExperimentId, number>();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', way = '', iterations, size, threads] = line.split('\t');
      const experiment = kExperimentIds.find((id) => id === name);
      if (experiment === undefined || threads === undefined) throw new Error(`a line that describes no row: "${line}"`);
      const row = counts.get(experiment) ?? 0;
      counts.set(experiment, row + 1);
      const divided = Math.max(1, Math.floor(Number(iterations) / divisor));
      return { experiment, row, way, iterations: divided, size: Number(size), threads: Number(threads) };
    });
}

/** What a row told in every round so far. */
class Record {
  readonly row: ExperimentRow;
  readonly #figures = new Map<string, number[]>();
  rounds = 0;

  constructor(row: ExperimentRow) {
    this.row = row;
  }

  add(figures: Figures): void {
    ++this.rounds;
    for (const [name, value] of Object.entries(figures)) {
      const values = this.#figures.get(name) ?? [];
      values.push(value);
      this.#figures.set(name, values);
    }
  }

  /** R1, R2 */
  result(): RowResult {
    const figures: { [name: string]: number } = {};
    const spread: { [name: string]: number } = {};
    const unstable: string[] = [];
    for (const [name, values] of this.#figures) {
      const middle = median(values);
      figures[name] = middle;
      const range = Math.max(...values) - Math.min(...values);
      if (isTime(name)) spread[name] = middle === 0 ? 0 : range / middle;
      else if (!name.endsWith('_varies') && (range !== 0 || values.length !== this.rounds)) unstable.push(name);
    }
    return { row: this.row, rounds: this.rounds, figures, spread, unstable };
  }
}

export const isTime = (name: string): boolean => name.endsWith('_ms') || name.endsWith('_ns');

export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
