// Calls on a heap that holds some blocks, each full of the byte of its number: contents, and addresses of new blocks.

import type { Heap } from '../../../web/src/heap/heap_types.ts';

export function furtherCalls(heap: Heap, blocks: readonly number[]): (number | string)[] {
  const answers: (number | string)[] = [];
  for (const [i, block] of blocks.entries()) {
    const bytes = heap.u8.subarray(block, block + heap.usableSize(block));
    answers.push(bytes.every((byte) => byte === (i & 0xff)) ? bytes.length : 'other contents');
    if (i % 3 !== 0) heap.deallocate(block);
    answers.push(heap.allocate(50 + i * 7), heap.allocate(8));
  }
  answers.push(heap.check() ?? 'sound', heap.stats().inUse);
  return answers;
}
