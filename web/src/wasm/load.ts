// Finds, compiles and starts a module for the engine: the traced heap, or a program that stands on it. The same in a
// worker, on a page and in Node.
//
//   L1  Each artefact is one literal `new URL('....wasm', import.meta.url)`: bundlers find only those.
//   L2  Whatever goes wrong is a LoadError that says what and where: no WebAssembly here, the fetch, the bytes, the
//       imports, or records of another version than this reader's.
//   L3  Programs may bring the C library along. What it imports beside ours is there and throws when it is called: those
//       are ways out of a program that goes wrong (abort, exit), and a watched program has no files.
//   L4  A clock counts its calls: a watched run measures nothing and is the same each time.

import { type HeapglassFunctions, kRingLayout, kTraceVersion } from '../protocol/event_layout.ts';
import { compileWasm, LoadError, textOf, type WasmSource } from './compile_wasm.ts';
import { traceUrl } from './heap_artefacts.ts';
import { HeapViews } from './heap_views.ts';
import { kTextPrograms, type TextProgram } from './program_artefacts.ts';

/** Programs the engine can watch. */
export type Program = 'heap' | 'word_index' | 'experiments' | TextProgram;

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

/** The functions of programs/watched/watched_program.h. */
export interface TextFunctions {
  program_begin(): number;
  program_text(size: number): number;
  program_run(): number;
  program_progress(): number;
  program_stop(): void;
}

type ProgramFunctions = WordIndexFunctions & ExperimentFunctions & TextFunctions;
export interface ModuleFunctions extends HeapglassFunctions, Partial<ProgramFunctions> {
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
  /** Before constructors run: a C library may allocate in them, and recording begins with the first malloc. */
  starting?(functions: ModuleFunctions): void;
  /** A program prints; kind as in watched_program.h. */
  print?(kind: number, text: string): void;
}

const kNoProbes = 'the wasm module was built without probes: it writes no events';

interface Artefact {
  readonly at: () => URL;
  /** What it exports beside the heap's functions, as far as it is looked for at once. */
  readonly needed: readonly string[];
}

const kTextFunctions = ['program_begin', 'program_text', 'program_run', 'program_progress', 'program_stop'] as const;
const kExperimentFunctions = [
  'experiment_describe',
  'experiment_begin',
  'experiment_thread',
  'experiment_end',
] as const;

const kArtefacts: Readonly<Record<Program, Artefact>> = {
  heap: { at: traceUrl, needed: [] },
  word_index: {
    at: () => new URL('../../../build/wasm/word_index.wasm', import.meta.url),
    needed: ['word_index_begin'],
  },
  experiments: {
    at: () => new URL('../../../build/wasm/experiments-trace.wasm', import.meta.url),
    needed: kExperimentFunctions,
  },
  sqlite: { at: kTextPrograms.sqlite, needed: kTextFunctions },
  lua: { at: kTextPrograms.lua, needed: kTextFunctions },
  quickjs: { at: kTextPrograms.quickjs, needed: kTextFunctions },
};

export async function loadProgram(
  program: Program,
  imports: ModuleImports,
  wasm: WasmSource | undefined,
): Promise<LoadedModule> {
  if (typeof WebAssembly === 'undefined') throw new LoadError('there is no WebAssembly here');
  const compiled = await compileWasm(wasm ?? kArtefacts[program].at());
  let views: HeapViews | undefined;
  let moments = 0;
  let high = 0;
  const answer = (at: number, ...words: readonly number[]) => {
    for (const [i, word] of words.entries()) views?.setWord(at + i * 4, word);
    return 0;
  };
  const given = withStrangers(compiled, {
    env: {
      emscripten_notify_memory_growth: () => {}, // views are re-taken when the buffer changed
      getTempRet0: () => high, // the high half of a result of 64 bits
      setTempRet0: (value: number) => {
        high = value;
      },
    },
    heapglass: { drain: () => imports.drain() },
    experiment: {
      now: () => ++moments,
      figure: (name: number, value: number) => imports.figure?.(views?.text(name >>> 0) ?? '', value),
    },
    program: {
      print: (kind: number, bytes: number, size: number) =>
        imports.print?.(kind, views?.textOf(bytes >>> 0, size) ?? ''),
    },
    wasi_snapshot_preview1: {
      clock_time_get: (_clock: number, _precision: bigint, out: number) => answer(out, ++moments, 0),
      environ_sizes_get: (count: number, bytes: number) => answer(count, 0) + answer(bytes, 0), // no variables
      environ_get: () => 0,
    },
  });
  const instance = await WebAssembly.instantiate(compiled, given).catch((cause: unknown) => {
    throw new LoadError(`the wasm module cannot be started: ${textOf(cause)}`, { cause });
  });
  const functions = instance.exports as unknown as ModuleFunctions;
  const needed = ['hg_default_heap', 'hg_trace_ring', 'hg_scratch', ...kArtefacts[program].needed];
  const missing = needed.filter((name) => typeof instance.exports[name] !== 'function');
  if (missing.includes('hg_trace_ring')) throw new LoadError(kNoProbes);
  if (missing.length > 0) throw new LoadError(`the wasm module has no ${missing.join(', ')}`);
  views = new HeapViews(functions.memory);
  checkRing(functions, views);
  imports.starting?.(functions);
  functions._initialize?.();
  return { functions, views };
}

type Imports = Record<string, Record<string, (...args: never[]) => unknown>>;

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
