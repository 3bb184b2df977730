// Programs whose memory goes back (heapglass/shrink): linked as `npx heapglass --ldflags --shrink` has it, run in Node.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeReport } from '../../web/src/report/report.ts';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { kEvery, kLevel, someOf } from '../every.ts';
import { recorderFlags } from '../record/recorded_program.ts';
import { closureBuilds, shrinkFlags } from './shrink/flags.ts';
import { archive, glueFlags, root, type Toolchain, toolchains } from './toolchain.ts';

const run = promisify(execFile);
const kPage = 4096;
/** Runs one scene of shrink/scenes.cjs on the program's script. */
async function scene(toolchain: Toolchain, wasm: string, name: string): Promise<Record<string, unknown>> {
  const script = wasm.replace(/\.wasm$/, '.js');
  const given = [
    ...glueFlags(toolchain.order),
    '--expose-gc',
    join(root, 'tests/link/shrink/scenes.cjs'),
    script,
    name,
  ];
  const { stdout } = await run(process.execPath, given, { timeout: 60_000 });
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n{') + 1)) as Record<string, unknown>;
}

describe.each(toolchains())('Emscripten $version', (toolchain) => {
  const builds = [
    ['fast', '-O3'],
    ['checked', '-O1'],
    ['fast', '-O0'],
    ['small', '-O2'],
    ['hardened', '-O2'],
    ...closureBuilds(),
  ] as const;
  describe.each(someOf(builds))('profile %s, %s', (profile, level) => {
    let wasm = '';
    const of = (name: string) => scene(toolchain, wasm, name);
    beforeAll(async () => {
      const name = `shrinks_${profile}${level.replaceAll(' ', '_')}`;
      const given = [...level.split(' '), archive(profile), ...shrinkFlags(toolchain)];
      ({ wasm } = await toolchain.link(name, ['shrinks.cpp'], given));
    }, 120_000);

    test('10,000 random calls give the same with shrinks between them', async () => {
      const { with: shrunk, without, shrinks } = await of('random');
      expect(shrunk).toEqual(without);
      expect(shrinks).toBeGreaterThan(10);
    });

    test('memory is smaller, and what lies in it is where it was', async () => {
      const found = await of('lull');
      expect(found).toMatchObject({ sum: 90 * 10_000_000, staleLength: 0, mixed: 28, text: 294 });
      expect(found['before']).toBeGreaterThan(600_000_000);
      expect(found['after']).toBeLessThan(40_000_000);
      expect(found['again']).toBe(0x5a * 1000);
      if (profile !== 'checked') expect(found['copied']).toBeLessThan(12_000_000);
    });

    test('nothing refers to the old memory', async () => {
      expect(await of('collected')).toEqual({ isCurrent: true, isCollected: true });
    });

    test('pointers to functions, of the program and added by JavaScript, call what they called', async () => {
      expect(await of('pointers')).toEqual({
        inside: [42, 63],
        outside: [1001, 1001],
        replaced: [2001, 2001],
        later: 3001,
        wrapped: 42,
      });
    });

    test('what cannot be is refused, and the program goes on', async () => {
      expect(await of('refusals')).toEqual({
        during:
          'refused: this program cannot shrink: one of its functions is running: call shrink() from JavaScript, between two calls',
        thrown: 'done',
        own: 'refused: this program cannot shrink: Module.instantiateWasm is your own: the instance is not from here',
        after: 42,
      });
    });

    test.runIf(kEvery)('each step may fail, and the old instance goes on', async () => {
      const steps = await of('failures');
      for (const [step, found] of Object.entries(steps)) {
        expect(found, step).toMatchObject({ same: true, rejected: true, later: 'shrunk' });
      }
      expect(Object.keys(steps)).toEqual(['instance', 'growth', 'copy', 'table', 'allocator']);
    });

    test('whatever an engine refuses, from the first call to the last, the old instance goes on', async () => {
      const found = await of('refusedOnce');
      expect(found).toMatchObject({ wrong: [] });
      expect(Number(found['calls']) + Number(found['late'])).toBeGreaterThanOrEqual(Number(found['all']));
      expect(found['refused']).toEqual(expect.arrayContaining(['instantiate', 'grow', 'set', 'new Int8Array']));
    });

    test('autoShrink does it once the memory keeps its size', async () => {
      expect(await of('auto')).toMatchObject({ shrinks: 1, smaller: true });
    });

    test.runIf(kEvery)(
      'autoShrink does it once where the memory stays long, and again when there is something to give',
      async () => {
        expect(await of('autoHigh')).toEqual({ first: 1, second: 2 });
      },
    );

    test('autoShrink trims, also where it does not shrink', async () => {
      const { cached, trimmed } = (await of('trims')) as { cached: number; trimmed: number };
      if (profile === 'fast') expect(trimmed - cached).toBeGreaterThan(1_000_000);
      else expect(trimmed + kPage).toBeGreaterThanOrEqual(cached); // the word at the heap's end lies on a page that was free before
    });
  });

  test.runIf(kEvery)(
    'compiled at once (-sWASM_ASYNC_COMPILATION=0), and in one file',
    async () => {
      const isOpen = toolchain.order < 40_000; // later ones wait for an instance that they use at once
      for (const flag of ['-sWASM_ASYNC_COMPILATION=0', '-sSINGLE_FILE']) {
        const given = [kLevel, archive('fast'), ...shrinkFlags(toolchain), flag];
        const { wasm } = await toolchain.link(`shrinks${flag}`, ['shrinks.cpp'], given);
        if (flag !== '-sSINGLE_FILE' && !isOpen) {
          const { outcome } = await scene(toolchain, wasm, 'outcome');
          expect(outcome).toMatch(/^refused: .*-sWASM_ASYNC_COMPILATION=0, where this Emscripten has no way in$/);
          continue;
        }
        expect(await scene(toolchain, wasm, 'lull'), flag).toMatchObject({ sum: 90 * 10_000_000, staleLength: 0 });
      }
    },
    120_000,
  );

  test('a recording goes on through shrinks, and each is a mark', async () => {
    const given = [kLevel, ...recorderFlags('trace'), ...shrinkFlags(toolchain)];
    const { wasm } = await toolchain.link('shrinks_traced', ['shrinks.cpp'], given);
    const { file } = await scene(toolchain, wasm, 'traced');
    const decoded = decodeTraceFile(readFileSync(String(file)));
    if (!decoded.ok) throw new Error(decoded.error.message);
    const report = makeReport(decoded.value, { name: 'traced' });
    expect(report.notices).toEqual([]);
    expect(report.trace.proof).toMatchObject({ equal: true });
    const marks = report.marks.list.filter(({ name }) => /^shrunk from [\d.]+ to [\d.]+ MiB$/.test(name));
    expect(marks).toHaveLength(3);
  }, 120_000);

  test.runIf(kEvery)(
    'Asyncify: refused while a call is suspended, and done when it has returned',
    async () => {
      const given = [kLevel, archive('fast'), ...shrinkFlags(toolchain), '-sASYNCIFY'];
      const { wasm } = await toolchain.link('shrinks_async', ['shrinks_async.c'], given);
      expect(await scene(toolchain, wasm, 'suspended')).toEqual({
        during:
          'refused: this program cannot shrink: Asyncify has suspended a call, and its stack waits in the old instance',
        slept: 7,
        after: 'done',
        again: 7,
      });
    },
    120_000,
  );

  test.each(someOf([kLevel, '-O0', '-O3', ...closureBuilds().map(([, level]) => level)]))(
    'embind: objects, strings, callbacks and vectors live on, %s',
    async (level) => {
      const given = [...level.split(' '), archive('fast'), ...shrinkFlags(toolchain), '-lembind', '-fexceptions'];
      const { wasm } = await toolchain.link(`shrinks_bound${level.replaceAll(' ', '_')}`, ['shrinks_bound.cpp'], given);
      const { with: shrunk, without, shrinks } = await scene(toolchain, wasm, 'bound');
      expect(shrunk).toEqual(without);
      expect(shrinks).toBe(100);
    },
    240_000,
  );
});
