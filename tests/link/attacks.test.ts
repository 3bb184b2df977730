// The table of attacks (programs/attacks.c), each in fresh processes, whose keys differ: how often it wins. both builds of hardened have to hold them all;
// fast and Emscripten's own malloc stand beside it in npm run test:all, to show that the attacks are real.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { kThreadFlags } from './matrix.ts';
import { archive, kFull, type Linked, root, toolchains } from './toolchain.ts';

const kHardened = ['hardened', 'hardened-threads'] as const;
const kProfiles = kFull ? ([...kHardened, 'fast', 'dlmalloc'] as const) : kHardened;
const kRuns = Number(process.env['HG_ATTACKS'] ?? (kFull ? 100 : 4));
const kThreads = [
  '-pthread',
  '-sPROXY_TO_PTHREAD',
  '-sEXIT_RUNTIME',
  '-sPTHREAD_POOL_SIZE=2',
  '-Wno-pthreads-mem-growth',
  ...kThreadFlags,
];
const kLimit = 20_000; // milliseconds; a run takes 0.1 s

const source = readFileSync(join(root, 'tests/link/programs/attacks.c'), 'utf8');
const rows = [...source.matchAll(/ROW\((\w+)\)[,}]/g)].map(([, name]) => name ?? '').filter((name) => name !== 'name');

/** Whether the attack won; malloc that ends the program has held. */
async function wins(linked: Linked, row: string): Promise<boolean> {
  try {
    return (await linked.runWithin(kLimit, row)).includes('won:');
  } catch (error) {
    if (error instanceof Error && 'killed' in error && error.killed === true) return true; // it loops: the program is not available
    return error instanceof Error && 'stdout' in error && String(error.stdout).includes('won:');
  }
}

/** Shannon's, of the frequencies, in bits. */
function entropyOf(seen: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const one of seen) counts.set(one, (counts.get(one) ?? 0) + 1);
  const shares = [...counts.values()].map((count) => count / seen.length);
  return shares.reduce((sum, share) => sum - share * Math.log2(share), 0);
}

for (const toolchain of toolchains()) {
  describe(`Emscripten ${toolchain.version}`, () => {
    const programs = new Map<string, Linked>();
    const wonBy = new Map<string, Map<string, number>>();
    beforeAll(async () => {
      for (const profile of kProfiles) {
        const flags = [
          '-O2',
          '-fno-builtin',
          '-sALLOW_MEMORY_GROWTH',
          ...(profile === 'dlmalloc' ? [] : [archive(profile)]),
          ...(profile.endsWith('-threads') ? kThreads : []),
        ];
        programs.set(profile, await toolchain.link(`attacks_${profile}`, ['attacks.c'], flags));
      }
      expect((await programs.get('hardened')?.run())?.trim().split('\n')).toEqual(rows);
      const left = rows.flatMap((row) => [...programs].map(([profile, linked]) => ({ row, profile, linked })));
      const work = async (): Promise<void> => {
        for (let next = left.shift(); next !== undefined; next = left.shift()) {
          let won = 0;
          for (let run = 0; run < kRuns; ++run) won += (await wins(next.linked, next.row)) ? 1 : 0;
          const of = wonBy.get(next.row) ?? new Map<string, number>();
          wonBy.set(next.row, of.set(next.profile, won));
        }
      };
      await Promise.all([work(), work()]);
      console.log(`won, of ${kRuns} runs`.padEnd(20), ...kProfiles.map((profile) => profile.padStart(18)));
      for (const row of rows)
        console.log(row.padEnd(20), ...kProfiles.map((profile) => String(wonBy.get(row)?.get(profile)).padStart(18)));
    }, 1_800_000);

    test.each(kHardened)('%s holds every attack', (profile) => {
      expect(rows.filter((row) => wonBy.get(row)?.get(profile) !== 0)).toEqual([]);
      expect(rows.length).toBeGreaterThanOrEqual(14);
    });

    test.each(kHardened)(
      '%s: the order of reuse differs from run to run (malloc.P6)',
      async (profile) => {
        const runs = kFull ? 1000 : 40;
        const orders: string[] = [];
        const work = async (): Promise<void> => {
          while (orders.length < runs)
            orders.push((await programs.get(profile)?.runWithin(kLimit, 'order'))?.trim() ?? '');
        };
        await Promise.all([work(), work()]);
        const firsts = entropyOf(orders.map((order) => order.charAt(0)));
        console.log(
          `${profile}: of ${orders.length} orders of 16 blocks ${new Set(orders).size} are different, ${entropyOf(orders).toFixed(2)} bits; the block that comes first: ${firsts.toFixed(2)} bits`,
        );
        for (const order of orders) {
          const letters = order.replaceAll('-', ''); // another chunk of the class was cached before
          expect(order).toMatch(/^[-a-p]{16}$/);
          expect(letters.length).toBeGreaterThan(12);
          expect(new Set(letters).size).toBe(letters.length);
        }
        expect(new Set(orders).size).toBeGreaterThan(0.9 * orders.length);
        expect(firsts).toBeGreaterThan(1);
      },
      600_000,
    );

    test.runIf(kFull)('most of them win against a malloc that is not hardened', () => {
      const winning = rows.filter(
        (row) => (wonBy.get(row)?.get('dlmalloc') ?? 0) > 0 || (wonBy.get(row)?.get('fast') ?? 0) > 0,
      );
      expect(winning.length).toBeGreaterThan(6);
    });
  });
}
