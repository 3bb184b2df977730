// heap.shrink(): the module goes on in a smaller memory, with every byte in use at its old address.
//
//   1. a fresh instance of the module, on a fresh memory     4. grow the fresh memory to what is needed
//   2. trim every heap                                       5. copy what lives
//   3. ask how much is needed                                6. exchange; the old memory's buffer is detached
//
//  shrink.S1  Up to step 6 only the fresh instance changes, apart from trimming. Where a step fails, the heap goes on in its old memory.
//  shrink.S2  Only step 1 waits. What happened meanwhile, another shrink included, is seen by the others.
//  shrink.S3  An array or a view of the old memory has no elements afterwards, as after a growth: no build reads the past.

import { collectSoon } from '../shrink/collect.ts';
import { readRuns } from '../shrink/free_runs.ts';
import { copyLive } from '../shrink/live_pages.ts';
import { shrunkText } from '../shrink/shrunk.ts';
import { textOf } from '../wasm/compile_wasm.ts';
import { kScratch } from '../wasm/heap_scratch.ts';
import { badArgument } from './arguments.ts';
import { HeapError } from './heap_error.ts';
import type { HeapInstance } from './heap_instance.ts';
import type { HeapModule } from './heap_module.ts';
import type { HeapShrink } from './heap_types.ts';
import { kPageBytes } from './place.ts';

/** `id`: the number of the heap that asks; throws when it is gone. A traced module gets a mark. */
export async function shrinkModule(module: HeapModule, id: () => number): Promise<HeapShrink> {
  if (module.fixed !== undefined) throw badArgument(`this heap cannot shrink: ${module.fixed}`);
  id();
  const fresh = await module.startFresh();
  const asking = id();
  const { functions, views } = module;
  for (const heap of module.heaps) functions.hg_heap_trim(heap, 0);
  module.recorder?.drain();
  const end = functions.hg_memory_end() >>> 0;
  const free = freeRuns(module);
  const old = views.memory;
  const before = old.buffer.byteLength;
  growTo(fresh, end);
  const copied = copyLive(old.buffer, fresh.memory.buffer, Math.min(end, before), free);
  fresh.exports.hg_memory_moved(end);
  module.exchange(fresh);
  old.grow(0); // S3
  collectSoon(old, before);
  const after = fresh.memory.buffer.byteLength;
  module.recorder?.name(asking, shrunkText(before, after));
  return { before, after, copied };
}

/** Free pages of every heap, and those that none holds. */
function freeRuns({ functions, heaps, views, scratch, scratchWords }: HeapModule): number[] {
  const memory = () => views.memory.buffer;
  const listOf = (list: Parameters<typeof readRuns>[0]) =>
    readRuns(list, memory, scratch + kScratch.words, scratchWords);
  const runs = listOf((page, cursor, at, capacity) => functions.hg_memory_free_pages(page, cursor, at, capacity));
  for (const heap of heaps) {
    const own = listOf((page, cursor, at, capacity) => functions.hg_heap_free_pages(heap, page, cursor, at, capacity));
    for (const word of own) runs.push(word);
  }
  return runs;
}

function growTo({ memory }: HeapInstance, bytes: number): void {
  const missing = Math.ceil(bytes / kPageBytes) - memory.buffer.byteLength / kPageBytes;
  if (missing <= 0) return;
  try {
    memory.grow(missing);
  } catch (cause) {
    throw new HeapError(
      'out_of_memory',
      `no second memory of ${bytes} bytes for the time of the copy: ${textOf(cause)}`,
      {
        cause,
      },
    );
  }
}
