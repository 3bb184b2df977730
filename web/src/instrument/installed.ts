// heapglass/instrumented: loaded before a program, it wires instrumented modules to their recorders.

import type { InstrumentedRecorder } from './instrumented_recorder.ts';
import { install } from './loader.ts';
import { giveWorkersLoader } from './page_threads.ts';
import { makeSharedMemory } from './shared_layout.ts';
import type { WorkerThreads } from './worker_threads.ts';

type Threads = Pick<WorkerThreads, 'sharedMemory' | 'isThread'>;

interface Installed {
  readonly recorders: InstrumentedRecorder[];
  /** Called with each recorder that comes. */
  readonly followers: ((recorder: InstrumentedRecorder) => void)[];
  /** undefined: nobody gives workers a recorder. */
  threads: Threads | undefined;
}

/** One for all copies of this file in a page: two of them would give a module two recorders. */
const kKey = Symbol.for('heapglass.installed');
const kDrainEvery = 50; // milliseconds
const place = globalThis as unknown as Record<symbol, Installed | undefined>;
const installed = place[kKey] ?? begin();

/** Of the modules instantiated since, in that order; give one to `attach`. */
export const recorders: InstrumentedRecorder[] = installed.recorders;

function begin(): Installed {
  const made: Installed = { recorders: [], followers: [], threads: undefined };
  const isThread = () => made.threads?.isThread() ?? false;
  place[kKey] = made;
  install({
    isThread,
    onRecorder(recorder, shared) {
      if (shared !== undefined && isThread()) return; // another realm has it
      made.recorders.push(recorder);
      for (const follow of made.followers) follow(recorder);
    },
    sharedMemory() {
      if (made.threads !== undefined) return made.threads.sharedMemory();
      console.warn('heapglass: threads are not recorded and may fail: call recordThreads() first');
      return makeSharedMemory();
    },
  });
  return made;
}

/** The recorder of the first instrumented module, as soon as there is one. */
export function firstRecorder(): Promise<InstrumentedRecorder> {
  return new Promise((resolve) => eachRecorder(resolve));
}

/** Calls `follow` with each recorder, those to come among them, before their modules run. */
export function eachRecorder(follow: (recorder: InstrumentedRecorder) => void): void {
  for (const recorder of recorders) follow(recorder);
  installed.followers.push(follow);
}

/**
 * In a page, for a module with threads: workers made from here on load `loader`, the address of heapglass/instrumented/worker.js as the
 * page's server has it, before their own script. To be called once, before the program is loaded. The page must be isolated
 * (crossOriginIsolated), as every page with threads is.
 */
export function recordThreads(loader: string | URL): void {
  if (installed.threads !== undefined) return; // done, by whoever records the page
  const memory = makeSharedMemory();
  followThreads({ sharedMemory: () => memory, isThread: () => false });
  giveWorkersLoader(new URL(loader, document.baseURI), memory);
  drainAtPace();
}

/** With threads what they write waits for this realm. */
export function drainAtPace(): void {
  setInterval(() => {
    for (const recorder of recorders) recorder.drain();
  }, kDrainEvery);
}

/** Whose the threads of a module are that comes here, where workers get the recorder. */
export function followThreads(threads: Threads): void {
  installed.threads = threads;
}
