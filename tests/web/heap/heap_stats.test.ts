// A heap's numbers come through the scratch: what lies around it is nobody's to write.

import { expect, test } from 'vitest';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import type { WasmHeap } from '../../../web/src/heap/heap.ts';
import type { HeapOptions } from '../../../web/src/heap/heap_types.ts';
import { kHeapStatsLayout } from '../../../web/src/protocol/event_layout.ts';
import { kScratch } from '../../../web/src/wasm/heap_scratch.ts';

test.each<HeapOptions>([{}, { trace: true }, { checked: true }, { initial: 1 << 20 }])(
  'the numbers of a heap write their own bytes, and no others: %o',
  async (options) => {
    const heap = (await createHeap(options)) as WasmHeap;
    heap.allocate(1000);
    heap.stats(); // an own page of the stack is written once
    const from = heap.module.scratch + kScratch.stats;
    const bytes = heap.u8;
    const after = bytes.slice();
    for (let at = 0; at < 2 * kScratch.words; ++at) bytes[heap.module.scratch - 128 + at] = 0xa5;
    heap.stats();
    const written = Array.from({ length: 2 * kScratch.words }, (_, nth) => heap.module.scratch - 128 + nth).filter(
      (at) => heap.u8[at] !== 0xa5,
    );
    heap.u8.set(after.subarray(heap.module.scratch - 128, heap.module.scratch + 128), heap.module.scratch - 128);
    expect(written.length).toBeGreaterThan(20);
    expect(written.every((at) => at >= from && at < from + kHeapStatsLayout.bytes)).toBe(true);
  },
);
