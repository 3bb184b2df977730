// The free pages of a linked program, and a memory made long enough: for what copies a memory.

import { kOneWord, kOsPage, readRuns } from '../image/free_runs.ts';
import type { ProgramAllocator } from './exchange.ts';
import { kPageBytes, shrinkError } from './shrunk.ts';

const kScratchWords = 128; // hg_memory_scratch

/** Address and bytes, in turn. */
export function freePagesOf(allocator: ProgramAllocator, buffer: () => ArrayBufferLike): number[] {
  const scratch = allocator.scratch();
  const own = readRuns(allocator.heapPages, kOsPage, buffer, scratch, kScratchWords);
  return own.concat(readRuns(allocator.memoryPages, kOsPage, buffer, scratch, kScratchWords));
}

/** Bytes of whole free pages: of malloc's heap, and of what it released to the page source. */
export function freePageBytes(allocator: ProgramAllocator, buffer: () => ArrayBufferLike): number {
  const released = readRuns(allocator.memoryPages, kOsPage, buffer, allocator.scratch(), kScratchWords);
  return released.reduce((sum, word, i) => (i % 2 === 1 ? sum + word : sum), allocator.returnable(kOsPage));
}

/** All that nobody reads, to the word: the insides of free chunks and of those that malloc caches. Address and bytes, in turn. */
export function unreadOf(allocator: ProgramAllocator, buffer: () => ArrayBufferLike): number[] {
  const scratch = allocator.scratch();
  const lists = [allocator.heapPages, allocator.cachedPages, allocator.memoryPages];
  return lists.flatMap((list) => readRuns(list, kOneWord, buffer, scratch, kScratchWords));
}

/** Makes a memory at least so long. Throws a ShrinkError (`out_of_memory`). */
export function growTo(memory: WebAssembly.Memory, bytes: number, why: string): void {
  const missing = Math.ceil(bytes / kPageBytes) - memory.buffer.byteLength / kPageBytes;
  if (missing <= 0) return;
  try {
    memory.grow(missing);
  } catch (cause) {
    throw shrinkError('out_of_memory', `no memory of ${bytes} bytes${why}: ${(cause as Error).message}`);
  }
}
