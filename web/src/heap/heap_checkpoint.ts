// heap.checkpoint() and heap.reset(): back to what all heaps of a module were, in the same memory.
//
//   checkpoint   a copy of the pages that live      | data, stack | live | live |       one behind the other
//   memory       | data, stack | live | free | zeros | live | free ...... | grown since |
//   reset          compared, and written where they differ; zeros are cleared where they are none; free pages stay as they are
//
//  checkpoint.L1  wasm does not say which pages were written to. So a reset reads every page that lived at the checkpoint, and its
//      copy, up to the first word that differs; it writes the pages that differ, and no other: O(pages that lived) to read, O(pages
//      touched) to write.
//  checkpoint.L2  A free page was nobody's at the checkpoint: nothing depends on what it holds.
//  checkpoint.L3  Memory that grew since stays. The page source learns where it ends now and goes on as it did from the checkpoint.
//  checkpoint.L4  JavaScript's handles go back, too: one that was destroyed since lives again, and one that was made since is dead.
//  checkpoint.L5  A checkpoint is the module's, and there is one. It may be gone back to as often as one likes.

import { isZeroPage, kPage, liveRuns } from '../shrink/live_pages.ts';
import { badArgument } from './arguments.ts';
import { freeRuns, growTo } from './free_pages.ts';
import { HeapError } from './heap_error.ts';
import type { Handle, HeapModule } from './heap_module.ts';
import { eachRun } from './heap_snapshot.ts';

interface Checkpoint {
  readonly end: number;
  /** Address and bytes, in turn, of what lived; and of pages that lived and held zeros. */
  readonly runs: readonly number[];
  readonly zeros: readonly number[];
  readonly contents: Uint8Array;
  readonly handles: readonly { readonly handle: Handle; putBack(): void }[];
}

const kept = new WeakMap<HeapModule, Checkpoint>();

/** In place of the last one. */
export function keepCheckpoint(module: HeapModule): void {
  refuse(module);
  const { functions, views, handles } = module;
  const end = functions.hg_memory_end() >>> 0;
  const free = freeRuns(module);
  const { u8, i32 } = views.views;
  const runs = liveRuns(end, free, (page) => isZeroPage(i32, page));
  const contents = copyOf(u8, runs);
  kept.set(module, {
    end,
    runs,
    zeros: liveRuns(end, [...free, ...runs], () => false),
    contents,
    handles: Array.from(handles, (handle) => ({ handle, putBack: handle.keep() })),
  });
}

/** How many pages of 4 KiB were written. */
export function resetModule(module: HeapModule): number {
  refuse(module);
  const checkpoint = kept.get(module);
  if (checkpoint === undefined)
    throw badArgument('this heap has no checkpoint to go back to: call checkpoint() before');
  const { functions, views } = module;
  functions.hg_memory_end(); // a module that trapped says so
  growTo(views.memory, checkpoint.end, 'no memory'); // it may have shrunk since
  const written = writeBack(views.views.u8, views.views.i32, checkpoint);
  functions.hg_memory_moved(checkpoint.end);
  for (const handle of [...module.handles]) handle.forget();
  for (const { handle, putBack } of checkpoint.handles) {
    putBack();
    module.handles.add(handle);
  }
  return written;
}

function refuse(module: HeapModule): void {
  if (module.fixed !== undefined) throw badArgument(`this heap cannot go back: ${module.fixed}`);
  if (module.recorder === undefined) return;
  throw badArgument('this heap cannot go back: it is traced, and what its trace says has happened');
}

function copyOf(memory: Uint8Array, runs: readonly number[]): Uint8Array {
  let bytes = 0;
  eachRun(runs, (_, size, at) => {
    bytes = at + Math.ceil(size / 4) * 4;
  });
  try {
    const copy = new Uint8Array(bytes);
    eachRun(runs, (address, size, at) => copy.set(memory.subarray(address, address + size), at));
    return copy;
  } catch (cause) {
    throw new HeapError('out_of_memory', `no ${bytes} bytes for the checkpoint can be had`, { cause });
  }
}

/** L1 */
function writeBack(memory: Uint8Array, words: Int32Array, { runs, zeros, contents }: Checkpoint): number {
  const kept = new Int32Array(contents.buffer);
  let written = 0;
  eachRun(runs, (address, bytes, at) => {
    for (let done = 0; done < bytes; done += kPage) {
      const size = Math.min(kPage, bytes - done);
      if (areSame(words, (address + done) >>> 2, kept, (at + done) >>> 2, Math.ceil(size / 4))) continue;
      memory.set(contents.subarray(at + done, at + done + size), address + done);
      ++written;
    }
  });
  eachRun(zeros, (address, bytes) => {
    for (let page = address; page < address + bytes; page += kPage) {
      if (isZeroPage(words, page)) continue;
      memory.fill(0, page, page + kPage);
      ++written;
    }
  });
  return written;
}

function areSame(words: Int32Array, at: number, kept: Int32Array, from: number, count: number): boolean {
  for (let i = 0; i < count; ++i) if (words[at + i] !== kept[from + i]) return false;
  return true;
}
