// createHeap() of the entry heapglass/full: its modules are files beside the script, one for each set of options.

import { artefactUrl, type Variant } from '../wasm/heap_artefacts.ts';
import { compileBeside, kModuleFiles } from './beside_script.ts';
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

const findBesideScript = (variant: Variant) => compileBeside(artefactUrl(variant), kModuleFiles[variant]);
