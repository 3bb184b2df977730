// What a recorder has written and nobody has taken yet: in the ring of one thread, or in the buffers of many (shared_source.ts).

import { EventKind } from '../protocol/event_layout.ts';
import { kFirstBatch, nextBatch } from '../record/batches.ts';
import { headOf, kEventWords } from '../trace/trace.ts';

/** What the recorder module exports (recorder_module.ts). */
export interface RecorderExports {
  readonly version: { readonly value: number };
  /** Of a module that is sampled: bytes from one sample to the next. */
  readonly mean?: { readonly value: number };
  put(head: number, a: number, b: number, c: number): void;
}

/** Of one thread. */
export interface RingExports extends RecorderExports {
  /** Records that were not written since the last take (wide_text.ts). */
  readonly lost?: { value: number };
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
  /** This thread has the lock: it is writing, or taking. */
  readonly isHeldHere: boolean;
  /** What it writes stands together in the trace. */
  together(write: () => void): void;
}

const kEventBytes = 4 * kEventWords;

/**
 * Of one thread. It writes into the last part of the ring only, as many events as came in a twentieth of a second before: so that little
 * waits when the program is killed.
 */
export class RingSource implements RecorderSource {
  readonly isHeldHere = false; // a record is written between two interrupts
  readonly #exports: RingExports;
  #taken = 0;
  readonly #most: number;
  #batch = kFirstBatch;
  #begin: number; // byte where what waits begins
  #takenAt = performance.now();

  /** `most`: how many events the ring holds. */
  constructor(exports: RingExports, most: number) {
    this.#exports = exports;
    this.#most = most;
    this.#begin = exports.begin.value;
    if (this.#waitingBytes > 0) return; // it has begun
    this.#begin = this.#beginOf(this.#batch);
    exports.at.value = this.#begin;
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
    const { memory, at, lost } = this.#exports;
    const bytes = this.#waitingBytes;
    const missing = (lost?.value ?? 0) >>> 0;
    if (bytes === 0 && missing === 0) return undefined;
    const records = new Uint32Array(bytes / 4 + (missing === 0 ? 0 : kEventWords));
    records.set(new Uint32Array(memory.buffer, this.#begin, bytes / 4));
    if (lost !== undefined && missing > 0) {
      records.set([headOf(EventKind.eventsLost, 0), missing], bytes / 4);
      lost.value = 0;
    }
    this.#batch = this.#nextBatch(bytes / kEventBytes);
    this.#begin = this.#beginOf(this.#batch);
    at.value = this.#begin;
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

  /** `events`: that were taken now. */
  #nextBatch(events: number): number {
    const before = this.#takenAt;
    this.#takenAt = performance.now();
    return nextBatch(events, this.#takenAt - before, this.#batch, this.#most);
  }

  #beginOf(batch: number): number {
    return this.#exports.begin.value + (this.#most - batch) * kEventBytes;
  }

  get #waitingBytes(): number {
    return this.#exports.at.value - this.#begin;
  }
}
