// Threads see the memory that others grew (memory.V1 to V3): without that, a block's owner may trap at its first memory.copy.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kLevel } from '../every.ts';
import { kThreadFlags } from './matrix.ts';
import { archive, root, toolchains } from './toolchain.ts';

const kFlags = [
  kLevel,
  '-pthread',
  '-DHG_THREADS=1',
  '-iquote',
  join(root, 'core/src'),
  '-I',
  join(root, 'core/include'),
  '-sALLOW_MEMORY_GROWTH',
  '-sMAXIMUM_MEMORY=2GB',
  '-sPTHREAD_POOL_SIZE=8',
  '-sEXIT_RUNTIME',
  '-Wno-pthreads-mem-growth',
];

describe.each(toolchains())('Emscripten $version', { retry: 0 }, (toolchain) => {
  test('who takes a lock sees all memory that the holders before grew, and who reads the map of slabs needs none', async ({
    annotate,
  }) => {
    const linked = await toolchain.link(
      'grown_memory',
      ['grown_memory.cpp'],
      [archive('fast-threads'), ...kFlags, ...kThreadFlags],
    );
    const printed = await linked.run();
    const [plain, ...ours] = (printed.match(/\d+/g) ?? []).map(Number);
    await annotate(`of 8,000 turns at a plain lock, ${plain} saw less memory than there was`);
    expect(ours, printed).toEqual([0, 0, 0]);
  });
});
