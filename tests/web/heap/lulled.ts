// A heap that held much and keeps little, for tests of shrinking.

import { createHeap } from '../../../web/src/heap/create_heap.ts';
import type { Heap, HeapOptions } from '../../../web/src/heap/heap_types.ts';
import { expectSoundAndEmpty } from './ended.ts';

/** Writes a pattern over a block, and proves it. */
export function fill(heap: Heap, address: number, size: number, seed: number): void {
  for (let i = 0; i < size; i += 251) heap.u8[address + i] = seed + i;
}
export function proves(heap: Heap, address: number, size: number, seed: number): boolean {
  for (let i = 0; i < size; i += 251) if (heap.u8[address + i] !== ((seed + i) & 0xff)) return false;
  return true;
}

/** A heap that held 64 MiB in blocks and keeps every 32nd of them, and one at a low address. */
export async function lulled(options: HeapOptions) {
  const heap = await createHeap(options);
  const size = 64_000;
  const blocks = Array.from({ length: 1000 }, () => heap.allocate(size));
  for (const [i, block] of blocks.entries()) fill(heap, block, size, i);
  for (const [i, block] of blocks.entries()) if (i >= 500 || i % 32 !== 0) heap.deallocate(block);
  const kept = blocks.map((address, i) => ({ address, seed: i })).filter((_, i) => i < 500 && i % 32 === 0);
  const isSame = () => kept.every(({ address, seed }) => proves(heap, address, size, seed));
  const end = () => {
    for (const { address } of kept) heap.deallocate(address);
    expectSoundAndEmpty(heap);
  };
  return { heap, isSame, end };
}
