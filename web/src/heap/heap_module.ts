// The wasm module for the JavaScript heap API: found, compiled, started (heap_instance.ts), and wrapped so that a trap becomes a
// HeapError (heap_traps.ts). Knows nothing of any one heap. A shrink exchanges its instance: nobody keeps `functions` or a memory.

import type { HeapglassFunctions } from '../protocol/event_layout.ts';
import { crc32OfWords } from '../trace/crc32.ts';
import { compileWasm, textOf } from '../wasm/compile_wasm.ts';
import type { Variant } from '../wasm/heap_artefacts.ts';
import { kScratch } from '../wasm/heap_scratch.ts';
import { type BufferHolder, HeapViews } from '../wasm/heap_views.ts';
import { type BlockProof, blockProof, noProof } from './block_proof.ts';
import { HeapError } from './heap_error.ts';
import { type HeapInstance, type InstanceHost, type ModuleExports, startInstance } from './heap_instance.ts';
import { EventRecorder } from './heap_recorder.ts';
import { namingTraps } from './heap_traps.ts';
import type { HeapOptions, HeapShare } from './heap_types.ts';
import { findPlace, isPlaced, isShared, kStackBytes, needsOf, newMemory, type Place } from './place.ts';
import { bootTopOf, mayWait, openShared, type Seat, takeSeat } from './shared_heap.ts';

export interface HeapModule {
  readonly checked: boolean;
  readonly functions: HeapglassFunctions;
  /** Refuses an address at which no block in use begins. */
  readonly proveBlock: BlockProof;
  /** The memory that wasm sees. */
  readonly views: HeapViews;
  /** The bytes of blocks: the same, or a caller's buffer. */
  readonly contents: HeapViews<BufferHolder>;
  /** Memory for arguments and results, see heap_scratch.ts; and how many words of lists it holds. */
  readonly scratch: number;
  readonly scratchWords: number;
  readonly recorder: EventRecorder | undefined;
  readonly growListeners: Set<(bytes: number) => void>;
  readonly throwOnOutOfMemory: boolean;
  readonly align: number;
  /** What ended the module; undefined while it lives. */
  readonly death: HeapError | undefined;
  /** Of a shared heap: what another worker needs. */
  readonly share: Omit<HeapShare, 'heap'> | undefined;
  /** Of a heap that came from another worker: ends its use here. */
  readonly leave: (() => void) | undefined;
  /** Its heaps and memory pools that live and were made here, in that order. */
  readonly handles: Set<Handle>;
  /** Why its memory cannot be exchanged, kept or set back as a whole; undefined: it can. */
  readonly fixed: string | undefined;
  /** Which profile it is, and of which build: data at other places, or other functions, give another mark. */
  readonly profile: Variant;
  mark(): number;
  readonly options: HeapOptions;
  /** Bytes that are there and that no heap of the module holds. */
  spareBytes(): number;
  /** Another instance, on a fresh memory of the least size. Throws a HeapError. */
  startFresh(): Promise<HeapInstance>;
  /** Goes on with that instance from the call of what it gives on; that call cannot fail. */
  exchange(instance: HeapInstance): () => void;
}

/** What JavaScript knows of a heap or memory pool beside its bytes. */
export interface Handle {
  /** Address of the hg_heap, 0 when destroyed. */
  readonly address: number;
  readonly record: HandleRecord;
  /** Gives the function that makes all this what it is now, as often as it is called. */
  keep(): () => void;
  /** Its memory is gone, or holds something else. */
  forget(): void;
}

/** Addresses of one heap and its pools. */
export interface HandleRecord {
  readonly heap: number;
  readonly pools: readonly number[];
  /** Of a memory pool: the address of the hg_memory_pool, and its bytes. */
  readonly memoryPool?: number;
  readonly fixedSize?: number;
}

const kLossless = 1; // mode of hg_trace_start
const kOwnAlign = 8;

/** Gives the module of a variant when the caller gives none. */
export type ModuleFinder = (variant: Variant) => Promise<WebAssembly.Module>;

/** The variant that the options ask for. */
export function variantOf(options: HeapOptions): Variant {
  if (isShared(options)) return 'shared';
  const watched = options.checked ? 'checked' : options.trace ? 'trace' : undefined;
  if (!isPlaced(options)) return watched ?? 'release';
  return watched === undefined ? 'placed' : `placed-${watched}`;
}

/** The contents of a memory that another module of the same build had. */
export interface Image {
  /** Throws a HeapError when the module is another one. */
  prove(mark: number): void;
  /** Writes it; where memory ends that must be there. */
  write(memory: WebAssembly.Memory): number;
  readonly events: Uint32Array;
}

