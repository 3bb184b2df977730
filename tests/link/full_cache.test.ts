// Cached memory is free memory: malloc fails only when flushing cannot help (malloc.M5).

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { someOf } from '../every.ts';
import { kThreadFlags } from './matrix.ts';
import { archive, glueFlags, toolchains } from './toolchain.ts';

const kMemories = {
  'that cannot grow': ['-sINITIAL_MEMORY=4MB'],
  'that grows to its end': [
    '-sALLOW_MEMORY_GROWTH',
    '-sINITIAL_MEMORY=2MB',
    '-sMAXIMUM_MEMORY=4MB',
    '-Wno-pthreads-mem-growth',
  ],
};
const [toolchain] = toolchains();
if (toolchain === undefined) throw new Error('no compiler');

const kProfiles = ['fast', 'hardened-threads', 'small', 'trace', 'hardened', 'fast-threads'];

describe.each(someOf(kProfiles))('profile %s', (profile) => {
  test.each(Object.entries(kMemories))('serves from its cache in a memory %s', async (name, flags) => {
    const threads = profile.endsWith('-threads') ? ['-pthread', '-sEXIT_RUNTIME', ...kThreadFlags] : [];
    const common = ['-O1', '-fno-builtin', '-sABORTING_MALLOC=0', '-sTOTAL_STACK=65536'];
    const linked = await toolchain.link(
      `full_cache_${profile}_${name.length}`,
      ['full_cache.c'],
      [archive(profile), ...common, ...flags, ...threads],
    );
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...glueFlags(toolchain.order),
      linked.wasm.replace(/\.wasm$/, '.js'),
    ]);
    expect(stdout.trim()).toBe('ok');
  });
});
