// The free pages of a heap's module, and memory made long enough: for what copies a memory (heap_shrink.ts, heap_snapshot.ts,
// heap_checkpoint.ts).

import { kOsPage, readRuns } from '../image/free_runs.ts';
import { textOf } from '../wasm/compile_wasm.ts';
import { kScratch } from '../wasm/heap_scratch.ts';
import { HeapError } from './heap_error.ts';
import type { HeapModule } from './heap_module.ts';
import { kPageBytes } from './place.ts';

/** Free pages of every heap, and those that none holds: address and bytes, in turn. `pageBytes`: a word gives all that is free. */
export function freeRuns(
  { functions, handles, views, scratch, scratchWords }: HeapModule,
  pageBytes: number = kOsPage,
): number[] {
  const memory = () => views.memory.buffer;
  const listOf = (list: Parameters<typeof readRuns>[0]) =>
    readRuns(list, pageBytes, memory, scratch + kScratch.words, scratchWords);
  const runs = listOf((page, cursor, at, capacity) => functions.hg_memory_free_pages(page, cursor, at, capacity));
  for (const { address } of handles) {
    const own = listOf((page, cursor, at, capacity) =>
      functions.hg_heap_free_pages(address, page, cursor, at, capacity),
    );
    for (const word of own) runs.push(word);
  }
  return runs;
}

/** Makes memory at least so long. Throws a HeapError (`out_of_memory`): `what` of that many bytes `why`. */
export function growTo(memory: WebAssembly.Memory, bytes: number, what: string, why = ''): void {
  const missing = Math.ceil(bytes / kPageBytes) - memory.buffer.byteLength / kPageBytes;
  if (missing <= 0) return;
  try {
    memory.grow(missing);
  } catch (cause) {
    throw new HeapError('out_of_memory', `${what} of ${bytes} bytes${why}: ${textOf(cause)}`, { cause });
  }
}
