/**
 * heapglass/playwright: tests that record the heaps of any page's modules and say what they expect of them.
 *
 * @example
 * // needs the package binaryen: npm install --save-dev heapglass binaryen@132
 * import { expect, test } from 'heapglass/playwright';
 * test('a level frees what it loads', async ({ page, heap }) => {
 *   await page.goto('/');
 *   await heap.mark('open');
 *   await page.getByRole('button', { name: 'Play once' }).click();
 *   await heap.mark('closed');
 *   await expect(heap).toHaveNoLeaks({ between: ['open', 'closed'] });
 *   await expect(heap).toStayBelow('32 MiB');
 * });
 *
 * @packageDocumentation
 */

export { expect, type HeapFixtures, type HeapOptions, test } from './playwright/fixture.ts';
export { matchers } from './playwright/matchers.ts';
export { RecordedHeap, type TraceOfPage } from './playwright/recorded_heap.ts';
export type { Between, Matched } from './recorded/judge.ts';
export type { RecordOptions } from './recorded/record_options.ts';
