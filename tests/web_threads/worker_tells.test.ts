// What a pthread's call of malloc tells while the main thread does nothing but take the heap's lock: the line appears, in the
// browser and under Node, and the program ends where it has to. The main thread never gets to its event loop meanwhile.

import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { kLevel } from '../every.ts';
import { kThreadFlags } from '../link/matrix.ts';
import { archive, type Linked, root, toolchains } from '../link/toolchain.ts';
import { closeBrowser, runOnPage } from './hosts.ts';

const kLimit = 40_000;
const kDoubleFree = 'double free: the chunk is free already at 0x[0-9a-f]+';
const kFlags = `${kLevel} -pthread -sPTHREAD_POOL_SIZE=1 -sEXIT_RUNTIME -sINITIAL_MEMORY=64MB -sABORTING_MALLOC=0`;

/** Row of programs/worker_tells.c, what is told, and whether the program ends by it. */
const kRows = [
  { row: 'double free', told: `heapglass: ${kDoubleFree}`, ends: true },
  { row: 'hook', told: `the hook got 1: ${kDoubleFree}`, ends: true },
  { row: 'out of memory', told: 'heapglass: out of memory: 1073741824 bytes were asked for', ends: false },
];

/** All that a program printed and died of. */
const allOf = (error: unknown): string =>
  `${(error as Error).message}\n${(error as { stderr?: unknown }).stderr ?? ''}`;

afterAll(closeBrowser);

for (const toolchain of toolchains()) {
  describe(`Emscripten ${toolchain.version}`, () => {
    let linking: Promise<Linked> | undefined;
    const link = () => {
      const flags = [
        archive('checked-threads'),
        '-I',
        join(root, 'core/include'),
        ...kFlags.split(' '),
        ...kThreadFlags,
      ];
      linking ??= toolchain.link('worker_tells', ['worker_tells.c'], flags);
      return linking;
    };

    for (const { row, told, ends } of kRows) {
      test(`${row}: a worker tells it while the main thread waits for its lock, under Node`, async () => {
        const run = (await link()).runWithin(kLimit, row);
        if (ends) {
          const printed = await run.then(() => 'it did not end', allOf);
          expect(printed).toMatch(new RegExp(`^${told}`, 'm'));
          expect(printed).toMatch(/unreachable/);
        } else {
          expect((await run).trim()).toBe('went on'); // what it told went to standard error
        }
      });

      test(`${row}: a worker tells it while the main thread waits for its lock, in Chromium`, async () => {
        const run = runOnPage((await link()).wasm, row, kLimit);
        if (ends) {
          const printed = await run.then(() => 'it did not end', allOf);
          expect(printed).toMatch(new RegExp(`^${told}`, 'm'));
          expect(printed).toMatch(/unreachable|a thread failed/);
        } else {
          expect(await run).toBe('went on');
        }
      });
    }
  });
}
