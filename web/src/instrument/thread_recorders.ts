// Whose the memory is that threads share, and the recorder of this thread on it (loader.ts: load.5).

import type { RecorderExports, RecorderSource } from './recorder_source.ts';
import { kShared } from './shared_layout.ts';
import { mayWait } from './shared_lock.ts';
import { type SharedExports, SharedSource } from './shared_source.ts';
import { type Numbers, sharedNumbers } from './site_writer.ts';

/** What an instance of an instrumented module gets. */
export interface MadeRecorder {
  readonly exports: RecorderExports;
  readonly source: RecorderSource;
  readonly numbers?: Numbers;
}

type Make = (imports: WebAssembly.ModuleImports) => WebAssembly.Exports;

export class ThreadRecorders {
  readonly #sharedMemory: () => WebAssembly.Memory;
  #memory: WebAssembly.Memory | undefined;
  #has = false; // this thread has its instance

  constructor(sharedMemory: () => WebAssembly.Memory) {
    this.#sharedMemory = sharedMemory;
  }

  /** Undefined: it is not recorded, which was said. */
  begin(make: Make, id: number): MadeRecorder | undefined {
    this.#memory ??= this.#sharedMemory();
    const memory = this.#memory;
    const words = new Int32Array(memory.buffer);
    const owner = Atomics.compareExchange(words, kShared.module / 4, 0, id);
    if ((owner !== 0 && owner !== id) || this.#has) {
      if (this.#has) Atomics.store(words, kShared.closed / 4, 1);
      say(
        'a second module with threads, or a second instance of one, is not recorded: a thread could not say whose it is',
      );
      return undefined;
    }
    if (Atomics.load(words, kShared.closed / 4) !== 0) return undefined;
    this.#has = true;
    const exports = make({ memory, waits: mayWait() ? 1 : 0 }) as unknown as SharedExports & RecorderExports;
    return { exports, source: new SharedSource(exports, memory), numbers: sharedNumbers(exports.intern) };
  }
}

const say = (text: string): void => console.warn(`heapglass: ${text}`);
