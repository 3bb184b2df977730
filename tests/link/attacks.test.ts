// The table of attacks (programs/attacks.c), each in fresh processes, whose keys differ: how often it wins. hardened has to hold them all;
// fast and Emscripten's own malloc stand beside it in npm run test:all, to show that the attacks are real.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { archive, kFull, type Linked, root, toolchains } from './toolchain.ts';

const kProfiles = kFull ? (['hardened', 'fast', 'dlmalloc'] as const) : (['hardened'] as const);
const kRuns = Number(process.env['HG_ATTACKS'] ?? (kFull ? 100 : 4));
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

for (const toolchain of toolchains()) {
  describe(`Emscripten ${toolchain.version}`, () => {
    const wonBy = new Map<string, Map<string, number>>();
    beforeAll(async () => {
      const programs = new Map<string, Linked>();
      for (const profile of kProfiles) {
        const flags = [
          '-O2',
          '-fno-builtin',
          '-sALLOW_MEMORY_GROWTH',
          ...(profile === 'dlmalloc' ? [] : [archive(profile)]),
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
      console.log(`won, of ${kRuns} runs`.padEnd(20), ...kProfiles.map((profile) => profile.padStart(10)));
      for (const row of rows)
        console.log(row.padEnd(20), ...kProfiles.map((profile) => String(wonBy.get(row)?.get(profile)).padStart(10)));
    }, 1_800_000);

    test('hardened holds every attack', () => {
      expect(rows.filter((row) => wonBy.get(row)?.get('hardened') !== 0)).toEqual([]);
      expect(rows.length).toBeGreaterThanOrEqual(14);
    });

    test.runIf(kFull)('most of them win against a malloc that is not hardened', () => {
      const winning = rows.filter(
        (row) => (wonBy.get(row)?.get('dlmalloc') ?? 0) > 0 || (wonBy.get(row)?.get('fast') ?? 0) > 0,
      );
      expect(winning.length).toBeGreaterThan(6);
    });
  });
}
