// A scenario is a sequence of seeded operations on a real heap. Same seed, same events, byte for byte.
//
//   S1  A scenario never looks at the trace or the model; it knows only what its operations return.
//   S2  It yields often (every few hundred operations at most), so that the engine can drain, verify and report.
//   S3  No clock, no Math.random: randomness comes from base/random.ts with the given seed.

import type { ExperimentRow } from '../protocol/experiments.ts';
import type { MemoryPoolOperation, Operation, OperationResult, ScenarioInfo } from '../protocol/messages.ts';
import type { SceneOutcome } from '../protocol/scenes.ts';

/** What a scenario can do. Implemented over the live module by the engine. */
export interface HeapOperations {
  /** One call on the current heap. */
  operate(operation: Operation | MemoryPoolOperation): OperationResult;
  /** Makes another heap in the same linear memory and returns its id; operations go to the heap last chosen. */
  createHeap(): number;
  /** Makes a heap of so many bytes that never grows; 0 when there is no memory. */
  createFixedHeap(size: number): number;
  /** 0: the first heap. */
  chooseHeap(heap: number): void;
  destroyHeap(heap: number): void;
  /** The experiments' programs; undefined when the scenario does not ask for them. */
  readonly experiments: ExperimentOperations | undefined;
  /** The program beside the heap that runs texts; undefined when the scenario does not ask for one. */
  readonly texts: TextOperations | undefined;
}

/** A program that runs texts: SQL, a script. */
export interface TextOperations {
  /** Once, before the first text. */
  begin(): void;
  /** Runs a text piece by piece; what is yielded is the share done. An error in the text is printed and ends it. */
  run(text: string): Generator<number, void, void>;
}

/** The programs of programs/experiments, row by row. */
export interface ExperimentOperations {
  /** Every row there is. */
  readonly rows: readonly ExperimentRow[];
  /** Does the row's work, divided; or prepares it, and returns how many threads are to be played before the end. */
  begin(row: ExperimentRow, divisor: number): number;
  /** The part of thread 1, 2, ... */
  thread(thread: number): void;
  /** Frees everything. Throws when the program found its own result wrong. */
  end(): void;
}

export interface Step {
  /** Index into info.chapters when a chapter begins here. */
  readonly chapter: number | undefined;
  /** How much of the scenario is done, 0..1. */
  readonly done: number;
  /** Others get their turn now, however few events were written. */
  readonly rest?: boolean;
  /** A step of a scene ends here. */
  readonly outcome?: SceneOutcome;
}

/** Programs that run texts. */
export const kWatchedPrograms = ['sqlite', 'lua', 'quickjs'] as const;
export type WatchedProgram = (typeof kWatchedPrograms)[number];

export interface Scenario {
  readonly info: ScenarioInfo;
  /** What runs beside the heap in its module; undefined: nothing. */
  readonly program?: 'experiments' | WatchedProgram;
  /** number: of a scene that has one to change; undefined: its first. */
  run(operations: HeapOperations, seed: number, number?: number): Generator<Step, void, void>;
}
