/**
 * heapglass/vitest: what a test expects of a heap that it has.
 *
 * @example
 * import { createHeap } from 'heapglass/full';
 * import { matchers } from 'heapglass/vitest';
 * import { expect, test } from 'vitest';
 * expect.extend(matchers);
 * test('a parser frees what it allocates', async () => {
 *   const heap = await createHeap({ trace: true });
 *   parse(heap, 'text');
 *   await expect(heap).toHaveNoLeaks();
 * });
 *
 * @packageDocumentation
 */

export type { Between, Matched } from './recorded/judge.ts';
export { type HeapMatchers, type HeapUnderTest, matchers, type Traced } from './vitest/matchers.ts';
