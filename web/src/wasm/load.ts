// Finds, compiles and starts a module for the engine: the traced heap, or a program that stands on it. The same in a
// worker, on a page and in Node.
//
//   L1  Each artefact is one literal `new URL('....wasm', import.meta.url)`: bundlers find only those.
//   L2  Whatever goes wrong is a LoadError that says what and where: no WebAssembly here, the fetch, the bytes, the
//       imports, or records of another version than this reader's.
//   L3  Programs may bring the C library along. What it imports beside ours is there and throws when it is called: those
//       are ways out of a program that goes wrong (abort, exit), and a watched program has no files.
//   L4  The clock of an experiment counts its calls: a watched run measures nothing and is the same each time.

import { type HeapglassFunctions, kRingLayout, kTraceVersion } from '../protocol/event_layout.ts';
import { compileWasm, LoadError, textOf, type WasmSource } from './compile_wasm.ts';
import { traceUrl } from './heap_artefacts.ts';
import { HeapViews } from './heap_views.ts';

/** Programs the engine can watch. */
export type Program = 'heap' | 'word_index' | 'experiments';

/** The functions of programs/word_index/word_index.h. */
export interface WordIndexFunctions {
  word_index_begin(): number;
  word_index_buffer(size: number): number;
  word_index_feed(size: number): number;
  word_index_finish(): number;
  word_index_find(word: number, size: number): number;
  word_index_top(n: number): number;
  word_index_count(): number;
  word_index_total(): number;
  word_index_text(): number;
  word_index_text_size(): number;
  word_index_pending(): number;
  word_index_end(): void;
}

/** The functions of programs/experiments/experiment.h. */
export interface ExperimentFunctions {
  experiment_describe(): number;
  experiment_begin(experiment: number, row: number, divisor: number): number;
  experiment_thread(thread: number): void;
  experiment_end(): number;
}

export interface ModuleFunctions extends HeapglassFunctions, Partial<WordIndexFunctions & ExperimentFunctions> {
  readonly memory: WebAssembly.Memory;
  hg_scratch(): number;
  hg_scratch_size(): number;
  _initialize?(): void;
}

export interface LoadedModule {
  readonly functions: ModuleFunctions;
  readonly views: HeapViews;
}

/** What the module calls: the lossless writer when the ring is full, an experiment with what it found. */
export interface ModuleImports {
  drain(): void;
  figure?(name: string, value: number): void;
}

const kNoProbes = 'the wasm module was built without probes: it writes no events';

function artefactOf(program: Program): URL {
  if (program === 'heap') return traceUrl();
  if (program === 'word_index') return new URL('../../../build/wasm/word_index.wasm', import.meta.url);
  return new URL('../../../build/wasm/experiments-trace.wasm', import.meta.url);
}

const kNeeded: Readonly<Record<Program, readonly string[]>> = {
  heap: [],
  word_index: ['word_index_begin'],
  experiments: ['experiment_describe', 'experiment_begin', 'experiment_thread', 'experiment_end'],
};

export async function loadProgram(
  program: Program,
  imports: ModuleImports,
  wasm: WasmSource | undefined,
): Promise<LoadedModule> {
  if (typeof WebAssembly === 'undefined') throw new LoadError('there is no WebAssembly here');
  const compiled = await compileWasm(wasm ?? artefactOf(program));
  let views: HeapViews | undefined;
  let moments = 0;
  const given = withStrangers(compiled, {
    env: { emscripten_notify_memory_growth: () => {} }, // views are re-taken when the buffer changed
    heapglass: { drain: () => imports.drain() },
    experiment: {
      now: () => ++moments,
      figure: (name: number, value: number) => imports.figure?.(views?.text(name >>> 0) ?? '', value),
    },
  });
  const instance = await WebAssembly.instantiate(compiled, given).catch((cause: unknown) => {
    throw new LoadError(`the wasm module cannot be started: ${textOf(cause)}`, { cause });
  });
  const functions = instance.exports as unknown as ModuleFunctions;
  const needed = ['hg_default_heap', 'hg_trace_ring', 'hg_scratch', ...kNeeded[program]];
  const missing = needed.filter((name) => typeof instance.exports[name] !== 'function');
  if (missing.includes('hg_trace_ring')) throw new LoadError(kNoProbes);
  if (missing.length > 0) throw new LoadError(`the wasm module has no ${missing.join(', ')}`);
  views = new HeapViews(functions.memory);
  functions._initialize?.();
  checkRing(functions, views);
  return { functions, views };
}

type Imports = Record<string, Record<string, (...args: number[]) => unknown>>;

/** L3 */
function withStrangers(module: WebAssembly.Module, ours: Imports): Imports {
  const all: Imports = { ...ours };
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== 'function' || all[from]?.[name] !== undefined) continue;
    const stop = () => {
      throw new WebAssembly.RuntimeError(`the program called ${from}.${name}`);
    };
    all[from] = { ...all[from], [name]: stop };
  }
  return all;
}

function checkRing(functions: ModuleFunctions, views: HeapViews): void {
  const ring = functions.hg_trace_ring() >>> 0;
  if (ring === 0) throw new LoadError(kNoProbes);
  const version = views.word(ring + kRingLayout.version);
  if (version !== kTraceVersion) {
    throw new LoadError(`the wasm module writes events of version ${version}, this reader knows ${kTraceVersion}`);
  }
  const capacity = views.word(ring + kRingLayout.capacity);
  if (capacity === 0 || (capacity & (capacity - 1)) !== 0) {
    throw new LoadError(`the wasm module's ring of ${capacity} records is impossible`);
  }
}
