// The recorder of an instrumented module, on JavaScript's side: takes what the recorder module's ring holds, keeps it, and hands it on.
//
//   full() or drain() ─▶ one copy of what waits (recorder_source.ts) ─▶ packet ─▶ kept, listeners
//
//  instr.1  It is a Recorder like a linked program's, as far as a foreign heap goes: nothing is ever lost in the ring, so it knows no mode
//           but lossless; there is no walk, so snapshot() and checkpoint() write nothing.
//  instr.2  Where a walk would say which blocks live (the beginning is not kept, a pause ends, somebody comes late without the past), they
//           are told again from what the events left (left_blocks.ts). That is read from events as they are dropped, so who keeps all
//           pays nothing for it. The default is to keep all.
//  instr.3  full() runs inside the program's malloc: listeners may read, copy and post. While it is paused the program still tells every
//           call; nothing of it is kept or handed on but what it left.
//  instr.4  With threads packets are handed on under the lock of the recorder, so they come in order whoever takes them.
//  instr.5  passOn() is for a file that has everything: nothing is kept, and nothing is known of what the events left.

import { EventKind } from '../protocol/event_layout.ts';
import type { Keep, Packet, Recorder } from '../record/recorder_types.ts';
import type { TraceNotes } from '../trace/file_parts.ts';
import { MarkCode } from '../trace/texts.ts';
import { headOf, kEventWords } from '../trace/trace.ts';
import { joined, TraceFileWriter } from '../trace/trace_writer.ts';
import { LeftBlocks } from './left_blocks.ts';
import type { RecorderSource } from './recorder_source.ts';
import { putText } from './site_writer.ts';

interface Pause {
  /** The first event of it. */
  readonly from: number;
  readonly left: LeftBlocks;
}

/** The recorder of a module that `heapglass instrument` made, or of wrapped exports: its events, for `attach` and for trace files. */
export class InstrumentedRecorder implements Recorder {
  readonly mode = 'lossless';
  readonly lost = 0;
  readonly #source: RecorderSource;
  readonly #listeners = new Set<(packet: Packet) => void>();
  #kept: Packet[] = [];
  #keptEvents = 0;
  #keep: Keep = 'all';
  #left: LeftBlocks | undefined = new LeftBlocks(); // of what was kept no longer; undefined: not known (instr.5)
  #first = 0; // the first event that is kept
  #pause: Pause | undefined;

  constructor(source: RecorderSource) {
    this.#source = source;
  }

  get version(): number {
    return this.#source.version;
  }

  get count(): number {
    return this.#source.count;
  }

  get paused(): boolean {
    return this.#pause !== undefined;
  }

  get keep(): Keep {
    return this.#keep;
  }

  set keep(keep: Keep) {
    if (keep !== 'all' && keep !== 'none' && !(Number.isSafeInteger(keep) && keep > 0)) {
      throw new Error(`heapglass: keep is 'all', 'none' or a number of events from 1 on, not ${String(keep)}`);
    }
    if (keep !== 'none') this.#known();
    this.#source.together(() => {
      this.drain();
      this.#keep = keep;
      this.#trim();
    });
  }

  drain(): void {
    this.#source.together(() => {
      const packet = this.#source.take();
      if (packet === undefined) return;
      if (this.#pause === undefined) this.#add(packet);
      else this.#pause.left.take(packet.records);
    });
  }

  subscribe(listener: (packet: Packet) => void, { past = false }: { readonly past?: boolean } = {}): () => void {
    this.#source.together(() => {
      this.drain();
      const { taken } = this.#source;
      if (past && this.#left !== undefined) for (const packet of this.#all()) listener(packet);
      else if (taken > 0) listener(this.#anew(taken, taken));
      this.#listeners.add(listener);
    });
    return () => this.#listeners.delete(listener);
  }

  /** instr.5: from here on this listener has all events; of earlier ones, if there are any, another thread has told it. */
  passOn(listener: (packet: Packet) => void): void {
    this.#left = undefined;
    this.#keep = 'none';
    this.#kept = [];
    this.#listeners.add(listener);
  }

  records(from = 0): Uint8Array {
    this.drain();
    const packets = from > this.#first ? this.#kept : this.#all();
    const parts = packets.filter((packet) => packet.from + packet.records.length / kEventWords > from);
    const words = parts.map(({ from: first, records, repeated }) =>
      repeated === undefined ? records.subarray(Math.max(0, from - first) * kEventWords) : records,
    );
    return joined(words.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength)));
  }

  trace(notes: TraceNotes = {}): Uint8Array {
    this.drain();
    const writer = new TraceFileWriter({ notes });
    const pieces = this.#all().flatMap(({ records }) => writer.append(records));
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
    if (this.#pause !== undefined) return;
    this.#source.together(() => {
      this.drain();
      this.#pause = { from: this.#source.taken, left: this.#leftNow() };
    });
  }

  resume(): void {
    this.#source.together(() => {
      this.drain();
      const { taken } = this.#source;
      const from = this.#pause?.from ?? taken;
      const packet = taken > from ? this.#anew(taken, taken - from) : undefined;
      this.#pause = undefined;
      if (packet !== undefined) this.#add(packet);
    });
  }

  #add(packet: Packet): void {
    if (this.#left !== undefined) {
      this.#kept.push(packet);
      this.#keptEvents += packet.records.length / kEventWords;
      this.#trim();
    }
    for (const listener of this.#listeners) listener(packet);
  }

  /** Drops whole packets, and the end of a call that lies in the next one. */
  #trim(): void {
    const most = this.#keep === 'all' ? Number.POSITIVE_INFINITY : this.#keep === 'none' ? 0 : this.#keep;
    const left = this.#left;
    if (left === undefined) return;
    for (let [packet, next] = this.#kept; packet !== undefined; [packet, next] = this.#kept) {
      const events = packet.records.length / kEventWords;
      if (this.#keptEvents - events < most) return;
      left.take(packet.records);
      const more = next === undefined || next.repeated !== undefined ? 0 : left.takeToEnd(next.records);
      this.#first = packet.from + (packet.repeated === undefined ? events : 0) + more / kEventWords;
      this.#kept.shift();
      this.#keptEvents -= events + more / kEventWords;
      if (next !== undefined && more > 0) {
        this.#kept[0] = { from: this.#first, records: next.records.subarray(more) };
      }
    }
  }

  /** What is kept, behind what was before it. */
  #all(): readonly Packet[] {
    if (this.#first === 0 || this.#left === undefined) return this.#kept;
    return [restated(this.#left, this.#first, this.#first), ...this.#kept];
  }

  /** The heap as it is now, behind a loss. */
  #anew(from: number, lost: number): Packet {
    if (this.#left === undefined) return { from, records: Uint32Array.of(EventKind.eventsLost, lost, 0, 0) };
    return restated(this.#pause?.left ?? this.#leftNow(), from, lost);
  }

  #leftNow(): LeftBlocks {
    const left = this.#known().copy();
    for (const { records } of this.#kept) left.take(records);
    return left;
  }

  #known(): LeftBlocks {
    if (this.#left !== undefined) return this.#left;
    throw new Error('heapglass: the events go to a file and were not kept, so it is not known which blocks live');
  }
}

function restated(left: LeftBlocks, from: number, lost: number): Packet {
  const records = left.restated(lost);
  return { from, records, repeated: records.length / kEventWords - 1 };
}
