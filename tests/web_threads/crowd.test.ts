// malloc on every kind of thread, mixed and contended, in the browser and under Node: crowd.c linked in the ways that start such
// threads. Nothing waits where it may not, every block is whole, and nothing is left or cached when all threads have ended.
//
//   HG_CROWD_BLOCKS=10000000 npx vitest run tests/web_threads     the full number of blocks

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { kThreadFlags } from '../link/matrix.ts';
import { archive, type Linked, root, toolchains } from '../link/toolchain.ts';
import { closeBrowser, runOnPage } from './hosts.ts';

const kBlocks = Number(process.env['HG_CROWD_BLOCKS'] ?? 200_000);
const kTimeout = 60_000 + kBlocks / 25; // 40 us a block: two shared cores
const kOnce = { timeout: kTimeout, retry: 0 }; // a race may show itself one time in many

interface Row {
  readonly name: string;
  readonly flags: string;
  /** Threads beside the main one, whose share each is equal. */
  readonly pthreads: number;
  readonly wasmWorkers: number;
  readonly audioWorklets: number;
  /** Also with the profile that proves what callers give back. */
  readonly checked?: boolean;
}

const kPthreads = '-pthread -sPTHREAD_POOL_SIZE=2';
const kAudio = '-sWASM_WORKERS -sAUDIO_WORKLET -DHG_AUDIO';
const none = { pthreads: 0, wasmWorkers: 0, audioWorklets: 0 };
const kRows: readonly Row[] = [
  {
    ...none,
    name: 'the main thread and pthreads at one lock',
    flags: `${kPthreads} -sEXIT_RUNTIME -DHG_CONTENDED`,
    pthreads: 2,
  },
  {
    ...none,
    name: 'the main thread and pthreads',
    flags: `${kPthreads} -sEXIT_RUNTIME`,
    pthreads: 2,
    checked: true,
  },
  { ...none, name: '-sPROXY_TO_PTHREAD', flags: '-pthread -sPROXY_TO_PTHREAD -sEXIT_RUNTIME', pthreads: 2 },
  { ...none, name: 'Wasm Workers', flags: '-sWASM_WORKERS', wasmWorkers: 2 },
  { ...none, name: 'pthreads and Wasm Workers', flags: `${kPthreads} -sWASM_WORKERS`, pthreads: 2, wasmWorkers: 2 },
  { ...none, name: 'Wasm Workers and an AudioWorklet', flags: kAudio, wasmWorkers: 2, audioWorklets: 1 },
  {
    name: 'every kind of thread',
    flags: `${kPthreads} ${kAudio}`,
    pthreads: 2,
    wasmWorkers: 2,
    audioWorklets: 1,
    checked: true,
  },
];

/** What a thread that ended may leave: its own bookkeeping. On Emscripten 3.1.6 also its block of variables, a worker each. */
const kMayBeLeft = 16 * 1024;

function hasHeader(header: string): boolean {
  const folder = join(root, 'build/links');
  mkdirSync(folder, { recursive: true });
  const source = join(folder, 'has_header.c');
  writeFileSync(source, `#if __has_include(<${header}>)\nHG_YES\n#endif\n`);
  return /^HG_YES$/m.test(execFileSync(join(root, 'wasm-build.sh'), ['emcc', '-E', source], { encoding: 'utf8' }));
}

afterAll(closeBrowser);

for (const toolchain of toolchains()) {
  const lacks = (row: Row): string | undefined =>
    row.wasmWorkers + row.audioWorklets > 0 && !hasHeader('emscripten/wasm_worker.h')
      ? `Emscripten ${toolchain.version} has no Wasm Workers`
      : undefined;

  describe(`Emscripten ${toolchain.version}`, () => {
    for (const row of kRows) {
      for (const profile of row.checked ? ['fast', 'checked'] : ['fast']) {
        const blocks = profile === 'fast' ? kBlocks : kBlocks / 20;
        let linked: Promise<Linked> | undefined; // for both hosts
        const link = () => {
          if (linked !== undefined) return linked;
          const file = `crowd ${row.name} ${profile}`.replace(/\W+/g, '_');
          const own = ['-O2', '-I', join(root, 'core/include'), '-sINITIAL_MEMORY=64MB', ...kThreadFlags];
          linked = toolchain.link(
            file,
            ['../../web_threads/crowd.c'],
            [archive(`${profile}-threads`), ...own, ...row.flags.split(' ')],
          );
          return linked;
        };
        const check = (line: string) => {
          const share = Math.floor(blocks / (1 + row.pthreads + row.wasmWorkers + row.audioWorklets));
          const { cachedAtEnd, leftInUse, ...told } = JSON.parse(line) as Record<string, unknown>;
          expect(told).toEqual({
            main: share,
            pthreads: share * row.pthreads,
            wasmWorkers: share * row.wasmWorkers,
            audioWorklet: share * row.audioWorklets,
            wrong: 0,
            refused: 0,
            lowWordsChanged: 0,
            cachedByMain: 1,
            damage: '',
          });
          expect(cachedAtEnd).toBe(0);
          expect(leftInUse).toBeLessThan(kMayBeLeft);
        };

        test(`${row.name}, profile ${profile}, in Chromium`, kOnce, async (context) => {
          const why = lacks(row);
          context.skip(why !== undefined, why);
          check(await runOnPage((await link()).wasm, blocks, kTimeout - 10_000));
        });

        test(`${row.name}, profile ${profile}, under Node`, kOnce, async (context) => {
          const why = row.audioWorklets > 0 ? 'Node has no AudioWorklet' : lacks(row);
          context.skip(why !== undefined, why);
          check(await (await link()).run(String(blocks)));
        });
      }
    }
  });
}
