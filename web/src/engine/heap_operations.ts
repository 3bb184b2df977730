// What a scenario can do, over a live module: operations on its heaps, texts for its program, experiments.

import type { HeapOperations, Step } from '../scenarios/scenario.ts';
import { experimentOperations } from './experiment_operations.ts';
import type { Live } from './session.ts';
import { textOperations } from './text_operations.ts';

export function operationsOn({ calls, module }: Live): HeapOperations {
  let chosen = 0;
  return {
    experiments: module.functions.experiment_begin === undefined ? undefined : experimentOperations(module),
    texts: module.functions.program_begin === undefined ? undefined : textOperations(module),
    operate: (operation) => calls.operate(chosen, operation),
    createHeap: () => calls.createHeap(),
    createFixedHeap: (size) => calls.createFixedHeap(size),
    chooseHeap: (heap) => {
      chosen = heap;
    },
    destroyHeap: (heap) => {
      if (chosen === heap) chosen = 0;
      calls.destroyHeap(heap);
    },
  };
}

/** The steps of a text that a program runs. */
export function* stepsOf(shares: Generator<number, void, void>): Generator<Step, void, void> {
  for (const done of shares) yield { chapter: undefined, done, rest: true };
}
