// Memory that is out in the middle: each call that an engine may refuse is refused once, and the heap goes on.

import { expect, test } from 'vitest';
import type { HeapOptions } from '../../../web/src/heap/heap_types.ts';
import { refuseCall } from '../refused_calls.ts';
import { lulled } from './lulled.ts';

const kMiB = 1 << 20;
const kMostTries = 2000;

/** How many calls that an engine may refuse a shrink makes that is refused none. */
async function callsOfOneShrink(options: HeapOptions): Promise<number> {
  const { heap, end } = await lulled(options);
  const counting = refuseCall(Number.POSITIVE_INFINITY);
  await heap.shrink();
  counting.restore();
  end();
  return counting.calls;
}

test.each<[string, HeapOptions]>([
  ['its own memory', {}],
  ['with events', { trace: true }],
  ['placed', { initial: kMiB, maximum: 256 * kMiB }],
])('a shrink that is refused anything leaves the heap as it was: %s', async (_, options) => {
  const { heap, isSame, end } = await lulled(options);
  const before = heap.buffer.byteLength;
  const all = await callsOfOneShrink(options);
  const refused = new Set<string>();
  let last = 0; // that left the heap in its old memory
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
    expect(refusing.refused, which).toBeDefined();
    refused.add(refusing.refused ?? '');
    last = nth;
  }
  expect([...refused]).toEqual(expect.arrayContaining(['instantiate', 'grow', 'set', 'new Int32Array']));
  expect(heap.buffer.byteLength).toBeLessThan(before);
  end();
  for (let nth = last + 1; nth <= all; ++nth) {
    const other = await lulled(options); // what is left of the calls: most lie behind the exchange
    const refusing = refuseCall(nth);
    const outcome = await other.heap.shrink().then(
      () => 'done',
      (cause: Error) => cause,
    );
    refusing.restore();
    expect([refusing.refused, other.isSame()], `call ${nth}`).toEqual([expect.any(String), true]);
    expect(outcome === 'done', `call ${nth}`).toBe(other.heap.buffer.byteLength < before);
    other.end();
  }
});
