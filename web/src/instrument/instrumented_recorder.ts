// The recorder of an instrumented module, on JavaScript's side: takes what the recorder module's ring holds, keeps it, and hands it on.
//
//   full() or drain() ─▶ one copy of what waits (recorder_source.ts) ─▶ packet ─▶ kept, listeners
//
//  instr.1  It is a Recorder like a linked program's, as far as a foreign heap goes: nothing is ever lost, so it knows no mode but
//           lossless, and needs no snapshot; there is no walk, so snapshot() and checkpoint() write nothing.
//  instr.2  Who comes late gets the past, if it was kept; without it the live blocks would not be known. So the default is to keep all.
//  instr.4  With threads packets are handed on under the lock of the recorder, so they come in order whoever takes them.
//  instr.3  full() runs inside the program's malloc: listeners may read, copy and post.

import { EventKind } from '../protocol/event_layout.ts';
import type { Keep, Packet, Recorder } from '../record/recorder_types.ts';
import { MarkCode } from '../trace/texts.ts';
import { headOf, kEventWords } from '../trace/trace.ts';
import { joined, TraceFileWriter } from '../trace/trace_writer.ts';
import type { RecorderSource } from './recorder_source.ts';
import { putText } from './site_writer.ts';

export class InstrumentedRecorder implements Recorder {
  readonly mode = 'lossless';
  readonly lost = 0;
  readonly paused = false;
  readonly #source: RecorderSource;
  readonly #listeners = new Set<(packet: Packet) => void>();
  #kept: Packet[] = [];
  #keep: 'all' | 'none' = 'all';

  constructor(source: RecorderSource) {
    this.#source = source;
  }

  get version(): number {
    return this.#source.version;
  }

  get count(): number {
    return this.#source.count;
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
    this.#source.together(() => {
      const packet = this.#source.take();
      if (packet === undefined) return;
      if (this.#keep === 'all') this.#kept.push(packet);
      for (const listener of this.#listeners) listener(packet);
    });
  }

  subscribe(listener: (packet: Packet) => void, { past = false }: { readonly past?: boolean } = {}): () => void {
    this.drain();
    const { taken } = this.#source;
    const missing = taken - this.#kept.reduce((sum, { records }) => sum + records.length / kEventWords, 0);
    if (missing > 0) listener({ from: taken, records: Uint32Array.of(EventKind.eventsLost, missing, 0, 0) });
    else if (past || taken > 0) for (const packet of this.#kept) listener(packet);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** As subscribe, for who knows what was before: another thread has it. */
  follow(listener: (packet: Packet) => void): void {
    this.#listeners.add(listener);
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
    const source = this.#source;
    source.together(() => {
      putText(text, (...record) => source.put(...record));
      source.put(headOf(EventKind.mark, 1, MarkCode.named), 0, 0, 0);
    });
  }

  snapshot(): void {}

  checkpoint(): void {}

  pause(): void {
    throw new Error('heapglass: an instrumented module cannot pause: which blocks live would not be known behind it');
  }

  resume(): void {}
}
