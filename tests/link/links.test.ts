// Programs linked in all the ways that Emscripten has, each with heapglass as its malloc: they work, and heapglass is the only
// allocator in them. A name that the archive did not define would bring a second one in silently.

import { describe, expect, test } from 'vitest';
import { allocatorsIn } from './allocators_in.ts';
import { expectedOutput, kProfiles, kRows, kThreadFlags, needsThreads, type Profile, type Row } from './matrix.ts';
import { archive, kFull, type Toolchain, toolchains } from './toolchain.ts';

const fileName = (text: string): string => text.replace(/[^\w]+/g, '_');

function link(toolchain: Toolchain, row: Row, profile: Profile) {
  const threads = needsThreads(row);
  const flags = [archive(threads ? `${profile}-threads` : profile), ...row.flags, ...(threads ? kThreadFlags : [])];
  return toolchain.link(fileName(`${row.name} ${profile}`), [row.program], flags);
}

/** npm test: the daily rows with the profile fast, one without and one with threads with each other profile. */
function profilesOf(row: Row): Profile[] {
  const made = kProfiles.filter((profile) => {
    if (profile === 'hardened' && row.flags.includes('-sSTANDALONE_WASM')) return false; // platform/entropy.cpp
    return (profile !== 'small' && profile !== 'hardened') || !needsThreads(row);
  });
  if (kFull) return made;
  if (!row.daily) return [];
  return row.name === 'no flag' || row.name === '-pthread' ? made : ['fast'];
}

for (const toolchain of toolchains()) {
  describe(`Emscripten ${toolchain.version}`, () => {
    const hasMimalloc = toolchain.order >= 30_150;
    for (const row of kRows.filter(({ flags }) => hasMimalloc || !flags.includes('-sMALLOC=mimalloc'))) {
      for (const profile of profilesOf(row)) {
        test(`${row.name}, profile ${profile}: the program runs on heapglass alone`, async () => {
          const linked = await link(toolchain, row, profile);
          const found = allocatorsIn(linked.wasm);
          expect(found.allocators).toEqual(['heapglass']);
          expect(found.mallocs).toBe(1);
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
        const { wasm } = await toolchain.link(`peer_${peer}`, [program], ['-O2', `-sMALLOC=${peer}`]);
        expect(allocatorsIn(wasm).allocators).toContain(peer);
        expect(allocatorsIn(wasm).allocators).not.toContain('heapglass');
      });
    }

    test('AddressSanitizer brings a malloc of its own: the linker refuses two', async () => {
      const flags = [archive('fast'), '-O1', '-fsanitize=address', '-sALLOW_MEMORY_GROWTH'];
      await expect(toolchain.link('asan', ['daily.c'], flags)).rejects.toThrow(
        /duplicate symbol: (malloc|free|calloc|realloc)/,
      );
    });

    test('an archive without threads is refused in a program with threads', async () => {
      const flags = [archive('fast'), '-O1', '-pthread'];
      await expect(toolchain.link('not_for_threads', ['threads.c'], flags)).rejects.toThrow(
        /--shared-memory is disallowed/,
      );
    });
  });
}
