// One instance of a module of experiments: what programs/experiments/experiment.h describes, for JavaScript.
//
// A module without threads brings its memory; one with threads imports a shared one, and each thread is an instance of its
// own on that memory with a stack and a block of thread-local variables of its own:
//
//     0        1024            the first instance's stack          __heap_base
//     +--------+---------------+--------+--------------------+-----+--------------+------------ - -
//     | unused | static data   |  grows down  <|its TLS block|     | heaps, with a stack and a TLS block
//     +--------+---------------+--------+--------------------+     | for each thread more
//
//  T1  Before anything else an instance sets __stack_pointer and calls __wasm_init_tls with zeroed, aligned memory.
//  T2  Only the first instance calls _initialize; its TLS block is cut from the top of its stack, before any heap exists.
//  T3  Stacks of threads lie in a heap of their own, so that no row counts them as its bytes.

import { HeapViews } from '../wasm/heap_views.ts';

const kPages = { initial: 16, maximum: 16_384, shared: true }; // as wasm-build.sh links it
const kThreadStack = 65_536;
const kStackAlign = 16;

/** Exports of a module of experiments; those of the second part only when it has threads. */
interface Exports {
  readonly memory?: WebAssembly.Memory;
  _initialize?(): void;
  experiment_describe(): number;
  experiment_begin(experiment: number, row: number, divisor: number): number;
  experiment_thread(thread: number): void;
  experiment_end(): number;
  hg_heap_create(): number;
  hg_heap_allocate_aligned(heap: number, alignment: number, size: number): number;

  readonly __stack_pointer?: WebAssembly.Global<'i32'>;
  readonly __tls_size?: WebAssembly.Global<'i32'>;
  readonly __tls_align?: WebAssembly.Global<'i32'>;
  __wasm_init_tls?(at: number): void;
}

/** Where a thread's stack ends and its thread-local variables begin. */
export interface ThreadPlace {
  readonly stackTop: number;
  readonly tls: number;
}

export type TakeFigure = (name: string, value: number) => void;

/** Milliseconds since `origin`, a moment that all threads mean the same by: a thread's own clock begins with the thread. */
export const clockSince = (origin: number) => (): number => performance.timeOrigin - origin + performance.now();

export class Instance {
  readonly memory: WebAssembly.Memory;
  readonly #exports: Exports;
  readonly #views: HeapViews;

  private constructor(exports: Exports, memory: WebAssembly.Memory) {
    this.#exports = exports;
    this.memory = memory;
    this.#views = new HeapViews(memory);
  }

  /** The first instance, in fresh memory. */
  static async first(module: WebAssembly.Module, origin: number, takeFigure: TakeFigure): Promise<Instance> {
    const shared = importsMemory(module) ? new WebAssembly.Memory(kPages) : undefined;
    const figure = (name: number, value: number): void => takeFigure(instance.#views.text(name), value);
    const { exports } = await WebAssembly.instantiate(module, importsOf(module, shared, clockSince(origin), figure));
    const instance: Instance = Instance.#over(exports, shared);
    if (shared !== undefined) instance.#beginFirstThread();
    instance.#exports._initialize?.();
    return instance;
  }

  /** One more on the memory of the first, for the thread that calls this. */
  static another(module: WebAssembly.Module, memory: WebAssembly.Memory, origin: number, place: ThreadPlace): Instance {
    const figure = () => {
      throw new Error('a figure may only be told by the thread of begin and end');
    };
    const { exports } = new WebAssembly.Instance(module, importsOf(module, memory, clockSince(origin), figure));
    const instance = Instance.#over(exports, memory);
    instance.#beginThread(place);
    return instance;
  }

  static #over(exports: WebAssembly.Exports, shared: WebAssembly.Memory | undefined): Instance {
    const own = exports as unknown as Exports;
    const memory = shared ?? own.memory;
    if (memory === undefined || typeof own.experiment_begin !== 'function') {
      throw new Error('this is no module of experiments');
    }
    return new Instance(own, memory);
  }

  /** The lines of experiment_describe(). */
  describe(): string {
    return this.#views.text(this.#exports.experiment_describe() >>> 0);
  }

  begin(experiment: number, row: number, divisor: number): number {
    return this.#exports.experiment_begin(experiment, row, divisor) >>> 0;
  }
  thread(thread: number): void {
    this.#exports.experiment_thread(thread);
  }
  end(): number {
    return this.#exports.experiment_end() >>> 0;
  }

  /** Room for the stacks of so many threads. pre: called before the row begins */
  placeThreads(count: number): readonly ThreadPlace[] {
    const heap = this.#exports.hg_heap_create() >>> 0;
    const { size, alignment } = this.#tls();
    const bytes = kThreadStack + size;
    return Array.from({ length: count }, () => {
      const at = heap === 0 ? 0 : this.#exports.hg_heap_allocate_aligned(heap, alignment, bytes) >>> 0;
      if (at === 0) throw new Error(`out of memory: no stacks for ${count} threads`);
      this.#views.views.u8.fill(0, at, at + bytes);
      return { stackTop: at + kThreadStack, tls: at + kThreadStack };
    });
  }

  /** T2 */
  #beginFirstThread(): void {
    const { size, alignment } = this.#tls();
    const top = (this.#exports.__stack_pointer?.value ?? 0) >>> 0;
    const tls = Math.floor((top - size) / alignment) * alignment;
    this.#beginThread({ stackTop: tls, tls });
  }

  /** T1 */
  #beginThread({ stackTop, tls }: ThreadPlace): void {
    const { __stack_pointer, __wasm_init_tls } = this.#exports;
    if (__stack_pointer === undefined || __wasm_init_tls === undefined) throw new Error('this module has no threads');
    __stack_pointer.value = stackTop;
    __wasm_init_tls(tls);
  }

  #tls(): { readonly size: number; readonly alignment: number } {
    const { __tls_size, __tls_align } = this.#exports;
    return { size: __tls_size?.value ?? 0, alignment: Math.max(kStackAlign, __tls_align?.value ?? 0) };
  }
}

const importsMemory = (module: WebAssembly.Module): boolean =>
  WebAssembly.Module.imports(module).some((one) => one.kind === 'memory');

function importsOf(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory | undefined,
  now: () => number,
  figure: (name: number, value: number) => void,
): WebAssembly.Imports {
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {
    env: memory === undefined ? {} : { memory },
    experiment: { now, figure },
  };
  // What the C library of a standalone module may name: nothing that a row calls but to end with an error.
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    const group = imports[from] ?? {};
    imports[from] = group;
    if (kind !== 'function' || group[name] !== undefined) continue;
    group[name] = name === 'emscripten_notify_memory_growth' ? () => {} : () => refuse(`${from}.${name}`);
  }
  return imports;
}

function refuse(name: string): never {
  throw new Error(`the program called ${name}`);
}
