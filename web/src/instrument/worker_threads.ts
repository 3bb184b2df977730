// Whose the threads of a module are, in a recorded page or a worker of it.
//
//   page ─ its memory ─▶ worker ─ its own memory ─▶ workers that this one makes
//
//   root.1  A worker whose given memory belongs to a module already is one of the threads of that module. Else it has loaded the module itself: it
//           is the root of its threads, records in a memory of its own, and takes all events of that.
//   root.2  The memory is made before it is known for what: when the worker makes another one, or when a module with threads comes.

import { kShared, makeSharedMemory } from './shared_layout.ts';

export interface WorkerThreads {
  /** In which a module records that has come to this worker. */
  sharedMemory(): WebAssembly.Memory;
  /** For the workers that this one makes; undefined where memory cannot be shared. */
  ownMemory(): WebAssembly.Memory | undefined;
  /** Whether this worker is a thread of a module that another realm has loaded. */
  isThread(): boolean;
}

export function workerThreads(given: () => WebAssembly.Memory | undefined): WorkerThreads {
  let own: WebAssembly.Memory | undefined;
  let isThread = false;
  const makeOwn = (): WebAssembly.Memory => {
    own ??= makeSharedMemory();
    return own;
  };
  return {
    sharedMemory() {
      const memory = given();
      isThread = memory !== undefined && Atomics.load(new Int32Array(memory.buffer), kShared.module / 4) !== 0;
      return memory !== undefined && isThread ? memory : makeOwn();
    },
    ownMemory: () => (globalThis.crossOriginIsolated ? makeOwn() : undefined),
    isThread: () => isThread,
  };
}
