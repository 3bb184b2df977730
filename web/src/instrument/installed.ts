// heapglass/instrumented: loaded before a program, it wires instrumented modules to their recorders.

import type { InstrumentedRecorder } from './instrumented_recorder.ts';
import { install } from './loader.ts';
import { giveWorkersLoader } from './page_threads.ts';
import { makeSharedMemory } from './shared_layout.ts';

/** Of the modules instantiated since, in that order; give one to `attach`. */
export const recorders: InstrumentedRecorder[] = [];

const waiting: ((recorder: InstrumentedRecorder) => void)[] = [];
const kDrainEvery = 50; // milliseconds, with threads: what they write waits for this one
let memory: WebAssembly.Memory | undefined;

install({
  onRecorder(recorder) {
    recorders.push(recorder);
    for (const resolve of waiting.splice(0)) resolve(recorder);
  },
  sharedMemory() {
    if (memory === undefined) {
      console.warn(
        'heapglass: this module has threads, which are not recorded and may fail: call recordThreads() before the program is loaded',
      );
    }
    memory ??= makeSharedMemory();
    return memory;
  },
});

/** The recorder of the first instrumented module, as soon as there is one. */
export function firstRecorder(): Promise<InstrumentedRecorder> {
  const [first] = recorders;
  return first === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(first);
}

/**
 * In a page, for a module with threads: workers made from here on load `loader`, the address of heapglass/instrumented/worker.js as the
 * page's server has it, before their own script. To be called once, before the program is loaded. The page must be isolated
 * (crossOriginIsolated), as every page with threads is.
 */
export function recordThreads(loader: string | URL): void {
  if (memory !== undefined) return;
  memory = makeSharedMemory();
  giveWorkersLoader(new URL(loader, document.baseURI), memory);
  setInterval(() => {
    for (const recorder of recorders) recorder.drain();
  }, kDrainEvery);
}
