// heap.shrink(): the module goes on in a smaller memory, with every byte in use at its old address.
//
//   1. a fresh instance of the module, on a fresh memory     4. grow the fresh memory to what is needed
//   2. trim every heap                                       5. copy what lives
//   3. ask how much is needed                                6. exchange; the old memory's buffer is detached
//
//  shrink.S1  Up to step 6 only the fresh instance changes, apart from trimming. Where a step fails, the heap goes on in its old memory.
//      Step 6 itself makes nothing, so it cannot fail.
//  shrink.S2  Only step 1 waits. What happened meanwhile, another shrink included, is seen by the others.
//  shrink.S3  An array or a view of the old memory has no elements afterwards, as after a growth: no build reads the past.

import { copyLive } from '../image/live_pages.ts';
import { collectSoon, detach } from '../shrink/collect.ts';
import { shrunkText } from '../shrink/shrunk.ts';
import { badArgument } from './arguments.ts';
import { freeRuns, growTo } from './free_pages.ts';
import type { HeapModule } from './heap_module.ts';
import type { HeapShrink } from './heap_types.ts';

/** `id`: the number of the heap that asks; throws when it is gone. A traced module gets a mark. */
export async function shrinkModule(module: HeapModule, id: () => number): Promise<HeapShrink> {
  if (module.fixed !== undefined) throw badArgument(`this heap cannot shrink: ${module.fixed}`);
  id();
  const fresh = await module.startFresh();
  const asking = id();
  const { functions, views } = module;
  for (const { address } of module.handles) functions.hg_heap_trim(address, 0);
  module.recorder?.drain();
  const end = functions.hg_memory_end() >>> 0;
  const free = freeRuns(module);
  const old = views.memory;
  const before = old.buffer.byteLength;
  growTo(fresh.memory, end, 'no second memory', ' for the time of the copy');
  const copied = copyLive(old.buffer, fresh.memory.buffer, Math.min(end, before), free, undefined);
  fresh.exports.hg_memory_moved(end);
  const goOn = module.exchange(fresh);
  const after = fresh.memory.buffer.byteLength;
  const mark = module.recorder?.markOf(asking, shrunkText(before, after));
  goOn();
  mark?.(); // behind memory_moved, which the fresh instance wrote
  detach(old); // S3
  collectSoon(old, before);
  return { before, after, copied };
}
