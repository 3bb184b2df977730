// `test` and `expect` with a heap. Where a project has its own, mergeTests and mergeExpects of Playwright join them.

import { expect as plainExpect, test as plainTest } from '@playwright/test';
import type { RecordOptions } from '../recorded/record_options.ts';
import { matchers } from './matchers.ts';
import { RecordedHeap } from './recorded_heap.ts';

export interface HeapFixtures {
  /** The heaps of `page`'s modules, recorded from their first allocation on. */
  readonly heap: RecordedHeap;
}

export interface HeapOptions {
  /** How modules are recorded; `use: { heapglass: { stacks: true } }` in the configuration. */
  readonly heapglass: RecordOptions;
}

export const test = plainTest.extend<HeapFixtures & HeapOptions>({
  heapglass: [{}, { option: true }],
  heap: async ({ context, page, heapglass }, use, testInfo) => {
    const heap = new RecordedHeap(page, (name) => testInfo.outputPath(name));
    await heap.record(context, heapglass);
    await use(heap);
  },
});

export const expect = plainExpect.extend(matchers);
