// What the threads of a module have written and nobody has taken yet: buffers in the memory that their recorders share.
//
//   share.1  Who takes, or writes several records, has the recorder's lock meanwhile.
//   share.2  A thread that was ended while it wrote keeps the lock for ever. So whoever needs it waits for a bounded time, then goes on
//            without: a record is counted when it is whole.
//   share.3  What found no room is counted behind the rest by events_lost; nothing behind it is known (event.P6).

import { EventKind } from '../protocol/event_layout.ts';
import { headOf, kEventWords } from '../trace/trace.ts';
import { joined } from '../trace/trace_writer.ts';
import type { RecorderExports, RecorderSource, Taken } from './recorder_source.ts';
import { kBuffer, kShared } from './shared_layout.ts';
import { enter, type Lock } from './shared_lock.ts';

export interface SharedExports extends RecorderExports, Lock {
  /** The number of a key, or, of a new one, its number negated. */
  intern(key: bigint): number;
}

/** As any thread sees them, also one that records nothing. */
export class SharedBuffers {
  readonly memory: WebAssembly.Memory;
  readonly #lock: Lock;

  constructor(lock: Lock, memory: WebAssembly.Memory) {
    this.#lock = lock;
    this.memory = memory;
  }

  get count(): number {
    return this.taken + this.#waiting().reduce((sum, { length }) => sum + length / kEventWords, 0);
  }

  take(): Taken | undefined {
    let taken: Taken | undefined;
    this.together(() => {
      taken = this.#takeAll();
    });
    return taken;
  }

  together(write: () => void): void {
    const hasLock = enter(this.#lock, this.memory);
    try {
      write();
    } finally {
      if (hasLock) this.#lock.leave();
    }
  }

  get isHeldHere(): boolean {
    return this.#lock.entered.value > 0;
  }

  /** Of the file that every thread writes to. */
  get file(): number {
    return this.word('file') - 1;
  }

  set file(descriptor: number) {
    this.#words[kShared.file / 4] = descriptor + 1;
  }

  word(name: Exclude<keyof typeof kShared, 'taken'>): number {
    return this.#words[kShared[name] / 4] ?? 0;
  }

  get #words(): Uint32Array {
    return new Uint32Array(this.memory.buffer);
  }

  get taken(): number {
    return new Float64Array(this.memory.buffer)[kShared.taken / 8] ?? 0;
  }

  #takeAll(): Taken | undefined {
    const words = this.#words;
    const parts = this.#waiting();
    const lost = this.word('lost');
    if (lost > 0) parts.push(Uint32Array.of(headOf(EventKind.eventsLost, 0), lost, 0, 0));
    if (parts.length === 0) return undefined;
    const first = this.word('first');
    words[kShared.buffer / 4] = first;
    words[kShared.at / 4] = first + kBuffer.head;
    words[kShared.lost / 4] = 0;
    const bytes = joined(parts.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength)));
    const records = new Uint32Array(bytes.buffer);
    const from = this.taken;
    new Float64Array(this.memory.buffer)[kShared.taken / 8] = from + records.length / kEventWords;
    return { from, records };
  }

  /** Views on the records, in order. */
  #waiting(): Uint32Array<ArrayBufferLike>[] {
    const words = this.#words;
    const last = this.word('buffer');
    const parts: Uint32Array<ArrayBufferLike>[] = [];
    for (let buffer = this.word('first'); buffer !== 0; buffer = words[buffer / 4] ?? 0) {
      const end = buffer === last ? this.word('at') : buffer + kBuffer.bytes;
      if (end > buffer + kBuffer.head) parts.push(words.subarray((buffer + kBuffer.head) / 4, end / 4));
      if (buffer === last) break;
    }
    return parts;
  }
}

/** As a thread sees them that records. */
export class SharedSource extends SharedBuffers implements RecorderSource {
  readonly #exports: SharedExports;

  constructor(exports: SharedExports, memory: WebAssembly.Memory) {
    super(exports, memory);
    this.#exports = exports;
  }

  get version(): number {
    return this.#exports.version.value;
  }

  isToBeTaken(): boolean {
    return true;
  }

  put(head: number, a: number, b: number, c: number): void {
    this.#exports.put(head, a, b, c);
  }
}
