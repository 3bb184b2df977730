// A scenario is a story told with seeded operations on a real heap. Same seed, same events, byte for byte.
//
//   S1  A scenario never looks at the trace or the model; it knows only what its hands return.
//   S2  It yields often (every few hundred operations at most), so that the engine can drain, verify and report.
//   S3  No clock, no Math.random: randomness comes from base/random.ts with the given seed.

import type { Operation, OperationResult, ScenarioInfo } from '../protocol/messages.ts';

/** What a scenario can do. Implemented over the live module by the engine. */
export interface Hands {
  /** One call on the current heap. */
  operate(operation: Operation): OperationResult;
  /** Makes another heap in the same linear memory and returns its id; operations go to the heap last chosen. */
  createHeap(): number;
  /** 0: the first heap. */
  chooseHeap(heap: number): void;
  destroyHeap(heap: number): void;
}

export interface Step {
  /** Index into info.chapters when a chapter begins here. */
  readonly chapter: number | undefined;
  /** How much of the story is told, 0..1. */
  readonly done: number;
}

export interface Scenario {
  readonly info: ScenarioInfo;
  run(hands: Hands, seed: number): Generator<Step, void, void>;
}
