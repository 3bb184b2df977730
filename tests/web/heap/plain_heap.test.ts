// The entry with one module: the same heap, and a refusal of what that module cannot do.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { HeapOptions } from '../../../web/src/heap/heap_types.ts';
import { createHeap } from '../../../web/src/heap/plain_heap.ts';
import { artefactUrl } from '../../../web/src/wasm/heap_artefacts.ts';
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
])('%j is refused with the entry that has its module', async (options) => {
  const message = expect.stringMatching(
    /^this heap needs the module heapglass\/heap-[\w-]+\.wasm: createHeap of 'heapglass\/full' has every/,
  );
  await expect(createHeap(options as never)).rejects.toEqual(expect.objectContaining({ code: 'no_module', message }));
});

test('any option is taken with its module', async () => {
  const wasm = readFileSync(artefactUrl('placed-trace'));
  const heap = await createHeap({ trace: true, maximum: 1 << 20, wasm });
  const before = heap.eventCount;
  heap.deallocate(heap.allocate(8));
  expect(heap.eventCount).toBeGreaterThan(before);
});

test('what is wrong is said before what is missing', async () => {
  await expect(createHeap({ trace: 1 } as never)).rejects.toThrow(/trace must be/);
});

test('an option of a wrong value is refused as elsewhere', async () => {
  await expect(createHeap({ align: 24 })).rejects.toThrow(/align must be a power of two from 8 on, and is 24/);
});
