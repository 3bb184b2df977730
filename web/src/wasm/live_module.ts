// A running module as the engine holds it: functions, memory, ring, and whether it still lives.
//
//   V1  Every call into the module goes through call(): a trap ends the module for good, with what it said about it.
//   V2  After a trap memory can still be read: the events written until then are drained as ever.

import type { WasmSource } from './compile_wasm.ts';
import type { HeapViews } from './heap_views.ts';
import { loadProgram, type ModuleFunctions, type Program } from './load.ts';
import { type EventSink, Ring } from './ring.ts';

const kModes = { drop: 0, lossless: 1 } as const;
export type RingMode = keyof typeof kModes;

/** The module trapped, now or before. */
export class ModuleDied extends Error {
  override readonly name = 'ModuleDied';
}

export class LiveModule {
  readonly functions: ModuleFunctions;
  readonly views: HeapViews;
  readonly scratch: number;
  readonly scratchBytes: number;
  /** What an experiment told, the last value of each name. */
  readonly figures = new Map<string, number>();
  readonly #ring: Ring;
  readonly #sink: EventSink;
  #death: string | undefined;

  private constructor(functions: ModuleFunctions, views: HeapViews, sink: EventSink) {
    this.functions = functions;
    this.views = views;
    this.scratch = functions.hg_scratch() >>> 0;
    this.scratchBytes = functions.hg_scratch_size() >>> 0;
    this.#ring = new Ring(views, () => functions.hg_trace_ring());
    this.#sink = sink;
  }

  /** Loads the program and lets its probes write. The default heap is not made yet. */
  static async start(program: Program, mode: RingMode, sink: EventSink, wasm?: WasmSource): Promise<LiveModule> {
    let module: LiveModule | undefined;
    const figure = (name: string, value: number) => module?.figures.set(name, value);
    const { functions, views } = await loadProgram(program, { drain: () => module?.drain(), figure }, wasm);
    module = new LiveModule(functions, views, sink);
    functions.hg_trace_start(kModes[mode]);
    return module;
  }

  drain(): void {
    this.#ring.drain(this.#sink);
  }

  /** What ended the module; undefined while it lives. */
  get death(): string | undefined {
    return this.#death;
  }

  /** Runs calls into the module. Throws ModuleDied when one traps. */
  call<T>(body: (functions: ModuleFunctions) => T): T {
    if (this.#death !== undefined) throw new ModuleDied(this.#death);
    try {
      return body(this.functions);
    } catch (cause) {
      if (!(cause instanceof WebAssembly.RuntimeError)) throw cause;
      const said = this.views.text(this.functions.hg_failure_text() >>> 0);
      this.#death = said === '' ? `the module trapped: ${cause.message}` : `the module trapped: ${said}`;
      throw new ModuleDied(this.#death, { cause });
    }
  }

  /** Bytes of linear memory now. */
  get memoryBytes(): number {
    return this.functions.memory.buffer.byteLength;
  }
}
