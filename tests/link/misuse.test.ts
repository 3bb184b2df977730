// The table of misuses (programs/misuse.c): each is followed by 40,000 verified operations. What each profile does is printed;
// the profiles `hardened` and `checked` have to report it, to end by a trap, or to go on as if nothing had happened. Daily hardened has every
// second row, and its build for threads every eighth.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { kLevel } from '../every.ts';
import { kThreadFlags } from './matrix.ts';
import { archive, kFull, type Linked, root, toolchains } from './toolchain.ts';

/** hardened with blocks that are chunks of the heap: up to 256 bytes they lie in slabs, where no header is between them. */
const kChunks = 'hardened:804';
/** The builds for threads have another cache. */
const kMisuseProfiles = kFull
  ? (['fast', 'fast-threads', 'checked', 'checked-threads', 'hardened', kChunks, 'hardened-threads'] as const)
  : (['hardened', kChunks, 'hardened-threads'] as const);
type MisuseProfile = (typeof kMisuseProfiles)[number];

/** Milliseconds; a run takes 0.3 s. The fast profile is known to loop. */
const limitOf = (profile: MisuseProfile): number => (profile.startsWith('fast') ? 4_000 : 30_000);

/** harmless, harmful: ..., found: ..., trap: ... (the engine's words), or endless. */
async function outcome(linked: Linked, row: string, limit: number): Promise<string> {
  let printed: string;
  let trap = '';
  try {
    printed = await linked.runWithin(limit, row);
  } catch (error) {
    if (isTimeout(error)) return 'endless';
    printed = partOf(error, 'stdout');
    trap = /RuntimeError: ([\w ]+)/.exec(partOf(error, 'stderr'))?.[1] ?? 'it ended in an unknown way';
  }
  const lines = printed.split('\n');
  const told = lines.find((line) => /^(found|harmful):/.test(line));
  if (told !== undefined) return told;
  return trap !== '' ? `trap: ${trap}` : (lines.find((line) => line === 'harmless') ?? `no verdict: ${printed}`);
}

const partOf = (error: unknown, key: 'stdout' | 'stderr'): string =>
  error instanceof Error && key in error ? String((error as Error & Record<typeof key, unknown>)[key]) : '';
const isTimeout = (error: unknown): boolean => error instanceof Error && 'killed' in error && error.killed === true;

const source = readFileSync(join(root, 'tests/link/programs/misuse.c'), 'utf8');
const kDaily = 2;
const kDailyWithThreads = 8;
const rows = [...source.matchAll(/ROW\((\w+)\)[,}]/g)].map(([, name]) => name ?? '').filter((name) => name !== 'name');

const isOverflow = (row: string): boolean => /^(over|under)_|^realloc_over$/.test(row);

const isRun = (profile: MisuseProfile, nth: number): boolean => {
  const row = rows[nth] ?? '';
  if (kFull || row === 'none') return true;
  if (profile === kChunks) return isOverflow(row);
  return nth % (profile.endsWith('-threads') ? kDailyWithThreads : kDaily) === 0;
};

for (const toolchain of toolchains()) {
  describe(`Emscripten ${toolchain.version}`, () => {
    const linked = new Map<MisuseProfile, Linked>();
    const outcomes = new Map<string, Map<MisuseProfile, string>>();

    beforeAll(async () => {
      for (const profile of kMisuseProfiles) {
        const threads = ['-pthread', '-sEXIT_RUNTIME', '-Wno-pthreads-mem-growth', ...kThreadFlags];
        const flags = [
          kLevel,
          '-fno-builtin',
          '-sALLOW_MEMORY_GROWTH',
          ...(profile.endsWith('-threads') ? threads : []),
        ];
        const [name, bytes] = profile.split(':', 2);
        if (bytes !== undefined) flags.push(`-DMISUSED_BYTES=${bytes}`);
        const program = `misuse_${profile.replace(':', '_')}`;
        linked.set(profile, await toolchain.link(program, ['misuse.c'], [archive(name ?? profile), ...flags]));
      }
      const left = [...rows];
      const work = async (): Promise<void> => {
        for (let row = left.shift(); row !== undefined; row = left.shift()) {
          const byProfile = new Map<MisuseProfile, string>();
          const nth = rows.indexOf(row);
          for (const [profile, program] of linked.entries())
            if (isRun(profile, nth)) byProfile.set(profile, await outcome(program, row, limitOf(profile)));
          outcomes.set(row, byProfile);
        }
      };
      await Promise.all([work(), work()]);
      for (const row of rows) {
        const cells = kMisuseProfiles.map((profile) => outcomes.get(row)?.get(profile) ?? '');
        console.log([row.padEnd(22), ...cells.map((cell) => cell.padEnd(34))].join(' | '));
      }
    }, 600_000);

    test('the table has at least 30 rows, and the program knows each', async () => {
      expect(rows.length).toBeGreaterThanOrEqual(30);
      expect((await linked.get('hardened')?.run())?.trim().split('\n')).toEqual(rows);
    });

    test('without a misuse the operations find nothing, in each profile', () => {
      for (const profile of kMisuseProfiles) expect(outcomes.get('none')?.get(profile)).toBe('harmless');
    });

    test.runIf(kFull)('what the profile checked names it names in the build for threads', () => {
      const isNamed = (row: string, profile: MisuseProfile) => outcomes.get(row)?.get(profile)?.startsWith('found:');
      expect(rows.filter((row) => isNamed(row, 'checked') && !isNamed(row, 'checked-threads'))).toEqual([]);
      expect(rows.filter((row) => isNamed(row, 'checked')).length).toBeGreaterThan(60);
    });

    for (const profile of kMisuseProfiles.filter((one) => !one.startsWith('fast'))) {
      test(`profile ${profile}: no misuse is harmful`, () => {
        const of = (row: string) => outcomes.get(row)?.get(profile) ?? '';
        const run = rows.filter((_, nth) => isRun(profile, nth));
        expect(run.length).toBeGreaterThan(3);
        expect(run.filter((row) => !/^(found:|trap:|harmless$)/.test(of(row))).map((row) => [row, of(row)])).toEqual(
          [],
        );
      });
    }

    test.each(['hardened', kChunks, 'hardened-threads'] as const)(
      'profile %s: what is no block, freed twice or overflowed is named; but not what overflows inside a slab',
      (profile) => {
        const all = rows.filter((row) =>
          /^(twice|inside|misaligned|over|under)_|^realloc_(old|old_again|freed|over)$/.test(row),
        );
        const isPromised = (row: string) => profile === kChunks || !isOverflow(row) || /^over_(last|large)$/.test(row);
        const named = all.filter((row) => isRun(profile, rows.indexOf(row)) && isPromised(row));
        const of = (row: string) => outcomes.get(row)?.get(profile) ?? '';
        expect(all.length).toBeGreaterThan(20);
        expect(named.length).toBeGreaterThan(2);
        const isSeen = (row: string) =>
          of(row).startsWith('found:') || (profile === kChunks && of(row).startsWith('trap:'));
        expect(named.filter((row) => !isSeen(row)).map((row) => [row, of(row)])).toEqual([]);
      },
    );
  });
}
