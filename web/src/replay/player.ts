// A module of programs/replay and how operations are carried out on it.
//
//   L1  An allocator's footprint is the size of linear memory less the heap's base. Memory never shrinks, so the last
//       size is the largest. It is taken with memory that begins at the base and grows by just what is asked.
//   L2  A timed run has memory as Emscripten gives it by default: 16 MiB at first, growth by a fifth at least.
//   L3  Operations are handed over a chunk at a time, and only the calls are timed.
//   L4  Short lists are carried out again, in the same instance, until so many operations are made; what is live at the
//       end of one time is freed before the next, untimed. The figure is that of one time.

import { compileWasm, type WasmSource } from '../wasm/compile_wasm.ts';
import { bitsOfWord, idOfWord, kindOfWord, OperationKind, wordOf } from './operation_list.ts';

const kPage = 65_536;
const kFirstMemory = 16 << 20;
const kGrowthPercent = 20;
const kNotSupported = 52; // WASI's "function not supported"

interface ReplayFunctions {
  readonly memory: WebAssembly.Memory;
  readonly __heap_base: WebAssembly.Global;
  _initialize?(): void;
  bench_stream_chunk(): number;
  bench_stream_chunk_operations(): number;
  bench_replay(count: number): number;
  bench_set_growth_step(percent: number): void;
  bench_growths(): number;
  bench_most_asked(): number;
}

/** What an allocator could not do; the message is for the reader of the report. */
export class ReplayFailed extends Error {
  override readonly name = 'ReplayFailed';
}

export interface MemoryFacts {
  readonly footprintBytes: number;
  /** From the heap's base to the largest end that was asked for. */
  readonly askedBytes: number;
  readonly growths: number;
}

export class ReplayModule {
  readonly #module: WebAssembly.Module;

  private constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  static async load(source: WasmSource): Promise<ReplayModule> {
    return new ReplayModule(await compileWasm(source));
  }

  async start(): Promise<Player> {
    return await Player.start(this.#module);
  }
}

export class Player {
  readonly #functions: ReplayFunctions;
  readonly #base: number;
  readonly #chunk: number;
  readonly #chunkOperations: number;

  private constructor(functions: ReplayFunctions) {
    this.#functions = functions;
    this.#base = functions.__heap_base.value as number;
    this.#chunk = functions.bench_stream_chunk() >>> 0;
    this.#chunkOperations = functions.bench_stream_chunk_operations();
  }

  static async start(module: WebAssembly.Module): Promise<Player> {
    const exports: { functions?: ReplayFunctions } = {};
    const instance = await WebAssembly.instantiate(module, importsOf(module, exports));
    const functions = instance.exports as unknown as ReplayFunctions;
    exports.functions = functions;
    functions._initialize?.();
    return new Player(functions);
  }

  /** L2 */
  beginTimed(): void {
    const functions = this.#functions;
    functions.bench_set_growth_step(kGrowthPercent);
    const missing = Math.ceil((this.#base + kFirstMemory - functions.memory.buffer.byteLength) / kPage);
    if (missing > 0) functions.memory.grow(missing);
  }

  /** Carries out operations [from, to); resolves to the milliseconds of the calls. */
  play(words: Uint32Array, from = 0, to = words.length / 2): number {
    const functions = this.#functions;
    let ms = 0;
    for (let at = from; at < to; at += this.#chunkOperations) {
      const end = Math.min(to, at + this.#chunkOperations);
      new Uint32Array(functions.memory.buffer, this.#chunk).set(words.subarray(at * 2, end * 2)); // anew: growth detaches it
      const begin = performance.now();
      const worked = this.#call(() => functions.bench_replay(end - at));
      ms += performance.now() - begin;
      if (worked === 0) {
        throw new ReplayFailed(
          `between operations ${at + 1} and ${end} memory ran out, or a block did not hold what was written to it`,
        );
      }
    }
    return ms;
  }

  get memory(): MemoryFacts {
    const functions = this.#functions;
    const asked = functions.bench_most_asked() >>> 0;
    const footprintBytes = functions.memory.buffer.byteLength - this.#base;
    return {
      footprintBytes,
      askedBytes: asked === 0 ? footprintBytes : asked - this.#base,
      growths: functions.bench_growths(),
    };
  }

  #call(body: () => number): number {
    try {
      return body();
    } catch (cause) {
      if (!(cause instanceof WebAssembly.RuntimeError)) throw cause;
      throw new ReplayFailed(`the allocator trapped: ${cause.message}`, { cause });
    }
  }
}

/** The frees of what is live behind the operations: the last ones of a time that is followed by another (L4). */
export function endingOf(words: Uint32Array): Uint32Array {
  const live = new Map<number, number>(); // id to the word that frees it
  for (let at = 0; at < words.length; at += 2) {
    const what = words[at] as number;
    const kind = kindOfWord(what);
    const id = idOfWord(what);
    if (kind === OperationKind.free || kind === OperationKind.nodeFree) live.delete(id);
    else if (kind === OperationKind.node) live.set(id, wordOf(OperationKind.nodeFree, id, bitsOfWord(what)));
    else if (kind !== OperationKind.realloc && kind !== OperationKind.copy)
      live.set(id, wordOf(OperationKind.free, id));
  }
  const ending = new Uint32Array(live.size * 2);
  let at = 0;
  for (const what of live.values()) {
    ending[at] = what;
    at += 2;
  }
  return ending;
}

/** What a standalone module of C asks of its host: notices, variables (none), a clock and random bytes that are always the same. */
function importsOf(module: WebAssembly.Module, exports: { readonly functions?: ReplayFunctions }): WebAssembly.Imports {
  const view = () => new DataView((exports.functions as ReplayFunctions).memory.buffer);
  const known: Readonly<Record<string, (...given: number[]) => number | undefined>> = {
    emscripten_notify_memory_growth: () => undefined,
    environ_get: () => 0,
    environ_sizes_get(count = 0, bytes = 0) {
      view().setUint32(count, 0, true);
      view().setUint32(bytes, 0, true);
      return 0;
    },
    clock_time_get(_clock, _precision, out = 0) {
      view().setBigUint64(out, 1n, true);
      return 0;
    },
  };
  const imports: Record<string, Record<string, (...given: number[]) => number | undefined>> = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] = { ...imports[from], [name]: known[name] ?? (() => kNotSupported) };
  }
  return imports;
}
