// A program linked by Emscripten with --shrink, as its own JavaScript sees it: the only file that knows Emscripten's names. The bundle of
// this folder is put before that JavaScript (--pre-js), in the same scope, where the names below are found.
//
//  linked.P1  For Emscripten 3.1.6 and newer: names that only some have are asked for by typeof. The syntax is held to 2018, without
//      destructuring and classes (tools/build_recorder.mjs proves it).

import type { ProgramAllocator, ProgramRecorder } from '../exchange.ts';

export type Receive = (instance: { exports: Record<string, unknown> }, module: WebAssembly.Module) => unknown;
export type InstantiateWasm = (imports: WebAssembly.Imports, receive: Receive) => unknown;

interface ProgramModule {
  instantiateWasm?: InstantiateWasm;
  heapglassMemory?: unknown;
  heapglass?: { mark?(text: string): void };
  wasmMemory?: WebAssembly.Memory;
  asm?: Record<string, unknown>;
}

declare const Module: ProgramModule;
declare let wasmMemory: WebAssembly.Memory;
declare let wasmBinaryFile: string | undefined;
declare const updateMemoryViews: (() => void) | undefined; // since 3.1.31
declare const updateGlobalBufferAndViews: ((buffer: ArrayBufferLike) => void) | undefined; // before
declare const findWasmBinary: (() => string) | undefined; // since 3.1.58
declare const getWasmBinary: ((file: string) => Promise<ArrayBufferLike>) | undefined; // since 4
declare const getBinaryPromise: ((file?: string) => Promise<ArrayBufferLike>) | undefined; // before
declare const getBinarySync: ((file: string) => ArrayBufferLike) | undefined; // since 3.1.40
declare const getBinary: ((file: string) => ArrayBufferLike) | undefined; // before
declare const instantiateSync: unknown; // only with -sWASM_ASYNC_COMPILATION=0
declare let memory: unknown; // since 4: the export, beside wasmMemory
declare const createWasm: unknown;
declare const abort: (what: unknown) => never;
declare const heapglassRecorder: { readonly setBack?: ProgramRecorder['setBack'] } | undefined; // linked with a recorder
declare const Asyncify: { readonly state: number; readonly currData: unknown } | undefined;
declare let ABORT: boolean;
declare let EXITSTATUS: number | undefined;
declare let runtimeExited: boolean | undefined;
declare let runtimeKeepaliveCounter: number | undefined;
declare const ENVIRONMENT_IS_PTHREAD: boolean | undefined;
declare const ENVIRONMENT_IS_WASM_WORKER: boolean | undefined;
declare const _hg_malloc_trim: (pad: number) => number;
declare const _hg_heap_returnable: (heap: number, pageBytes: number) => number;
declare const _hg_heap_free_pages: (
  heap: number,
  page: number,
  cursor: number,
  runs: number,
  capacity: number,
) => number;
declare const _hg_malloc_cached_pages: (page: number, cursor: number, runs: number, capacity: number) => number;
declare const _hg_memory_free_pages: (page: number, cursor: number, runs: number, capacity: number) => number;
declare const _hg_memory_end: () => number;
declare const _hg_memory_moved: (end: number) => void;
declare const _hg_memory_scratch: () => number;

const kDefaultHeap = 0;

export const allocator: ProgramAllocator = {
  trim: () => {
    _hg_malloc_trim(0);
  },
  heapPages: (page, cursor, runs, capacity) => _hg_heap_free_pages(kDefaultHeap, page, cursor, runs, capacity),
  cachedPages: (page, cursor, runs, capacity) => _hg_malloc_cached_pages(page, cursor, runs, capacity),
  memoryPages: (page, cursor, runs, capacity) => _hg_memory_free_pages(page, cursor, runs, capacity),
  returnable: (page) => _hg_heap_returnable(kDefaultHeap, page) >>> 0,
  end: () => _hg_memory_end() >>> 0,
  moved: (end) => {
    _hg_memory_moved(end);
  },
  scratch: () => _hg_memory_scratch() >>> 0,
};

