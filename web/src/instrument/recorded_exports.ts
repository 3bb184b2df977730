// The heap of a module that cannot be rewritten: its exported malloc and free are wrapped at run time.
//
//   your JavaScript ──▶ wrapper ──▶ malloc        what the module itself allocates goes by unseen
//                          └─▶ records, as an instrumented module's recorder writes them (recorder_module.ts)
//
//  recorded.1  Only calls from JavaScript are seen. Blocks that the module allocates itself and JavaScript frees leave a block_freed
//          that changes nothing (event.P7).
//  recorded.2  The exports of an instance are frozen: then the wrappers are in a copy, and only who calls that is seen. Emscripten's Module is
//          not, so it is changed in place.

import { EventKind, kTraceVersion, Op, Status } from '../protocol/event_layout.ts';
import { headOf, kEventWords } from '../trace/trace.ts';
import { type InstrumentedRecorder, instrumentedRecorder } from './instrumented_recorder.ts';
import { RingSource } from './recorder_source.ts';

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

type Call = (...args: number[]) => number;

const kHeap = 1;
const kRecords = 4096;
const kPage = 65_536;
const kAlignment = 8;

/** Records the calls of exported allocator functions. Throws an Error that names a function that is missing. */
export function recordExports<T extends object>(target: T, names: AllocatorNames): RecordedExports<T> {
  const memoryBytes = memoryOf(target);
  const ring = new ScriptRing();
  const recorder = instrumentedRecorder(new RingSource(ring, kRecords));
  ring.full = () => recorder.drain();
  const writer = new RecordWriter(ring, memoryBytes);
  const malloc = functionOf(target, names.malloc);
  const free = functionOf(target, names.free);
  const wrapped: Record<string, Call> = {
    [names.malloc]: (size) => writer.given(Op.allocate, 0, size ?? 0, malloc(size ?? 0)),
    [names.free]: (address) => {
      writer.freed(address ?? 0);
      return free(address ?? 0);
    },
  };
  if (names.calloc !== undefined) {
    const calloc = functionOf(target, names.calloc);
    wrapped[names.calloc] = (count = 0, size = 0) =>
      writer.given(Op.allocateZeroed, 0, count * size, calloc(count, size));
  }
  if (names.realloc !== undefined) {
    const realloc = functionOf(target, names.realloc);
    wrapped[names.realloc] = (address = 0, size = 0) =>
      writer.given(Op.reallocate, address, size, realloc(address, size));
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
  full = () => {};

  put(head: number, a: number, b: number, c: number): void {
    if (this.at.value === this.#words.byteLength) this.full();
    this.#words.set([head, a, b, c], this.at.value / 4);
    this.at.value += kEventWords * 4;
  }
}

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
  given(op: Op, from: number, request: number, result: number): number {
    const address = result >>> 0;
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
      this.#put(EventKind.segmentAdded, 0, 0, bytes);
    }
    this.#put(EventKind.opBegun, op, address, request);
    if (before === 0 || before === bytes) return;
    this.#put(EventKind.memoryGrown, 1, before / kPage, bytes / kPage, bytes - before);
    this.#put(EventKind.segmentExtended, 0, 0, before, bytes);
  }

  #put(kind: EventKind, detail: number, a: number, b: number, c = 0): void {
    this.#ring.put(headOf(kind, kHeap, detail), a >>> 0, b >>> 0, c >>> 0);
  }
}
