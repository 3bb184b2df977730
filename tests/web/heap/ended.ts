// How every heap test ends: the heap proves its invariants and holds nothing any more.

import { expect } from 'vitest';
import type { Heap } from '../../../web/src/heap/heap_types.ts';

export function expectSoundAndEmpty(heap: Heap): void {
  expect(heap.check()).toBeUndefined();
  expect(heap.stats().chunksInUse).toBe(0);
  heap.destroy();
}
