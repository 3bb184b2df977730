// A module that lies beside the script; where it does not, the error says what a bundle needs.

import { compileWasm } from '../wasm/compile_wasm.ts';
import type { Variant } from '../wasm/heap_artefacts.ts';

/** The names that the package exports the modules by. */
export const kModuleFiles: Readonly<Record<Variant, string>> = {
  release: 'heap.wasm',
  trace: 'heap-trace.wasm',
  checked: 'heap-checked.wasm',
  placed: 'heap-placed.wasm',
  'placed-trace': 'heap-placed-trace.wasm',
  'placed-checked': 'heap-placed-checked.wasm',
  shared: 'heap-shared.wasm',
};

/** `file`: the name that the package exports the module by. */
export async function compileBeside(address: URL, file: string): Promise<WebAssembly.Module> {
  try {
    return await compileWasm(address);
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    const exported = `heapglass/${file}`;
    const hint = `A bundler that does not copy it beside the script (esbuild, Rollup, Bun's) needs one of two: import createHeap from \
'heapglass/inline', which carries the module; or copy ${exported} and say where it is, createHeap({ wasm: address }).`;
    cause.message += `. ${hint}`;
    throw cause;
  }
}
