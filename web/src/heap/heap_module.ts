// The wasm module for the JavaScript heap API: found, compiled, started (heap_instance.ts), and wrapped so that a trap becomes a
// HeapError (heap_traps.ts). Knows nothing of any one heap. A shrink exchanges its instance: nobody keeps `functions` or a memory.

import type { HeapglassFunctions } from '../protocol/event_layout.ts';
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
  /** Addresses of its heaps and memory pools that live. */
  readonly heaps: Set<number>;
  /** Why its memory cannot be exchanged for a smaller one; undefined: it can. */
  readonly fixed: string | undefined;
  /** Bytes that are there and that no heap of the module holds. */
  spareBytes(): number;
  /** Another instance, on a fresh memory of the least size. Throws a HeapError. */
  startFresh(): Promise<HeapInstance>;
  /** Goes on with that instance. */
  exchange(instance: HeapInstance): void;
}

const kLossless = 1; // mode of hg_trace_start
const kOwnAlign = 8;

/** Gives the module of a variant when the caller gives none. */
export type ModuleFinder = (variant: Variant) => Promise<WebAssembly.Module>;

/** The variant that the options ask for. */
function variantOf(options: HeapOptions): Variant {
  if (isShared(options)) return 'shared';
  const watched = options.checked ? 'checked' : options.trace ? 'trace' : undefined;
  if (!isPlaced(options)) return watched ?? 'release';
  return watched === undefined ? 'placed' : `placed-${watched}`;
}

/** Loads the variant that the options ask for. Throws a HeapError (`no_module`) when it cannot. */
export async function loadHeapModule(options: HeapOptions, find: ModuleFinder): Promise<HeapModule> {
  const compiled = await Promise.resolve(options.wasm)
    .then((given) => (given === undefined ? find(variantOf(options)) : compileWasm(given)))
    .catch((cause: unknown) => {
      throw new HeapError('no_module', textOf(cause), { cause });
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
  if (place === undefined || joined === undefined) begin(first.exports, place);
  else seat = takeSeat(place, named.functions, first.stackPointer);
  const made = place !== undefined && joined === undefined && isShared(options);
  if (made ? !openShared(place, named.functions) : joined !== undefined && seat === undefined) throw noHeap();
  if (options.trace) {
    recorder = new EventRecorder(views, () => (current as HeapInstance).exports.hg_trace_ring());
    named.functions.hg_trace_start(kLossless);
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
    heaps: new Set(),
    fixed: whyFixed(options),
    spareBytes: () => (current as HeapInstance).exports.hg_spare_bytes() >>> 0,
    startFresh: async () => startInstance(compiled, plan, place && newMemory(options, false), host),
    exchange: (instance) => {
      current = instance;
      views.exchange(instance.memory);
      named = namingTraps(instance.exports, views);
      if (!options.checked) proof = blockProof(views); // the last one keeps a view
    },
  };
}

export const noHeap = (): HeapError => new HeapError('out_of_memory', 'out of memory: no heap can be made');

/** Memory that others hold stays what it is. */
function whyFixed(options: HeapOptions): string | undefined {
  if (isShared(options))
    return 'the heap is shared: other workers are in its memory, and none can be made to go on in another';
  if (options.memory !== undefined) return 'the memory is yours: a heap can exchange only a memory that it made';
  if (options.buffer !== undefined) return 'the buffer is yours: a heap can exchange only a memory that it made';
  return undefined;
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