/** Loads the variant that the options ask for, with an image as it was. Throws a HeapError (`no_module`) when it cannot. */
export async function loadHeapModule(options: HeapOptions, find: ModuleFinder, image?: Image): Promise<HeapModule> {
  const compiled = await Promise.resolve(options.wasm)
    .then((given) => (given === undefined ? find(variantOf(options)) : compileWasm(given)))
    .catch((cause: unknown) => {
      throw cause instanceof HeapError ? cause : new HeapError('no_module', textOf(cause), { cause });
    });
  const joined = typeof options.shared === 'object' ? options.shared : undefined;
  const placed = isPlaced(options) || WebAssembly.Module.imports(compiled).some(({ kind }) => kind === 'memory');
  const needs = placed ? needsOf(compiled) : undefined;
  const place = needs && (joined === undefined ? findPlace(options, needs) : placeOfShare(joined, needs.dataBytes));
  const stackTop = (place && (joined === undefined ? place.stackTop : bootTopOf(place))) ?? 0;
  const waits = place !== undefined && isShared(options) && mayWait();
  const growListeners = new Set<(bytes: number) => void>();
  let current: HeapInstance | undefined;
  let recorder: EventRecorder | undefined;
  const host: InstanceHost = {
    memory: () => current?.memory ?? place?.memory,
    grown: () =>
      queueMicrotask(() => {
        for (const listener of growListeners) listener(host.memory()?.buffer.byteLength ?? 0);
      }),
    drain: () => recorder?.drain(),
  };
  const plan = { options, place, tableSize: needs?.tableSize ?? 0, stackTop, waits };
  const first = await startInstance(compiled, plan, place?.memory, host);
  current = first;
  const views = new HeapViews(first.memory);
  let named = namingTraps(first.exports, views);
  let seat: Seat | undefined;
  const fixed = whyFixed(options);
  const mark = fixed === undefined ? markOf(compiled, first, place?.data ?? 0) : () => 0;
  if (image !== undefined) {
    image.prove(mark());
    named.functions.hg_memory_moved(image.write(first.memory));
  } else if (place === undefined || joined === undefined) begin(first.exports, place);
  else seat = takeSeat(place, named.functions, first.stackPointer);
  const made = place !== undefined && joined === undefined && isShared(options);
  if (made ? !openShared(place, named.functions) : joined !== undefined && seat === undefined) throw noHeap();
  if (options.trace) {
    recorder = new EventRecorder(views, () => (current as HeapInstance).exports.hg_trace_ring());
    if (image === undefined) named.functions.hg_trace_start(kLossless);
    else recorder.append(image.events);
  }
  let proof = options.checked ? noProof : blockProof(views);
  const align = joined?.align ?? options.align ?? kOwnAlign;
  return {
    checked: options.checked ?? false,
    get functions() {
      return named.functions;
    },
    get proveBlock() {
      return proof;
    },
    views,
    contents: options.buffer === undefined ? views : new HeapViews<BufferHolder>({ buffer: options.buffer }),
    scratch: seat?.scratch ?? first.exports.hg_scratch() >>> 0,
    scratchWords: ((seat?.scratchBytes ?? first.exports.hg_scratch_size()) - kScratch.words) / 4,
    recorder,
    growListeners,
    throwOnOutOfMemory: options.throwOnOutOfMemory ?? false,
    align,
    get death() {
      return named.death();
    },
    share: place && isShared(options) ? { memory: place.memory, module: compiled, align, data: place.data } : undefined,
    leave: seat?.leave,
    handles: new Set(),
    fixed,
    profile: variantOf(options),
    mark,
    options,
    spareBytes: () => (current as HeapInstance).exports.hg_spare_bytes() >>> 0,
    startFresh: async () => startInstance(compiled, plan, place && newMemory(options, false), host),
    exchange: (instance) => {
      const useMemory = views.exchange(instance.memory);
      const next = namingTraps(instance.exports, views);
      return () => {
        current = instance;
        useMemory();
        named = next;
        if (!options.checked) proof = blockProof(views); // the last one keeps a view
      };
    },
  };
}

export const noHeap = (): HeapError => new HeapError('out_of_memory', 'out of memory: no heap can be made');

/** Memory that others hold stays what it is. */
function whyFixed(options: HeapOptions): string | undefined {
  if (isShared(options)) return 'the heap is shared, and other workers are in its memory';
  if (options.memory !== undefined) return 'the memory is yours, and a heap decides only about a memory that it made';
  if (options.buffer !== undefined) return 'the buffer is yours, and a heap decides only about a memory that it made';
  return undefined;
}

const kMarkedBytes = 16_384; // tables and texts lie first

/** Computed when it is asked for, of a copy: what is given refers to no instance. pre: the module has not run yet */
function markOf(compiled: WebAssembly.Module, { exports, memory }: HeapInstance, data: number): () => number {
  const begin = Math.ceil(data / 4);
  const first = new Uint32Array(memory.buffer).slice(begin, begin + kMarkedBytes / 4);
  const layout = [exports.hg_scratch() >>> 0, exports.hg_scratch_size(), memory.buffer.byteLength, data];
  return () => {
    const names = WebAssembly.Module.exports(compiled).map(({ name }) => name);
    const text = new TextEncoder().encode(names.join());
    const words = new Uint32Array(layout.length + text.length + first.length);
    words.set(layout);
    words.set(text, layout.length);
    words.set(first, layout.length + text.length);
    return crc32OfWords(words);
  };
}

/** The data are laid out already, by the worker that made the heap (shared.W4). */
function placeOfShare({ memory, data }: HeapShare, dataBytes: number): Place {
  const stackTop = Math.ceil((data + dataBytes) / 16) * 16 + kStackBytes;
  return { memory: memory as WebAssembly.Memory, data, stackTop, begin: 0, end: 0 };
}

function begin(exports: ModuleExports, place: Place | undefined): void {
  exports.__wasm_apply_data_relocs?.();
  exports.__wasm_call_ctors?.();
  exports._initialize?.();
  if (place !== undefined) exports.hg_place?.(place.begin, place.end);
}
