// What a recorder has written and nobody has taken yet: in the ring of one thread, or in the buffers of many (shared_source.ts).

import { kEventWords } from '../trace/trace.ts';

/** What the recorder module exports (recorder_module.ts). */
export interface RecorderExports {
  readonly version: { readonly value: number };
  /** Of a module that is sampled: bytes from one sample to the next. */
  readonly mean?: { readonly value: number };
  put(head: number, a: number, b: number, c: number): void;
}

/** Of one thread. */
export interface RingExports extends RecorderExports {
  readonly memory: { readonly buffer: ArrayBufferLike };
  readonly begin: { readonly value: number };
  readonly at: { value: number };
}

export interface Taken {
  /** The number of its first event. */
  readonly from: number;
  readonly records: Uint32Array;
}

export interface RecorderSource {
  readonly version: number;
  /** Events written so far, and those of them that were taken. */
  readonly count: number;
  readonly taken: number;
  /** All that waits; undefined when nothing does. */
  take(): Taken | undefined;
  put(head: number, a: number, b: number, c: number): void;
  /** What it writes stands together in the trace. */
  together(write: () => void): void;
}

export class RingSource implements RecorderSource {
  readonly #exports: RingExports;
  #taken = 0;

  constructor(exports: RingExports) {
    this.#exports = exports;
  }

  get version(): number {
    return this.#exports.version.value;
  }

  get count(): number {
    return this.#taken + this.#waitingBytes / (4 * kEventWords);
  }

  get taken(): number {
    return this.#taken;
  }

  take(): Taken | undefined {
    const { memory, begin, at } = this.#exports;
    const bytes = this.#waitingBytes;
    if (bytes === 0) return undefined;
    const records = new Uint32Array(memory.buffer, begin.value, bytes / 4).slice();
    at.value = begin.value;
    const from = this.#taken;
    this.#taken += records.length / kEventWords;
    return { from, records };
  }

  put(head: number, a: number, b: number, c: number): void {
    this.#exports.put(head, a, b, c);
  }

  together(write: () => void): void {
    write();
  }

  get #waitingBytes(): number {
    return this.#exports.at.value - this.#exports.begin.value;
  }
}
