// What a test in Node expects of a heap that it has: a traced heap of JavaScript, a linked program's Module, an instrumented instance.
//
//   vitest.1  The trace is taken when the expectation is asked. It and its report stay in the system's folder for temporary files when
//             the expectation fails, and the message says where; else nothing stays.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {} from 'vitest';
import { recorderOfInstance } from '../../web/src/instrument/loader.ts';
import { type Between, type Judged, matchersOf } from '../recorded/judge.ts';

/** What gives a trace: a recorder, or a heap of `createHeap({ trace: true })`. */
export interface Traced {
  trace(): Uint8Array;
}

/** What an expectation may be about. */
export type HeapUnderTest = Traced | { readonly heapglass?: Traced } | WebAssembly.Instance;

/** The expectations as `expect(heap)` has them. */
export interface HeapMatchers {
  toStayBelow(most: string | number): Promise<void>;
  toGrowAtMost(times: number): Promise<void>;
  toHold(conditions: string): Promise<void>;
  toHaveNoLeaks(options?: Between): Promise<void>;
  toHaveNoHandles(options?: Between): Promise<void>;
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: as Vitest declares it
  interface Matchers<T = any> extends HeapMatchers {}
}

/** For `expect.extend`. Each rejects with a TypeError for what records nothing. */
export const matchers = matchersOf(judgedBy);

function judgedBy(heap: HeapUnderTest): Judged {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-'));
  return {
    async traces() {
      const path = join(folder, 'heap.hgtrace');
      writeFileSync(path, tracedOf(heap).trace());
      return [path];
    },
    failed: async (trace, report) => [`  trace: ${trace}`, `  report: ${report}`],
    end(isKept) {
      if (!isKept) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isTraced = (it: unknown): it is Traced => typeof (it as Partial<Traced> | null | undefined)?.trace === 'function';

function tracedOf(heap: HeapUnderTest): Traced {
  if (typeof heap === 'object' && heap !== null) {
    const instrumented = recorderOfInstance(heap);
    if (instrumented !== undefined) return instrumented;
    if (isTraced(heap)) return heap;
    if ('heapglass' in heap && isTraced(heap.heapglass)) return heap.heapglass;
  }
  const what =
    'a heap of createHeap({ trace: true }), a Module linked with --profile trace, or an instrumented instance';
  throw new TypeError(`expect(heap): this records nothing; give it ${what}`);
}
