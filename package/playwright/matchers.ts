// What a test of a page expects of its heaps: every module that the page has recorded must hold. On failure the trace and its report,
// one HTML file, are attached to the test's results.

import { test } from '@playwright/test';
import { matchersOf } from '../recorded/judge.ts';
import type { RecordedHeap } from './recorded_heap.ts';

export const matchers = matchersOf((heap: RecordedHeap) => ({
  traces: async () => (await heap.traces()).map(({ path }) => path),
  async failed(trace, report) {
    await test.info().attach('heap: trace', { path: trace, contentType: 'application/octet-stream' });
    await test.info().attach('heap: report', { path: report, contentType: 'text/html' });
    return [];
  },
  end() {}, // Playwright keeps or deletes the folder of results
}));
