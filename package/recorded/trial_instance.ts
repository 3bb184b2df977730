// The instance in which functions of a module are tried: it is put back as it was before each trial, because a new one costs more: its
// memory is cleared by the collector, and its code begins cold.
//
//   back: all bytes of memory, globals, and how often it may still ask the system. A memory that has grown is not as it was: then there is
//   a new instance.

import { type TrialFunction, trialGlobal, trialName } from '../../web/src/instrument/trial_module.ts';
import type { Begin } from './trial_begin.ts';
import { callsLeft, importsOf } from './trial_imports.ts';

export type Call = (...given: readonly number[]) => unknown;

export interface TrialInstance {
  readonly memory: WebAssembly.Memory;
  /** What its numbers are at the beginning. */
  readonly globals: readonly number[];
  of(it: TrialFunction): Call;
}

/** What gives an instance of the module as it is at its beginning. begin: what JavaScript writes before. */
export function instancesOf(binary: Uint8Array, begin?: Begin): () => TrialInstance {
  const module = new WebAssembly.Module(Uint8Array.from(binary));
  let instance: Instance | undefined;
  return () => {
    if (instance?.restore() !== true) instance = new Instance(module, binary, begin);
    return instance;
  };
}

class Instance implements TrialInstance {
  readonly memory: WebAssembly.Memory;
  readonly #exports: WebAssembly.Exports;
  readonly #calls = callsLeft();
  readonly #globals: readonly (readonly [WebAssembly.Global, unknown])[];
  readonly #bytes: Uint8Array;

  constructor(module: WebAssembly.Module, binary: Uint8Array, begin?: Begin) {
    const { exports } = new WebAssembly.Instance(module, importsOf(binary, this.#calls));
    this.memory = exports['memory'] as WebAssembly.Memory;
    this.#exports = exports;
    const globals = Object.entries(exports).filter(([name]) => name.startsWith(trialGlobal('')));
    this.#globals = globals.map(([, global]) => [global as WebAssembly.Global, (global as WebAssembly.Global).value]);
    if (begin !== undefined) new DataView(this.memory.buffer).setUint32(begin.word, begin.at, true);
    this.#bytes = new Uint8Array(this.memory.buffer).slice();
  }

  get globals(): readonly number[] {
    return this.#globals.map(([, value]) => value).filter((value) => typeof value === 'number');
  }

  of(it: TrialFunction): Call {
    return this.#exports[trialName(it)] as Call;
  }

  /** Whether it could be put back. */
  restore(): boolean {
    const bytes = new Uint8Array(this.memory.buffer);
    if (bytes.length !== this.#bytes.length) return false;
    bytes.set(this.#bytes);
    for (const [global, value] of this.#globals) global.value = value;
    Object.assign(this.#calls, callsLeft());
    return true;
  }
}
