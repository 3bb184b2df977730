// Memory that is out in the middle: each call that an engine may refuse is refused once, and the heap goes on.

import { expect, test } from 'vitest';
import type { HeapOptions } from '../../../web/src/heap/heap_types.ts';
import { refuseCall } from '../refused_calls.ts';
import { lulled } from './lulled.ts';

const kMiB = 1 << 20;
const kMostTries = 2000;

test.each<[string, HeapOptions]>([
  ['its own memory', {}],
  ['with events', { trace: true }],
  ['placed', { initial: kMiB, maximum: 256 * kMiB }],
])('a shrink that is refused anything leaves the heap as it was: %s', async (_, options) => {
  const { heap, isSame, end } = await lulled(options);
  const before = heap.buffer.byteLength;
  const refused = new Set<string>();
  for (let nth = 1; nth < kMostTries; ++nth) {
    const refusing = refuseCall(nth);
    const outcome = await heap.shrink().then(
      () => 'done',
      (cause: Error) => cause,
    );
    refusing.restore();
    const which = `call ${nth}, ${refusing.refused}`;
    expect(isSame(), which).toBe(true);
    expect(heap.check(), which).toBeUndefined();
    const block = heap.allocate(100_000);
    heap.u8.fill(1, block, block + 100_000);
    expect(heap.deallocate(block), which).toBe(true);
    const isDone = heap.buffer.byteLength < before;
    expect(outcome === 'done', which).toBe(isDone); // also where only the old memory could not be detached
    if (isDone) break;
    refused.add(refusing.refused ?? '');
  }
  expect([...refused]).toEqual(expect.arrayContaining(['instantiate', 'grow', 'set', 'new Int32Array']));
  expect(heap.buffer.byteLength).toBeLessThan(before);
  end();
});
