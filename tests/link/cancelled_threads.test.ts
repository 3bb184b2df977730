// Cancelled threads in the checked build. Emscripten 3.1.6 frees the stacks and control blocks of threads that still run when main returns,
// and ends their workers afterwards (terminateAllThreads in its library_pthread.js). What is freed is filled in this build, so a thread
// that is just ending follows a filled list of cleanup handlers. Its own malloc fails the same way as soon as its free fills.

import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { kThreadFlags } from './matrix.ts';
import { archive, glueFlags, toolchains } from './toolchain.ts';

const kRuns = Number(process.env['HG_THREAD_END_RUNS'] ?? 4);
const kFlags = '-O1 -pthread -sEXIT_RUNTIME -sPTHREAD_POOL_SIZE=6 -sINITIAL_MEMORY=96MB'.split(' ');
const kOwnMalloc = ['-Wl,--wrap=emscripten_builtin_free'];
const kFreedList = /(memory access|table index is) out of bounds[\s\S]*__run_cleanup_handlers/;
const kLimit = 20_000; // milliseconds of a run, which takes less than one

for (const toolchain of toolchains(false)) {
  const errorsOf = (wasm: string): string[] => {
    const given = [...glueFlags(toolchain.order), wasm.replace(/\.wasm$/, '.js')];
    return Array.from({ length: kRuns }, () => {
      const { status, stdout, stderr } = spawnSync(process.execPath, given, { encoding: 'utf8', timeout: kLimit });
      return stdout.includes('main ends') && status === 0 ? stderr : `${status} ${stdout}${stderr}`;
    });
  };
  describe(`Emscripten ${toolchain.version}`, () => {
    test(`threads that main waits for end well, ${kRuns} times`, { timeout: kRuns * kLimit }, async () => {
      const flags = [archive('checked-threads'), '-DJOINED', ...kFlags, ...kThreadFlags];
      const { wasm } = await toolchain.link('cancelled_joined', ['cancelled.c'], flags);
      expect(errorsOf(wasm).join('')).toBe('');
    });

    test.runIf(toolchain.order <= 30_106)(
      'threads that main does not wait for fail with any malloc whose free fills',
      { timeout: kRuns * kLimit },
      async () => {
        const flags = [...kFlags, ...kOwnMalloc];
        const { wasm } = await toolchain.link('cancelled_filled', ['cancelled.c', 'filling_free.c'], flags);
        expect(errorsOf(wasm).filter((text) => kFreedList.test(text)).length).toBeGreaterThan(0);
      },
    );
  });
}
