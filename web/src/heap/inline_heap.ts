// createHeap() of the entry `heapglass/inline`: its modules are scripts, each an import of its own, so that a program loads the
// one that it asks for. They hold the module's bytes as base64 and are written by tools/build_package.mjs, with the entry.

import { compileWasm } from '../wasm/compile_wasm.ts';
import type { Variant } from '../wasm/heap_artefacts.ts';
import type { createHeap } from './create_heap.ts';
import type { HeapOptions } from './heap_types.ts';
import { makeHeap } from './make_heap.ts';

export type InlineModules = Readonly<Record<Variant, () => Promise<{ readonly default: string }>>>;

/** createHeap() over such modules. */
export function createHeapOf(modules: InlineModules): typeof createHeap {
  const find = async (variant: Variant): Promise<WebAssembly.Module> => {
    const { default: text } = await modules[variant]();
    return compileWasm(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
  };
  return ((options: HeapOptions = {}) => makeHeap(find, options)) as typeof createHeap;
}
