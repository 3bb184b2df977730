// heapglass/instrumented: loaded before a program, it wires instrumented modules to their recorders.

import type { InstrumentedRecorder } from './instrumented_recorder.ts';
import { install } from './loader.ts';

/** Of the modules instantiated since, in that order; give one to `attach`. */
export const recorders: InstrumentedRecorder[] = [];

const waiting: ((recorder: InstrumentedRecorder) => void)[] = [];

install((recorder) => {
  recorders.push(recorder);
  for (const resolve of waiting.splice(0)) resolve(recorder);
});

/** The recorder of the first instrumented module, as soon as there is one. */
export function firstRecorder(): Promise<InstrumentedRecorder> {
  const [first] = recorders;
  return first === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(first);
}
