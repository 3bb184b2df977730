// The entry with one module: the same heap, and a refusal of what that module cannot do.

import { expect, test } from 'vitest';
import type { HeapOptions } from '../../../web/src/heap/heap_types.ts';
import { createHeap } from '../../../web/src/heap/plain_heap.ts';
import { expectSoundAndEmpty } from './ended.ts';

test('a plain heap allocates, aligns and grows', async () => {
  const heap = await createHeap({ align: 64 });
  const blocks = [heap.allocate(100), heap.allocate(5 << 20)];
  expect(blocks.map((block) => block % 64)).toEqual([0, 0]);
  heap.freeMany(blocks);
  expectSoundAndEmpty(heap);
});

test.each<HeapOptions>([
  { trace: true },
  { checked: true },
  { shared: true },
  { maximum: 1 << 20 },
  { buffer: new ArrayBuffer(1 << 20) },
])('%j is refused with the entry that has it', async (options) => {
  const message = expect.stringMatching(
    /'heapglass\/plain' \(that of 'heapglass' has more\) has no option '\w+'; it has align/,
  );
  await expect(createHeap(options as never)).rejects.toEqual(
    expect.objectContaining({ code: 'bad_argument', message }),
  );
});

test('an option of a wrong value is refused as elsewhere', async () => {
  await expect(createHeap({ align: 24 })).rejects.toThrow(/align must be a power of two from 8 on, and is 24/);
});
