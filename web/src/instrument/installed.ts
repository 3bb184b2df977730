// heapglass/instrumented: loaded before a program, it wires instrumented modules to their recorders.

import type { InstrumentedRecorder } from './instrumented_recorder.ts';
import { install } from './loader.ts';
import { giveWorkersLoader } from './page_threads.ts';
import { makeSharedMemory } from './shared_layout.ts';

interface Installed {
  readonly recorders: InstrumentedRecorder[];
  readonly waiting: ((recorder: InstrumentedRecorder) => void)[];
  memory: WebAssembly.Memory | undefined; // recordThreads
}

/** One for all copies of this file in a page: two of them would give a module two recorders. */
const kKey = Symbol.for('heapglass.installed');
const kDrainEvery = 50; // milliseconds, with threads: what they write waits for this one
const place = globalThis as unknown as Record<symbol, Installed | undefined>;
const installed = place[kKey] ?? begin();

/** Of the modules instantiated since, in that order; give one to `attach`. */
export const recorders: InstrumentedRecorder[] = installed.recorders;

function begin(): Installed {
  const made: Installed = { recorders: [], waiting: [], memory: undefined };
  place[kKey] = made;
  install({
    onRecorder(recorder) {
      made.recorders.push(recorder);
      for (const resolve of made.waiting.splice(0)) resolve(recorder);
    },
    sharedMemory() {
      if (made.memory === undefined) {
        console.warn(
          'heapglass: this module has threads, which are not recorded and may fail: call recordThreads() before the program is loaded',
        );
      }
      made.memory ??= makeSharedMemory();
      return made.memory;
    },
  });
  return made;
}

/** The recorder of the first instrumented module, as soon as there is one. */
export function firstRecorder(): Promise<InstrumentedRecorder> {
  const [first] = recorders;
  return first === undefined ? new Promise((resolve) => installed.waiting.push(resolve)) : Promise.resolve(first);
}

/**
 * In a page, for a module with threads: workers made from here on load `loader`, the address of heapglass/instrumented/worker.js as the
 * page's server has it, before their own script. To be called once, before the program is loaded. The page must be isolated
 * (crossOriginIsolated), as every page with threads is.
 */
export function recordThreads(loader: string | URL): void {
  if (installed.memory !== undefined) return;
  installed.memory = makeSharedMemory();
  giveWorkersLoader(new URL(loader, document.baseURI), installed.memory);
  setInterval(() => {
    for (const recorder of recorders) recorder.drain();
  }, kDrainEvery);
}
