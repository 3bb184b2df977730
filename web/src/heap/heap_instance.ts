// Instances of the wasm module for the JavaScript heap API: the first one, and one more on a fresh memory for each shrink.
//
//   M1  The module imports at most env.emscripten_notify_memory_growth and heapglass.drain; a placed one its memory and what
//       belongs to it, heapglass.grow and heapglass.may_wait. All set here.
//   M2  No import calls back into the module, and none throws: an exception would unwind a half-done operation.
//   M3  Between two calls an instance's only state outside its memory is the stack pointer, and that stands at the stack's top.

import type { HeapglassFunctions } from '../protocol/event_layout.ts';
import { textOf } from '../wasm/compile_wasm.ts';
import { HeapError } from './heap_error.ts';
import type { HeapOptions } from './heap_types.ts';
import { kPageBytes, type Place } from './place.ts';

export interface ModuleExports extends HeapglassFunctions {
  readonly memory?: WebAssembly.Memory;
  hg_scratch(): number;
  hg_scratch_size(): number;
  hg_spare_bytes(): number;
  hg_place?(begin: number, end: number): void;
  __wasm_apply_data_relocs?(): void;
  __wasm_call_ctors?(): void;
  _initialize?(): void;
}

export interface HeapInstance {
  readonly exports: ModuleExports;
  readonly memory: WebAssembly.Memory;
  /** Of a placed module. */
  readonly stackPointer: WebAssembly.Global<'i32'>;
}

/** What the imports of all instances share. */
export interface InstanceHost {
  /** The memory that grows; undefined until the first instance is there. */
  memory(): WebAssembly.Memory | undefined;
  grown(): void;
  drain(): void;
}

export interface InstancePlan {
  readonly options: HeapOptions;
  /** Of a placed module: where it lies, and entries of its table. */
  readonly place: Place | undefined;
  readonly tableSize: number;
  readonly stackTop: number;
  readonly waits: boolean;
}

const kMostAhead = 256; // pages

/** Starts an instance; a placed one in `memory`. Throws a HeapError (`no_module`, `out_of_memory`). */
export async function startInstance(
  compiled: WebAssembly.Module,
  { options, place, tableSize, stackTop, waits }: InstancePlan,
  memory: WebAssembly.Memory | undefined,
  host: InstanceHost,
): Promise<HeapInstance> {
  const stackPointer = new WebAssembly.Global({ value: 'i32', mutable: true }, stackTop);
  const environment = place && {
    memory,
    __memory_base: place.data,
    __table_base: 1,
    __stack_pointer: stackPointer,
    __indirect_function_table: new WebAssembly.Table({ initial: tableSize + 1, element: 'anyfunc' }),
  };
  const imports = {
    env: environment ?? { emscripten_notify_memory_growth: () => host.grown() },
    heapglass: {
      drain: () => host.drain(),
      grow: (pages: number) => (growBy(host.memory(), pages, host) ? 1 : 0),
      may_wait: () => (waits ? 1 : 0),
    },
  } as unknown as WebAssembly.Imports;
  const instance = await WebAssembly.instantiate(compiled, imports).catch((cause: unknown) => {
    const code = cause instanceof RangeError ? 'out_of_memory' : 'no_module';
    throw new HeapError(code, `the wasm module cannot be started: ${textOf(cause)}`, { cause });
  });
  const exports = checkedExports(instance.exports, options, place);
  return { exports, memory: memory ?? (exports.memory as WebAssembly.Memory), stackPointer };
}

/** More pages than asked for, so that growing by n bytes takes O(log n) growths; else those. */
function growBy(memory: WebAssembly.Memory | undefined, pages: number, host: InstanceHost): boolean {
  if (memory === undefined) return false;
  const ahead = Math.min(kMostAhead, Math.floor(memory.buffer.byteLength / kPageBytes / 8));
  for (const more of new Set([Math.max(pages, ahead), pages])) {
    try {
      memory.grow(more);
      host.grown();
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
  const needed = ['hg_heap_create', 'hg_heap_allocate', 'hg_scratch', 'hg_spare_bytes', 'hg_memory_end'];
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
