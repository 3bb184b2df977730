// A script of the visitor's as a scenario: the calls that it made, made again on the heap that is shown.

import type { ScriptStep } from '../protocol/scripts.ts';
import { GivenBlocks } from './given_blocks.ts';
import type { Scenario } from './scenario.ts';

/** Calls between two yields (S2). */
const kAtOnce = 64;

export function scriptScenario(steps: readonly ScriptStep[]): Scenario {
  const chapters = steps.flatMap((step) => ('chapter' in step ? [step.chapter] : []));
  return {
    info: { id: 'script', title: 'Script', summary: 'The calls of a script.', chapters, experiment: undefined },
    *run(operations) {
      let chapter = 0;
      const given = new GivenBlocks();
      for (const [at, step] of steps.entries()) {
        const done = at / steps.length;
        if ('chapter' in step) {
          yield { chapter: chapter++, done };
          continue;
        }
        const { operation, gave } = step;
        const wrong = given.wrong(operation);
        if (wrong !== undefined) throw new Error(`${operation.op}: ${wrong}: the run ends at this call`);
        const result = operations.operate(operation);
        given.note(operation, result);
        const got = result.mems[0];
        if (got !== gave) {
          // SR1
          throw new Error(
            `${operation.op} gave ${got ?? 'nothing'} here and ${gave ?? 'nothing'} to the script: the run ends at this call`,
          );
        }
        if (at % kAtOnce === 0) yield { chapter: undefined, done };
      }
      yield { chapter: undefined, done: 1 };
    },
  };
}
