// createHeap() of the package's entry: its modules are files beside the script.

import { artefactUrl, type Variant } from '../wasm/heap_artefacts.ts';
import { compileBeside } from './beside_script.ts';
import type { Heap, HeapOptions, TracedHeap } from './heap_types.ts';
import { makeHeap } from './make_heap.ts';

/**
 * A heap in WebAssembly memory, for Node, pages and workers: in a new memory, in one of yours, or over an ArrayBuffer.
 *
 * Loads the package's wasm module (some kilobytes) unless `options.wasm` gives another. Rejects with a HeapError:
 * `bad_argument` when an option is unknown, of a wrong type or in contradiction, `no_module` when the module cannot be loaded,
 * `out_of_memory` when not even an empty heap fits.
 *
 * @example
 * const heap = await createHeap();
 * const block = heap.allocate(100);
 * heap.u8.fill(0, block, block + 100);
 * heap.deallocate(block);
 */
export function createHeap(options: HeapOptions & { readonly trace: true }): Promise<TracedHeap>;
export function createHeap(options?: HeapOptions): Promise<Heap>;
export function createHeap(options: HeapOptions = {}): Promise<Heap> {
  return makeHeap(findBesideScript, options);
}

const findBesideScript = (variant: Variant) => compileBeside(artefactUrl(variant), kFiles[variant]);

/** The names that the package exports the modules by. */
const kFiles: Readonly<Record<Variant, string>> = {
  release: 'heap.wasm',
  trace: 'heap-trace.wasm',
  checked: 'heap-checked.wasm',
  placed: 'heap-placed.wasm',
  'placed-trace': 'heap-placed-trace.wasm',
  'placed-checked': 'heap-placed-checked.wasm',
  shared: 'heap-shared.wasm',
};