export const hasThreads: boolean =
  typeof ENVIRONMENT_IS_PTHREAD !== 'undefined' || typeof ENVIRONMENT_IS_WASM_WORKER !== 'undefined';

/** Asyncify has unwound a stack, or winds it up again: 0 is its normal state. */
export const isSuspended = (): boolean =>
  typeof Asyncify !== 'undefined' &&
  (Asyncify.state !== 0 || (Asyncify.currData !== null && Asyncify.currData !== undefined));

/** The program's JavaScript goes on in this memory. */
export function renew(fresh: WebAssembly.Memory): void {
  if (typeof memory !== 'undefined' && memory === wasmMemory) memory = fresh;
  wasmMemory = fresh;
  if (typeof updateMemoryViews !== 'undefined') updateMemoryViews();
  else if (typeof updateGlobalBufferAndViews !== 'undefined') updateGlobalBufferAndViews(fresh.buffer);
  // With ASSERTIONS what is not exported is a getter that throws.
  if (Object.getOwnPropertyDescriptor(Module, 'wasmMemory')?.value !== undefined) Module['wasmMemory'] = fresh;
}

/** With --profile trace or checked the program has a recorder. */
export function noteOnTimeLine(text: string): void {
  Module['heapglass']?.mark?.(text);
}

export const recorder = (): ProgramRecorder | undefined => {
  if (Module['heapglass'] === undefined) return undefined;
  return { setBack: typeof heapglassRecorder !== 'undefined' ? heapglassRecorder.setBack : undefined };
};

/** A program that ended by exit() or failed is marked so in these. */
export function keepRuntime(): () => void {
  const aborted = ABORT;
  const status = typeof EXITSTATUS !== 'undefined' ? EXITSTATUS : undefined;
  const exited = typeof runtimeExited !== 'undefined' ? runtimeExited : undefined;
  const kept = typeof runtimeKeepaliveCounter !== 'undefined' ? runtimeKeepaliveCounter : undefined;
  return () => {
    ABORT = aborted;
    if (typeof EXITSTATUS !== 'undefined') EXITSTATUS = status;
    if (typeof runtimeExited !== 'undefined') runtimeExited = exited;
    if (typeof runtimeKeepaliveCounter !== 'undefined') runtimeKeepaliveCounter = kept;
  };
}

export const memoryNow = (): WebAssembly.Memory => wasmMemory;

const fileOf = (): string =>
  typeof wasmBinaryFile === 'string' || typeof findWasmBinary === 'undefined'
    ? (wasmBinaryFile as string)
    : findWasmBinary();

const isCompiledAtOnce = (): boolean => typeof instantiateSync !== 'undefined';

/** Newer Emscriptens wait for Module.instantiateWasm also where they compile at once, and then use what they waited for as the exports. */
export const hasNoWayIn = (): boolean => isCompiledAtOnce() && String(createWasm).indexOf('new Promise') >= 0;

/** Undefined: the program is linked with -sWASM_ASYNC_COMPILATION=0. */
export function wasmBytes(): Promise<ArrayBufferLike> | undefined {
  if (isCompiledAtOnce()) return undefined;
  if (typeof getWasmBinary !== 'undefined') return getWasmBinary(fileOf());
  if (typeof getBinaryPromise !== 'undefined') return getBinaryPromise(fileOf());
  return Promise.reject(new Error('no function of this Emscripten reads the wasm file'));
}

export function wasmBytesNow(): ArrayBufferLike {
  if (typeof getBinarySync !== 'undefined') return getBinarySync(fileOf());
  return (getBinary as (file: string) => ArrayBufferLike)(fileOf());
}

export const givenInstantiate = (): InstantiateWasm | undefined => Module['instantiateWasm'];

export function install(instantiate: InstantiateWasm | undefined, memory: unknown): void {
  if (instantiate !== undefined) Module['instantiateWasm'] = instantiate;
  Module['heapglassMemory'] = memory;
}

/** After receiving: the exports as the program's JavaScript made them, which some Emscriptens return and others keep. */
export const receivedExports = (returned: unknown, exports: unknown): unknown => returned ?? Module['asm'] ?? exports;

export const fail = (cause: unknown): never => abort(cause);
