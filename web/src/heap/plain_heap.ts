// createHeap() of the entry heapglass/plain: one module, so that a bundle carries one wasm file. Which module another createHeap()
// needs depends on its options, and no bundler knows those: it emits all seven.

import type { Variant } from '../wasm/heap_artefacts.ts';
import { releaseUrl } from '../wasm/release_artefact.ts';
import { checkOptions } from './arguments.ts';
import { compileBeside } from './beside_script.ts';
import { HeapError } from './heap_error.ts';
import type { Heap, HeapOptions } from './heap_types.ts';
import { makeHeap } from './make_heap.ts';

/** Options of a heap in a memory of its own that nobody watches. */
export type PlainHeapOptions = Pick<HeapOptions, 'align' | 'throwOnOutOfMemory' | 'wasm' | 'from'>;

const anything = (): undefined => undefined; // makeHeap says what each must be
const kOptions: Readonly<Record<keyof PlainHeapOptions, () => undefined>> = {
  align: anything,
  throwOnOutOfMemory: anything,
  wasm: anything,
  from: anything,
};

/**
 * A heap in a new WebAssembly memory that grows. Everything else that `heapglass` has is refused (`bad_argument`).
 *
 * @example
 * import { createHeap } from 'heapglass/plain';
 * const heap = await createHeap();
 */
export async function createHeap(options: PlainHeapOptions = {}): Promise<Heap> {
  checkOptions("createHeap of 'heapglass/plain' (that of 'heapglass' has more)", options, kOptions);
  return makeHeap(findRelease, options);
}

/** Other profiles are asked for by snapshots. */
function findRelease(profile: Variant): Promise<WebAssembly.Module> {
  if (profile === 'release') return compileBeside(releaseUrl(), 'heap.wasm');
  throw new HeapError(
    'bad_snapshot',
    `the snapshot has the profile ${profile}: createHeap of 'heapglass' goes on with it`,
  );
}
