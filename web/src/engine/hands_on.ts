// What a scenario can do, over a live module: operations on its heaps, texts for its program, experiments.

import type { Hands, Step } from '../scenarios/scenario.ts';
import { experimentHands } from './experiment_hands.ts';
import type { Live } from './session.ts';
import { textHands } from './text_hands.ts';

export function handsOn({ calls, module }: Live): Hands {
  let chosen = 0;
  return {
    experiments: module.functions.experiment_begin === undefined ? undefined : experimentHands(module),
    texts: module.functions.program_begin === undefined ? undefined : textHands(module),
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
