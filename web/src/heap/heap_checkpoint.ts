// heap.checkpoint() and heap.reset(): back to what all heaps of a module were, in the same memory.
//
//  checkpoint.L3  Memory that grew since stays. The page source learns where it ends now and goes on as it did from the checkpoint.
//  checkpoint.L4  JavaScript's handles go back, too: one that was destroyed since lives again, and one that was made since is dead.
//  checkpoint.L5  A checkpoint is the module's, and there is one. It may be gone back to as often as one likes.
//  checkpoint.L6  The ring of a traced heap is read empty before a reset, and goes on behind it where it was: what happened stays in the
//      trace, and a copy and a reset are events (event.P9).

import { type KeptPages, keepPages, putBack } from '../image/kept_pages.ts';
import { badArgument } from './arguments.ts';
import { freeRuns, growTo } from './free_pages.ts';
import type { Handle, HeapModule } from './heap_module.ts';
import { heapFailure } from './heap_snapshot.ts';

interface Checkpoint {
  readonly number: number;
  readonly pages: KeptPages;
  readonly handles: readonly { readonly handle: Handle; putBack(): void }[];
}

const kept = new WeakMap<HeapModule, Checkpoint>();

/** In place of the last one. */
export function keepCheckpoint(module: HeapModule): void {
  refuse(module, 'be kept');
  const { functions, views, handles, recorder } = module;
  const end = functions.hg_memory_end() >>> 0;
  const free = freeRuns(module);
  const number = (kept.get(module)?.number ?? 0) + 1;
  const pages = keepPages(views.memory.buffer, end, free, heapFailure);
  kept.set(module, { number, pages, handles: Array.from(handles, (handle) => ({ handle, putBack: handle.keep() })) });
  if (recorder !== undefined) functions.hg_trace_kept(number);
}

/** How many pages of 4 KiB were written. */
export function resetModule(module: HeapModule): number {
  refuse(module, 'go back');
  const checkpoint = kept.get(module);
  if (checkpoint === undefined)
    throw badArgument('this heap has no checkpoint to go back to: call checkpoint() before');
  const { functions, views, recorder } = module;
  const { pages, number } = checkpoint;
  functions.hg_memory_end(); // a module that trapped says so
  growTo(views.memory, pages.end, 'no memory'); // it may have shrunk since
  const goOn = recorder?.keepPlace();
  const written = putBack(views.memory, pages);
  goOn?.();
  if (recorder === undefined) functions.hg_memory_moved(pages.end);
  else functions.hg_trace_reset(number, pages.end);
  for (const handle of [...module.handles]) handle.forget();
  for (const { handle, putBack } of checkpoint.handles) {
    putBack();
    module.handles.add(handle);
  }
  return written;
}

function refuse({ fixed }: HeapModule, what: string): void {
  if (fixed !== undefined) throw badArgument(`this heap cannot ${what}: ${fixed}`);
}
