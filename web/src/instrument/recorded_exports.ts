// The heap of a module that cannot be rewritten: its exported malloc and free are wrapped at run time.
//
//   your JavaScript ──▶ wrapper ──▶ malloc        what the module itself allocates goes by unseen
//                          └─▶ records, as an instrumented module's recorder writes them (recorder_module.ts)
//
//  recorded.1  Only calls from JavaScript are seen. Blocks that the module allocates itself and JavaScript frees leave a block_freed
//          that changes nothing (event.P7).
//  recorded.2  The exports of an instance are frozen: then the wrappers are in a copy, and only who calls that is seen. Emscripten's Module is
//          not, so it is changed in place.
//   recorded.3  A memory with 64-bit addresses is recorded up to 4 GiB, as in an instrumented module (wide_text.ts).

import { EventKind, kTraceVersion, Op, Status } from '../protocol/event_layout.ts';
import { kBehindText } from '../trace/address_end.ts';
import { MarkCode } from '../trace/texts.ts';
import { headOf, kEventWords } from '../trace/trace.ts';
import { type InstrumentedRecorder, instrumentedRecorder } from './instrumented_recorder.ts';
import { RingSource } from './recorder_source.ts';
import { putText } from './site_writer.ts';
import { kMostRecorded } from './wide_text.ts';

/** Names of exported functions: 'malloc' of an instance, '_malloc' of Emscripten's Module. */
export interface AllocatorNames {
  readonly malloc: string;
  readonly free: string;
  readonly calloc?: string;
  readonly realloc?: string;
}

/** Exports whose allocator is recorded, and their recorder. */
export interface RecordedExports<T> {
  /** What to call from now on: the object itself where it could be changed, else a copy. */
  readonly exports: T;
  readonly recorder: InstrumentedRecorder;
}

/** Of a memory with 64-bit addresses they are BigInt, or numbers where Emscripten's JavaScript stands before it. */
type Value = number | bigint;
type Call = (...args: Value[]) => Value;

/** Exports of wasm32 give signed numbers. */
const wordOf = (value: Value): number => (value < 0 ? Number(value) >>> 0 : Number(value));

const kHeap = 1;
const kRecords = 4096;
const kPage = 65_536;
const kAlignment = 8;

/** Records the calls of exported allocator functions. Throws an Error that names a function that is missing. */
export function recordExports<T extends object>(target: T, names: AllocatorNames): RecordedExports<T> {
  const memoryBytes = memoryOf(target);
  const ring = new ScriptRing();
  const source = new RingSource(ring, kRecords);
  const recorder = instrumentedRecorder(source);
  ring.full = () => {
    if (source.isToBeTaken()) recorder.drain();
  };
  const writer = new RecordWriter(ring, memoryBytes);
  const malloc = functionOf(target, names.malloc);
  const free = functionOf(target, names.free);
  const wrapped: Record<string, Call> = {
    [names.malloc]: (size = 0) => writer.given(Op.allocate, 0, wordOf(size), malloc(size)),
    [names.free]: (address = 0) => {
      writer.freed(wordOf(address));
      return free(address);
    },
  };
  if (names.calloc !== undefined) {
    const calloc = functionOf(target, names.calloc);
    wrapped[names.calloc] = (count = 0, size = 0) =>
      writer.given(Op.allocateZeroed, 0, wordOf(count) * wordOf(size), calloc(count, size));
  }
  if (names.realloc !== undefined) {
    const realloc = functionOf(target, names.realloc);
    wrapped[names.realloc] = (address = 0, size = 0) =>
      writer.given(Op.reallocate, wordOf(address), wordOf(size), realloc(address, size));
  }
  const exports = Object.isFrozen(target) ? { ...target, ...wrapped } : Object.assign(target, wrapped);
  return { exports, recorder };
}

function functionOf(target: object, name: string): Call {
  const found = (target as Readonly<Record<string, unknown>>)[name];
  if (typeof found !== 'function') throw new Error(`there is no function "${name}" in what is to be recorded`);
  return found as Call;
}

