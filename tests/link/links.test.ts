// Programs linked in all the ways that Emscripten has, each with heapglass as its malloc: they work, and heapglass is the only
// allocator in them. A name that the archive did not define would bring a second one in silently.

import { describe, expect, test } from 'vitest';
import { kLevel } from '../every.ts';
import { allocatorsIn } from './allocators_in.ts';
import { expectedOutput, kProfiles, kRows, kThreadFlags, needsThreads, type Profile, type Row } from './matrix.ts';
import { archive, kFull, type Toolchain, toolchains, wasiEntropy } from './toolchain.ts';

const fileName = (text: string): string => text.replace(/[^\w]+/g, '_');

function link(toolchain: Toolchain, row: Row, profile: Profile) {
  const threads = needsThreads(row);
  const entropy = profile === 'hardened' && row.flags.includes('-sSTANDALONE_WASM') ? wasiEntropy() : [];
  const flagsOfRow = row.flags.map((flag) => (flag === '-O2' ? kLevel : flag));
  const more = [...entropy, ...flagsOfRow, ...(threads ? kThreadFlags : [])];
  const flags = [archive(threads ? `${profile}-threads` : profile), ...more];
  return toolchain.link(fileName(`${row.name} ${profile}`), [row.program], flags);
}

/** Some releases link nothing with -flto, whoever allocates: Debian's 6.0.5 misses a symbol of its own C++ library. */
async function linksByItself(toolchain: Toolchain): Promise<boolean> {
  return toolchain.link('lto_by_itself', ['daily.c'], [kLevel, '-flto']).then(
    () => true,
    () => false,
  );
}

/** npm test: the daily rows with the profile fast, one with each other profile, and one with threads with checked. */
function profilesOf(row: Row): Profile[] {
  const made = kProfiles.filter((profile) => {
    return profile !== 'small' || !needsThreads(row);
  });
  if (kFull) return made;
  if (!row.daily) return [];
  if (row.name === 'standalone') return made.filter((profile) => profile === 'fast' || profile === 'hardened');
  if (row.name === 'no flag') return made;
  return row.name === '-pthread' ? made.filter((profile) => profile === 'fast' || profile === 'checked') : ['fast'];
}

for (const toolchain of toolchains()) {
  describe(`Emscripten ${toolchain.version}`, () => {
    const hasMimalloc = toolchain.order >= 30_150;
    for (const row of kRows.filter(({ flags }) => hasMimalloc || !flags.includes('-sMALLOC=mimalloc'))) {
      for (const profile of profilesOf(row)) {
        test(`${row.name}, profile ${profile}: the program runs on heapglass alone`, {
          retry: needsThreads(row) ? 0 : 1,
        }, async ({ skip }) => {
          const linked = await link(toolchain, row, profile).catch(async (error: unknown) => {
            if (row.flags.includes('-flto') && !(await linksByItself(toolchain)))
              skip(`Emscripten ${toolchain.version} links no program with -flto`);
            throw error;
          });
          const found = allocatorsIn(linked.wasm);
          expect(found.allocators).toEqual(['heapglass']);
          expect(found.mallocs).toBe(row.program === 'wrap.c' ? 2 : 1); // the program's own
          expect(found.breaks).toBeLessThanOrEqual(1);
          if (needsThreads(row))
            expect(found.names.join(' ')).toMatch(/\bpthread_key_create\b|\b__pthread_key_create\b/); // LTO keeps the alias
          expect((await linked.run()).trim().split(/\r?\n/)).toEqual(expectedOutput(row));
        });
      }
    }

    // The proof can fail. (mimalloc has no mallinfo, which daily.c calls.)
    for (const peer of ['dlmalloc', 'emmalloc', ...(hasMimalloc ? ['mimalloc'] : [])]) {
      test(`without the archive ${peer} is found`, async () => {
        const program = peer === 'mimalloc' ? 'containers.cpp' : 'daily.c';
        const { wasm } = await toolchain.link(`peer_${peer}`, [program], [kLevel, `-sMALLOC=${peer}`]);
        expect(allocatorsIn(wasm).allocators).toContain(peer);
        expect(allocatorsIn(wasm).allocators).not.toContain('heapglass');
      });
    }

    if (kFull) {
      test('AddressSanitizer brings a malloc of its own, which is the one that the program calls', async () => {
        const flags = [archive('fast'), '-O1', '-fsanitize=address', '-sALLOW_MEMORY_GROWTH'];
        const linked = await toolchain.link('asan', ['containers.cpp'], flags);
        const printed = (await linked.run()).trim().split(/\r?\n/);
        expect(printed).toEqual(['words b2a724d9', 'aligned new, 0 wrong', 'a stream of 3 parts', 'heapglass 0']);
        expect(allocatorsIn(linked.wasm).allocators).toEqual(['heapglass']); // under it, by the builtin names
      });
    }

    test('an archive without threads is refused in a program with threads', async () => {
      const flags = [archive('fast'), '-O1', '-pthread'];
      await expect(toolchain.link('not_for_threads', ['threads.c'], flags)).rejects.toThrow(
        /--shared-memory is disallowed/,
      );
    });
  });
}
