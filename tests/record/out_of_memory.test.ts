// Out of memory, explained: each cause by its name, with nothing allocated meanwhile, and the program goes on.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { kThreadFlags } from '../link/matrix.ts';
import { archive, glueFlags, kFull, root, toolchains } from '../link/toolchain.ts';

// The stack takes memory from the heap: 5 MiB by default until Emscripten 3.1.26, 64 KiB since then.
const kCommon = `-I${root}core/include -fno-builtin -O1 -sABORTING_MALLOC=0 -sTOTAL_STACK=5MB`.split(' ');
const kMemories = {
  growing: ['-sALLOW_MEMORY_GROWTH', '-sINITIAL_MEMORY=8MB', '-sMAXIMUM_MEMORY=32MB', '-Wno-pthreads-mem-growth'],
  fixed: ['-sINITIAL_MEMORY=16MB'],
};

interface Row {
  readonly memory: keyof typeof kMemories;
  /** What the report says of the cause. */
  readonly says: RegExp;
}

/** With a history. */
const kRows: Readonly<Record<string, Row>> = {
  shortage: {
    memory: 'growing',
    says: /^cause: shortage\. 18\d{6} live bytes and 20971520 more do not fit; memory has \d+ bytes and was refused to grow/m,
  },
  fragmentation: {
    memory: 'growing',
    says: /^cause: fragmentation\. 13\d{6} bytes are free, but the largest free chunk has \d{5}\.\n2 blocks in use \(80016 bytes\) keep 160032 bytes from 0x[0-9a-f]+ on from being one hole: 0x[0-9a-f]+ \(40004\), 0x[0-9a-f]+ \(40004\)$/m,
  },
  limit: {
    memory: 'fixed',
    says: /^cause: a limit\. Memory has 16777216 bytes as at the beginning: it may not grow \(/m,
  },
  beyond: {
    memory: 'growing',
    says: /^cause: a limit\. .* may not grow \(.*\), or not by so much \(-sMAXIMUM_MEMORY\)\.$/m,
  },
  leak: {
    memory: 'growing',
    says: /^cause: a leak, as it looks\. Blocks of 60 to 123 bytes hold 2[56]\d{6} of 26\d{6} live bytes, and only grew: \d+ when the heap had \d+, .*\.$/m,
  },
};
/** Without one a leak and a limit are shortages. */
const kPlain: typeof kRows = {
  ...kRows,
  limit: { memory: 'fixed', says: /^cause: shortage.*\(-sALLOW_MEMORY_GROWTH, -sMAXIMUM_MEMORY\)\.$/m },
  beyond: { memory: 'growing', says: /^cause: shortage/m },
  leak: { memory: 'growing', says: /^cause: shortage/m },
};

const kDaily = { trace: kRows, fast: kPlain };
const kProfiles = kFull ? { ...kDaily, checked: kRows, 'trace-threads': kRows, 'fast-threads': kPlain } : kDaily;
const [toolchain] = toolchains();
if (toolchain === undefined) throw new Error('no compiler');

describe.each(Object.entries(kProfiles))('profile %s', (profile, rows) => {
  const scripts = new Map<string, string>();
  beforeAll(async () => {
    const threads = profile.endsWith('-threads') ? ['-pthread', '-sEXIT_RUNTIME', ...kThreadFlags] : [];
    for (const [memory, flags] of Object.entries(kMemories)) {
      const all = [archive(profile), ...kCommon, ...flags, ...threads];
      const linked = await toolchain.link(`oom_${profile}_${memory}`, ['../../record/programs/out_of_memory.c'], all);
      scripts.set(memory, linked.wasm.replace(/\.wasm$/, '.js'));
    }
  });
  const run = (memory: string, way: string) =>
    promisify(execFile)(process.execPath, [...glueFlags(toolchain.order), scripts.get(memory) ?? '', way], {
      timeout: 60_000,
    });

  test.each(Object.entries(rows))(
    '%s is named, nothing is allocated meanwhile, and the program goes on',
    async (way, { memory, says }) => {
      const { stdout, stderr } = await run(memory, way);
      expect(stdout).toMatch(says);
      expect(stdout).toContain('failed 1, of 1 counted calls meanwhile 0 0, blocks the same 1, length right 1\n');
      expect(stdout).toMatch(/^cut 1\ngoes on 1$/m);
      if (profile.startsWith('fast')) expect(stderr).toBe('');
      else expect(stderr).toMatch(/^heapglass: out of memory: \d+ bytes were asked for\ncause: /);
      expect(stderr.split('out of memory').length).toBeLessThanOrEqual(2); // told once
    },
  );

  test('the hook of a soft limit is called once for each limit, between operations, and may free', async () => {
    const { stdout } = await run('growing', 'warned');
    expect(stdout).toBe('warned: 1\nwarnings 1\nwarned: 1\nwarnings 2\ngoes on 1\n');
  });
});
