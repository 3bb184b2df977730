// createHeap() of the package's entry: one module, so that a bundle carries one wasm file. Which module another heap needs depends on
// its options, and no bundler knows those: it emits all that an import reaches (docs/decisions/0037-one-module.md).

import type { Variant } from '../wasm/heap_artefacts.ts';
import { releaseUrl } from '../wasm/release_artefact.ts';
import { compileBeside, kModuleFiles } from './beside_script.ts';
import { HeapError } from './heap_error.ts';
import type { Heap, HeapOptions, HeapShare, TracedHeap } from './heap_types.ts';
import { makeHeap } from './make_heap.ts';

/** Options of a heap in a memory of its own that nobody watches. */
export type PlainHeapOptions = Pick<HeapOptions, 'align' | 'throwOnOutOfMemory' | 'wasm' | 'from'>;

/** Every option, where the module is given: by its address, or by the worker that made the heap. */
export type HeapOptionsWithModule = HeapOptions &
  ({ readonly wasm: NonNullable<HeapOptions['wasm']> } | { readonly shared: HeapShare });

/**
 * A heap in a new WebAssembly memory that grows, for Node, pages and workers.
 *
 * Loads the package's wasm module (some kilobytes) unless `options.wasm` gives another. Options that need another module are those
 * of `heapglass/full`, or come with that module. Rejects with a HeapError: `bad_argument` when an option is unknown, of a wrong
 * type or in contradiction, `no_module` when the module is another one or cannot be loaded, `out_of_memory` when not even an empty
 * heap fits.
 *
 * @example
 * const heap = await createHeap();
 * const block = heap.allocate(100);
 * heap.u8.fill(0, block, block + 100);
 * heap.deallocate(block);
 */
export function createHeap(options?: PlainHeapOptions): Promise<Heap>;
export function createHeap(options: HeapOptionsWithModule & { readonly trace: true }): Promise<TracedHeap>;
export function createHeap(options: HeapOptionsWithModule): Promise<Heap>;
export function createHeap(options: HeapOptions = {}): Promise<Heap> {
  return makeHeap(findRelease, options);
}

async function findRelease(variant: Variant): Promise<WebAssembly.Module> {
  if (variant === 'release') return compileBeside(releaseUrl(), kModuleFiles.release);
  throw new HeapError(
    'no_module',
    `this heap needs the module heapglass/${kModuleFiles[variant]}: createHeap of 'heapglass/full' has every module; or give its address, createHeap({ wasm: address })`,
  );
}
