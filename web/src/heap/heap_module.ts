// One instance of the wasm module for the JavaScript heap API: found, compiled, given its imports, and wrapped so that a trap
// becomes a HeapError (heap_traps.ts). Knows nothing of any one heap.
//
//   M1  The module imports at most env.emscripten_notify_memory_growth and heapglass.drain; a placed one its memory and what
//       belongs to it, heapglass.grow and heapglass.may_wait. All set here.
//   M2  No import calls back into the module, and none throws: an exception would unwind a half-done operation.

import type { HeapglassFunctions } from '../protocol/event_layout.ts';
import { compileWasm, textOf } from '../wasm/compile_wasm.ts';
import type { Variant } from '../wasm/heap_artefacts.ts';
import { kScratch } from '../wasm/heap_scratch.ts';
import { type BufferHolder, HeapViews } from '../wasm/heap_views.ts';
import { type BlockProof, blockProof, noProof } from './block_proof.ts';
import { HeapError } from './heap_error.ts';
import { EventRecorder } from './heap_recorder.ts';
import { namingTraps } from './heap_traps.ts';
import type { HeapOptions, HeapShare } from './heap_types.ts';
import { findPlace, isPlaced, isShared, kPageBytes, kStackBytes, needsOf, type Place } from './place.ts';
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
  /** Bytes that are there and that no heap of the module holds. */
  spareBytes(): number;
}

interface ModuleExports extends HeapglassFunctions {
  readonly memory?: WebAssembly.Memory;
  hg_scratch(): number;
  hg_scratch_size(): number;
  hg_spare_bytes(): number;
  hg_place?(begin: number, end: number): void;
  __wasm_apply_data_relocs?(): void;
  __wasm_call_ctors?(): void;
  _initialize?(): void;
}

const kLossless = 1; // mode of hg_trace_start
const kOwnAlign = 8;
const kMostAhead = 256; // pages

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
  const stackTop = place && (joined === undefined ? place.stackTop : bootTopOf(place));
  const stackPointer = new WebAssembly.Global({ value: 'i32', mutable: true }, stackTop ?? 0);
  const growListeners = new Set<(bytes: number) => void>();
  let memory = place?.memory;
  let recorder: EventRecorder | undefined;
  const grown = (): void =>
    queueMicrotask(() => {
      for (const listener of growListeners) listener(memory?.buffer.byteLength ?? 0);
    });
  const waits = place !== undefined && isShared(options) && mayWait();
  const environment = place && {
    memory: place.memory,
    __memory_base: place.data,
    __table_base: 1,
    __stack_pointer: stackPointer,
    __indirect_function_table: new WebAssembly.Table({ initial: (needs?.tableSize ?? 0) + 1, element: 'anyfunc' }),
  };
  const instance = await WebAssembly.instantiate(compiled, {
    env: environment ?? { emscripten_notify_memory_growth: grown },
    heapglass: {
      drain: () => recorder?.drain(),
      grow: (pages: number) => (memory !== undefined && growBy(memory, pages, grown) ? 1 : 0),
      may_wait: () => (waits ? 1 : 0),
    },
  }).catch((cause: unknown) => {
    throw new HeapError('no_module', `the wasm module cannot be started: ${textOf(cause)}`, { cause });
  });
  const exports = checkedExports(instance.exports, options, place);
  memory = place?.memory ?? exports.memory;
  const views = new HeapViews(memory as WebAssembly.Memory);
  const { functions, death } = namingTraps(exports, views);
  let seat: Seat | undefined;
  if (place === undefined || joined === undefined) begin(exports, place);
  else seat = takeSeat(place, functions, stackPointer);
  const made = place !== undefined && joined === undefined && isShared(options);
  if (made ? !openShared(place, functions) : joined !== undefined && seat === undefined) throw noHeap();
  if (options.trace) {
    recorder = new EventRecorder(views, () => exports.hg_trace_ring());
    functions.hg_trace_start(kLossless);
  }
  const align = joined?.align ?? options.align ?? kOwnAlign;
  return {
    checked: options.checked ?? false,
    functions,
    proveBlock: options.checked ? noProof : blockProof(views),
    views,
    contents: options.buffer === undefined ? views : new HeapViews({ buffer: options.buffer }),
    scratch: seat?.scratch ?? exports.hg_scratch() >>> 0,
    scratchWords: ((seat?.scratchBytes ?? exports.hg_scratch_size()) - kScratch.words) / 4,
    recorder,
    growListeners,
    throwOnOutOfMemory: options.throwOnOutOfMemory ?? false,
    align,
    get death() {
      return death();
    },
    share: place && isShared(options) ? { memory: place.memory, module: compiled, align, data: place.data } : undefined,
    leave: seat?.leave,
    spareBytes: () => exports.hg_spare_bytes() >>> 0,
  };
}

export const noHeap = (): HeapError => new HeapError('out_of_memory', 'out of memory: no heap can be made');

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

/** More pages than asked for, so that growing by n bytes takes O(log n) growths; else those. */
function growBy(memory: WebAssembly.Memory, pages: number, grown: () => void): boolean {
  const ahead = Math.min(kMostAhead, Math.floor(memory.buffer.byteLength / kPageBytes / 8));
  for (const more of new Set([Math.max(pages, ahead), pages])) {
    try {
      memory.grow(more);
      grown();
      return true;
    } catch {} // that much is not to be had
  }
  return false;
}

function checkedExports(
  exports: WebAssembly.Exports,
  { trace, checked }: HeapOptions,
  place: Place | undefined,
): ModuleExports {
  const needed = ['hg_heap_create', 'hg_heap_allocate', 'hg_scratch', 'hg_spare_bytes'];
  if (trace || checked) needed.push('hg_trace_ring');
  if (place !== undefined) needed.push('hg_place');
  const missing = needed.filter((name) => typeof exports[name] !== 'function');
  if (place === undefined && !(exports['memory'] instanceof WebAssembly.Memory)) missing.push('memory');
  if (missing.length > 0) {
    const probes = missing.length === 1 && missing[0] === 'hg_trace_ring';
    const what = probes
      ? `has no probes, pass a ${checked ? 'checked' : 'trace'} module`
      : 'is not a heapglass module of this version';
    throw new HeapError('no_module', `the wasm module ${what} (no export ${missing.join(', ')})`);
  }
  return exports as unknown as ModuleExports;
}
