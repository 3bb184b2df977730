// One instance of the wasm module for the JavaScript heap API: found, compiled and given its imports; in the checked
// variant, wrapped so that a trap becomes a HeapError. Knows nothing of any one heap.
//
//   M1  The module imports at most env.emscripten_notify_memory_growth and heapglass.drain, both set here.
//   M2  Neither import calls back into the module, and neither throws: an exception would unwind a half-done operation.
//   M3  After a trap the checked variant's instance is dead: every later call throws, with the first trap's text. The
//       other variants are called without a wrapper, which would cost more than the allocation.

import type { HeapglassFunctions } from '../protocol/event_layout.ts';
import { compileWasm, textOf } from './compile_wasm.ts';
import { artefactUrl, type Variant } from './heap_artefacts.ts';
import { HeapError } from './heap_error.ts';
import { EventRecorder } from './heap_recorder.ts';
import type { HeapOptions } from './heap_types.ts';
import { HeapViews } from './heap_views.ts';

export interface HeapModule {
  readonly variant: Variant;
  readonly functions: HeapglassFunctions;
  readonly views: HeapViews;
  /** Static memory for arguments and results, see heap_scratch.ts. */
  readonly scratch: number;
  readonly recorder: EventRecorder | undefined;
  readonly growListeners: Set<(bytes: number) => void>;
  readonly throwOnOutOfMemory: boolean;
}

interface ModuleExports extends HeapglassFunctions {
  readonly memory: WebAssembly.Memory;
  hg_scratch(): number;
  _initialize?(): void;
}

const kLossless = 1; // mode of hg_trace_start

/** Loads the variant that the options ask for. Throws a HeapError (`no_module`) when it cannot. */
export async function loadHeapModule(options: HeapOptions): Promise<HeapModule> {
  const variant: Variant = options.checked ? 'checked' : options.trace ? 'trace' : 'release';
  const compiled = await Promise.resolve(options.wasm)
    .then((given) => compileWasm(given ?? artefactUrl(variant)))
    .catch((cause: unknown) => {
      throw new HeapError('no_module', textOf(cause), { cause });
    });
  const growListeners = new Set<(bytes: number) => void>();
  let views: HeapViews | undefined;
  let recorder: EventRecorder | undefined;
  const tellGrowth = () => {
    const bytes = views?.memory.buffer.byteLength ?? 0;
    queueMicrotask(() => {
      for (const listener of growListeners) listener(bytes);
    });
  };
  const instance = await WebAssembly.instantiate(compiled, {
    env: { emscripten_notify_memory_growth: tellGrowth },
    heapglass: { drain: () => recorder?.drain() },
  }).catch((cause: unknown) => {
    throw new HeapError('no_module', `the wasm module cannot be started: ${textOf(cause)}`, { cause });
  });
  const exports = checkedExports(instance.exports, options.trace === true);
  exports._initialize?.();
  views = new HeapViews(exports.memory);
  const functions = options.checked ? withTrapsNamed(exports, views) : exports;
  if (options.trace) {
    recorder = new EventRecorder(views, () => exports.hg_trace_ring());
    functions.hg_trace_start(kLossless);
  }
  const scratch = exports.hg_scratch() >>> 0;
  const throwOnOutOfMemory = options.throwOnOutOfMemory ?? false;
  return { variant, functions, views, scratch, recorder, growListeners, throwOnOutOfMemory };
}

function checkedExports(exports: WebAssembly.Exports, trace: boolean): ModuleExports {
  const needed = ['hg_heap_create', 'hg_heap_allocate', 'hg_scratch', ...(trace ? ['hg_trace_ring'] : [])];
  const missing = needed.filter((name) => typeof exports[name] !== 'function');
  if (!(exports['memory'] instanceof WebAssembly.Memory)) missing.push('memory');
  if (missing.length > 0) {
    const what = trace && missing.length === 1 ? 'has no probes, pass a trace module' : 'is not a heapglass module';
    throw new HeapError('no_module', `the wasm module ${what} (no export ${missing.join(', ')})`);
  }
  return exports as unknown as ModuleExports;
}

/** The functions, with traps turned into HeapErrors. */
function withTrapsNamed(exports: ModuleExports, views: HeapViews): HeapglassFunctions {
  let dead: HeapError | undefined;
  const named =
    (call: (...args: number[]) => number) =>
    (...args: number[]) => {
      if (dead !== undefined)
        throw new HeapError('dead', `the module trapped before: ${dead.message}`, { cause: dead });
      try {
        return call(...args);
      } catch (cause) {
        const text = views.text(exports.hg_failure_text() >>> 0);
        dead = text === '' ? new HeapError('trap', String(cause), { cause }) : new HeapError('misuse', text, { cause });
        throw dead;
      }
    };
  const functions = Object.entries(exports as unknown as Record<string, unknown>)
    .filter((entry): entry is [string, (...args: number[]) => number] => typeof entry[1] === 'function')
    .map(([name, call]) => [name, named(call)]);
  return Object.fromEntries(functions) as unknown as HeapglassFunctions;
}
