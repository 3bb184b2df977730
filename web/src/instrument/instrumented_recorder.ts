// The recorder of an instrumented module, on JavaScript's side: takes what the recorder module's ring holds, keeps it, and hands it on.
//
//   full() or drain() ─▶ one copy of [begin, at) ─▶ packet ─▶ kept, listeners
//
//  instr.1  It is a Recorder like a linked program's, as far as a foreign heap goes: nothing is ever lost, so it knows no mode but
//           lossless, and needs no snapshot; there is no walk, so snapshot() and checkpoint() write nothing.
//  instr.2  Who comes late gets the past, if it was kept; without it the live blocks would not be known. So the default is to keep all.
//  instr.3  full() runs inside the program's malloc: listeners may read, copy and post.

import { EventKind } from '../protocol/event_layout.ts';
import type { Keep, Packet, Recorder } from '../record/recorder_types.ts';
import { MarkCode } from '../trace/texts.ts';
import { headOf, kEventWords } from '../trace/trace.ts';
import { joined, TraceFileWriter } from '../trace/trace_writer.ts';
import { putText } from './site_writer.ts';

/** What the recorder module exports (recorder_module.ts). */
export interface RecorderExports {
  readonly memory: { readonly buffer: ArrayBufferLike };
  readonly version: { readonly value: number };
  readonly begin: { readonly value: number };
  readonly at: { value: number };
  /** Of a module that is sampled: bytes from one sample to the next. */
  readonly mean?: { readonly value: number };
  put(head: number, a: number, b: number, c: number): void;
}

export class InstrumentedRecorder implements Recorder {
  readonly mode = 'lossless';
  readonly lost = 0;
  readonly paused = false;
  readonly #exports: RecorderExports;
  readonly #listeners = new Set<(packet: Packet) => void>();
  #kept: Packet[] = [];
  #keep: 'all' | 'none' = 'all';
  #taken = 0; // events

  constructor(exports: RecorderExports) {
    this.#exports = exports;
  }

  get version(): number {
    return this.#exports.version.value;
  }

  get count(): number {
    return this.#taken + this.#waitingBytes / (4 * kEventWords);
  }

  get keep(): Keep {
    return this.#keep;
  }

  set keep(keep: Keep) {
    if (keep !== 'all' && keep !== 'none') {
      throw new Error(
        'heapglass: an instrumented module keeps "all" or "none": the last events alone would not say which blocks live',
      );
    }
    this.drain();
    this.#keep = keep;
    if (keep === 'none') this.#kept = [];
  }

  drain(): void {
    const { memory, begin, at } = this.#exports;
    const bytes = this.#waitingBytes;
    if (bytes === 0) return;
    const records = new Uint32Array(memory.buffer, begin.value, bytes / 4).slice();
    at.value = begin.value;
    const packet = { from: this.#taken, records };
    this.#taken += records.length / kEventWords;
    if (this.#keep === 'all') this.#kept.push(packet);
    for (const listener of this.#listeners) listener(packet);
  }

  subscribe(listener: (packet: Packet) => void, { past = false }: { readonly past?: boolean } = {}): () => void {
    this.drain();
    const missing = this.#taken - this.#kept.reduce((sum, { records }) => sum + records.length / kEventWords, 0);
    if (missing > 0) listener({ from: this.#taken, records: Uint32Array.of(EventKind.eventsLost, missing, 0, 0) });
    else if (past || this.#taken > 0) for (const packet of this.#kept) listener(packet);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  records(from = 0): Uint8Array {
    this.drain();
    const parts = this.#kept.filter((packet) => packet.from + packet.records.length / kEventWords > from);
    const words = parts.map(({ from: first, records }) => records.subarray(Math.max(0, from - first) * kEventWords));
    return joined(words.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength)));
  }

  trace(): Uint8Array {
    this.drain();
    const writer = new TraceFileWriter();
    const pieces = this.#kept.flatMap(({ records }) => writer.append(records));
    return joined([...pieces, ...writer.end()]);
  }

  mark(text: string): void {
    const { put } = this.#exports;
    putText(text, put);
    put(headOf(EventKind.mark, 1, MarkCode.named), 0, 0, 0);
  }

  snapshot(): void {}

  checkpoint(): void {}

  pause(): void {
    throw new Error('heapglass: an instrumented module cannot pause: which blocks live would not be known behind it');
  }

  resume(): void {}

  get #waitingBytes(): number {
    return this.#exports.at.value - this.#exports.begin.value;
  }
}