/** How large its memory is, in bytes. */
function memoryOf(target: object): () => number {
  const { memory, wasmMemory, HEAPU8 } = target as Readonly<Record<string, unknown>>;
  for (const each of [memory, wasmMemory]) if (each instanceof WebAssembly.Memory) return () => each.buffer.byteLength;
  if (HEAPU8 instanceof Uint8Array) return () => (target as { readonly HEAPU8: Uint8Array }).HEAPU8.buffer.byteLength;
  throw new Error('the size of its memory is not known: it has no memory, wasmMemory or HEAPU8');
}

/** A ring as the recorder module has, in JavaScript's own memory. */
class ScriptRing {
  readonly #words = new Uint32Array(kRecords * kEventWords);
  readonly memory = { buffer: this.#words.buffer };
  readonly begin = { value: 0 };
  readonly at = { value: 0 };
  readonly version = { value: kTraceVersion };
  /** Records that were not written since they were taken last. */
  readonly lost = { value: 0 };
  #isBehind = false;
  full = () => {};

  /** A block does not end below 4 GiB: as in an instrumented module (wide_text.ts). */
  endRecording(): void {
    if (this.#isBehind) return;
    putText(kBehindText, (...record) => this.put(...record));
    this.put(headOf(EventKind.mark, kHeap, MarkCode.named), 0, 0, 0);
    this.#isBehind = true;
  }

  put(head: number, a: number, b: number, c: number): void {
    if (this.#isBehind) {
      this.lost.value += 1;
      return;
    }
    if (this.at.value === this.#words.byteLength) this.full();
    this.#words.set([head, a, b, c], this.at.value / 4);
    this.at.value += kEventWords * 4;
  }
}

/** Of memory, in bytes: recorder_module.ts, Rec.8. */
const recordedBytes = (bytes: number): number => Math.min(bytes, kMostRecorded);
const clipped = (value: number): number => Math.min(value, 0xffff_ffff);

/** The records of a call, in the order of recorder_module.ts. */
class RecordWriter {
  readonly #ring: ScriptRing;
  readonly #memoryBytes: () => number;
  #known = 0; // bytes of memory that were told

  constructor(ring: ScriptRing, memoryBytes: () => number) {
    this.#ring = ring;
    this.#memoryBytes = memoryBytes;
  }

  /** Of an allocation that has returned; `from` is the block that it resized. Gives the address. */
  given(op: Op, from: number, request: number, result: Value): Value {
    const address = wordOf(result);
    if (address !== 0 && address + request > kMostRecorded) this.#ring.endRecording();
    this.#asked(op, from, request);
    if (from !== 0 && (address !== 0 || request === 0)) this.#put(EventKind.blockFreed, 0, from, 0);
    if (address !== 0) this.#put(EventKind.blockAllocated, 0, address, request);
    const status = address === 0 && request !== 0 ? Status.outOfMemory : Status.ok;
    this.#put(EventKind.opEnded, op, address, address === 0 ? 0 : request, status);
    return result;
  }

  /** Before it is done. */
  freed(address: number): void {
    if (address === 0) return;
    if (address > kMostRecorded) this.#ring.endRecording();
    this.#asked(Op.deallocate, address, 0);
    this.#put(EventKind.blockFreed, 0, address, 0);
    this.#put(EventKind.opEnded, Op.deallocate, 0, 0, Status.ok);
  }

  #asked(op: Op, address: number, request: number): void {
    const bytes = this.#memoryBytes();
    const before = this.#known;
    this.#known = bytes;
    if (before === 0) {
      this.#put(EventKind.heapCreated, 0, 0, kAlignment);
      this.#put(EventKind.segmentAdded, 0, 0, recordedBytes(bytes));
    }
    this.#put(EventKind.opBegun, op, address, request);
    if (before === 0 || before === bytes) return;
    this.#put(EventKind.memoryGrown, 1, before / kPage, bytes / kPage, bytes - before);
    if (recordedBytes(before) !== recordedBytes(bytes))
      this.#put(EventKind.segmentExtended, 0, 0, recordedBytes(before), recordedBytes(bytes));
  }

  #put(kind: EventKind, detail: number, a: number, b: number, c = 0): void {
    this.#ring.put(headOf(kind, kHeap, detail), clipped(a), clipped(b), clipped(c));
  }
}
