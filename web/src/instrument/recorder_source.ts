// What a recorder has written and nobody has taken yet: in the ring of one thread, or in the buffers of many (shared_source.ts).

import { EventKind } from '../protocol/event_layout.ts';
import { isDue, kFirstBatch, nextBatch, untilLook } from '../record/batches.ts';
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
  /** The recorder finds no place for a record. False: it has some now, and what waits may wait on. */
  isToBeTaken(): boolean;
  put(head: number, a: number, b: number, c: number): void;
  /** This thread has the lock: it is writing, or taking. */
  readonly isHeldHere: boolean;
  /** What it writes stands together in the trace. */
  together(write: () => void): void;
}

const kEventBytes = 4 * kEventWords;

/**
 * Of one thread. It writes into the last part of the ring only, up to the next look at the clock. What is not taken then is set aside. As much
 * waits as came in a twentieth of a second before: so that little is lost when the program is killed.
 */
export class RingSource implements RecorderSource {
  isHeldHere = false; // a record is written between two interrupts, and set aside within one
  readonly #exports: RingExports;
  #taken = 0;
  readonly #most: number;
  #batch = kFirstBatch;
  #look = kFirstBatch; // events up to the next one
  #aside = new Uint32Array(0); // grows with the batch
  #asideWords = 0;
  #begin: number; // byte where what waits in the ring begins
  #takenAt = performance.now();

  /** `most`: how many events the ring holds. */
  constructor(exports: RingExports, most: number) {
    this.#exports = exports;
    this.#most = most;
    this.#begin = exports.begin.value;
    if (this.#waitingBytes > 0) return; // it has begun
    this.#writeUpToLook();
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
    const { lost } = this.#exports;
    const words = this.#waitingBytes / 4;
    const missing = (lost?.value ?? 0) >>> 0;
    if (words === 0 && missing === 0) return undefined;
    const records = new Uint32Array(words + (missing === 0 ? 0 : kEventWords));
    records.set(this.#aside.subarray(0, this.#asideWords));
    records.set(this.#inRing, this.#asideWords);
    if (lost !== undefined && missing > 0) {
      records.set([headOf(EventKind.eventsLost, 0), missing], words);
      lost.value = 0;
    }
    this.#asideWords = 0;
    this.#setNextBatch(words / kEventWords);
    this.#writeUpToLook();
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

  isToBeTaken(): boolean {
    if (isDue(this.#waitingBytes / kEventBytes, this.#batch, performance.now() - this.#takenAt)) return true;
    this.isHeldHere = true;
    this.#setAside();
    this.isHeldHere = false;
    return false;
  }

  #setAside(): void {
    const records = this.#inRing;
    const words = this.#asideWords + records.length;
    if (this.#aside.length < words) {
      const larger = new Uint32Array(this.#batch * kEventWords);
      larger.set(this.#aside.subarray(0, this.#asideWords));
      this.#aside = larger;
    }
    this.#aside.set(records, this.#asideWords);
    this.#asideWords = words;
    this.#writeUpToLook();
  }

  /** `events`: that were taken now. */
  #setNextBatch(events: number): void {
    const elapsed = performance.now() - this.#takenAt;
    this.#takenAt += elapsed;
    this.#batch = nextBatch(events, elapsed, this.#batch, this.#most);
    this.#look = untilLook(events, elapsed);
  }

  /** The ring is empty. */
  #writeUpToLook(): void {
    const events = Math.min(this.#look, this.#batch - this.#asideWords / kEventWords);
    this.#begin = this.#exports.begin.value + (this.#most - events) * kEventBytes;
    this.#exports.at.value = this.#begin;
  }

  get #inRing(): Uint32Array {
    const { memory, at } = this.#exports;
    return new Uint32Array(memory.buffer, this.#begin, (at.value - this.#begin) / 4);
  }

  get #waitingBytes(): number {
    return 4 * this.#asideWords + this.#exports.at.value - this.#begin;
  }
}
