// The examples that the package brings for each build system, built from the installed package and run: malloc is heapglass's, and a
// traced program records. What a machine does not have (Meson, a newer Emscripten in HG_EMCC_NEXT) is skipped with its name.

import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Compiler, compilers, type Place, placePackage, which } from './package_place.ts';

const kYes = 'malloc is heapglass: yes';
const kPortsFrom = 30_154;
const kRunStandalone = fileURLToPath(new URL('../link/run_standalone.mjs', import.meta.url));

let place: Place;
beforeAll(async () => {
  place = await placePackage();
});
afterAll(() => place.dispose());

/** A traced program writes a trace file by itself. */
function expectRecording(compiler: Compiler, script: string): void {
  const file = script.replace(/\.js$/, '.hgtrace');
  expect(compiler.start(script, { HEAPGLASS_RECORD: file })).toBe(kYes);
  expect(statSync(file).size).toBeGreaterThan(100);
}

/** CMake, Ninja's or make's files, with the compiler on PATH: no more than a toolchain file must say. */
function toolchainFile(folder: string): string {
  const path = join(folder, 'wasm.cmake');
  const lines = ['set(CMAKE_SYSTEM_NAME Generic)', 'set(CMAKE_C_COMPILER emcc)', 'set(CMAKE_AR emar)'];
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

for (const compiler of compilers()) {
  const folderOf = (name: string) => join(place.folder, `${name}-${compiler.version}`);

  describe(`Emscripten ${compiler.version}`, () => {
    test('make: the flags come from the command', () => {
      const [folder, makefile] = [folderOf('make'), readFileSync(join(place.folder, 'examples/make/Makefile'), 'utf8')];
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'Makefile'), makefile.replaceAll('../app.c', '../examples/app.c'));
      const heapglass = `HEAPGLASS=node ${join(place.folder, 'node_modules/heapglass/dist/bin/heapglass.mjs')}`;
      compiler.run(folder, 'make', heapglass, 'EMCC=emcc');
      expect(compiler.start(join(folder, 'app.js'))).toBe(kYes);
      compiler.run(folder, 'make', '-B', heapglass, 'EMCC=emcc', 'PROFILE=trace');
      expectRecording(compiler, join(folder, 'app.js'));
    });

    test.skipIf(which('cmake') === undefined)(
      'CMake: targets for malloc, traced malloc, threads, and hardened malloc without JavaScript',
      () => {
        const folder = folderOf('cmake');
        const source = join(place.folder, 'examples/cmake');
        const settings = [`-Dheapglass_DIR=${place.ask('--cmake-dir')}`, '-DCMAKE_BUILD_TYPE=Release'];
        compiler.run(folder, 'cmake', '-S', source, '-B', '.', `--toolchain=${toolchainFile(folder)}`, ...settings);
        compiler.run(folder, 'cmake', '--build', '.');
        expect(compiler.start(join(folder, 'app.js'))).toBe(kYes);
        expect(compiler.start(join(folder, 'app_threads.js'))).toBe(kYes);
        expectRecording(compiler, join(folder, 'app_trace.js'));
        const standalone = readFileSync(join(folder, 'app_standalone.wasm'));
        expect(standalone.toString('latin1')).toContain('random_get');
        expect(compiler.run(folder, process.execPath, kRunStandalone, 'app_standalone.wasm').trim()).toBe(kYes);
      },
    );

    test.skipIf(which('emcmake') === undefined || compiler.order >= kPortsFrom)(
      "CMake: by emcmake, with Emscripten's own toolchain file",
      () => {
        const folder = folderOf('emcmake');
        const source = join(place.folder, 'examples/cmake');
        const settings = [`-Dheapglass_DIR=${place.ask('--cmake-dir')}`, '-DCMAKE_BUILD_TYPE=Release'];
        compiler.run(folder, 'emcmake', 'cmake', '-S', source, '-B', '.', ...settings);
        compiler.run(folder, 'cmake', '--build', '.', '--target', 'app');
        expect(compiler.start(join(folder, 'app.js'))).toBe(kYes);
      },
    );

    test.skipIf(which('pkg-config') === undefined)('pkg-config: every profile, found where it lies', () => {
      const folder = folderOf('pkg-config');
      mkdirSync(folder, { recursive: true });
      const where = `--with-path=${place.ask('--pkgconfig-dir')}`;
      const flagsOf = (name: string) =>
        compiler.run(folder, 'pkg-config', where, '--cflags', '--libs', name).trim().split(' ');
      const source = join(place.folder, 'examples/app.c');
      compiler.run(folder, 'emcc', source, ...flagsOf('heapglass-malloc'), '-o', 'app.js');
      expect(compiler.start(join(folder, 'app.js'))).toBe(kYes);
      compiler.run(folder, 'emcc', source, ...flagsOf('heapglass-malloc-trace'), '-o', 'app_trace.js');
      expectRecording(compiler, join(folder, 'app_trace.js'));
      compiler.run(folder, 'emcc', source, ...flagsOf('heapglass-malloc-threads'), '-o', 'app_threads.js');
      expect(compiler.start(join(folder, 'app_threads.js'))).toBe(kYes);
    });

    test.skipIf(which('meson') === undefined)('Meson: a dependency by pkg-config, in a cross build', () => {
      const folder = folderOf('meson');
      const source = join(place.folder, 'examples/meson');
      const settings = [
        '--cross-file',
        join(source, 'emscripten.ini'),
        `-Dpkg_config_path=${place.ask('--pkgconfig-dir')}`,
      ];
      compiler.run(place.folder, 'meson', 'setup', folder, source, ...settings);
      compiler.run(place.folder, 'meson', 'compile', '-C', folder);
      expect(compiler.start(join(folder, 'app.js'))).toBe(kYes);
      expectRecording(compiler, join(folder, 'app_trace.js'));
    });

    test.skipIf(compiler.order < kPortsFrom)(
      'a port: profile by option, threads by themselves, mistakes in words',
      () => {
        const folder = folderOf('port');
        const source = join(place.folder, 'examples/app.c');
        const port = `--use-port=${place.ask('--port')}`;
        compiler.run(folder, 'emcc', source, port, '-o', 'app.js');
        expect(compiler.start(join(folder, 'app.js'))).toBe(kYes);
        compiler.run(folder, 'emcc', source, `${port}:profile=trace`, '-o', 'app_trace.js');
        expectRecording(compiler, join(folder, 'app_trace.js'));
        compiler.run(folder, 'emcc', source, '-pthread', port, '-o', 'app_threads.js');
        expect(compiler.start(join(folder, 'app_threads.js'))).toBe(kYes);
        const standalone = [source, '-sSTANDALONE_WASM', '-o', 'app.wasm'];
        compiler.run(folder, 'emcc', `${port}:profile=hardened-standalone`, ...standalone);
        expect(readFileSync(join(folder, 'app.wasm'), 'latin1')).toContain('random_get');
        expect(compiler.refused(folder, 'emcc', `${port}:profile=hardened`, ...standalone)).toMatch(
          /the profile is `hardened-standalone`/,
        );
        expect(compiler.refused(folder, 'emcc', source, `${port}:profile=quick`, '-o', 'app.js')).toMatch(
          /no profile `quick`; there are fast, small/,
        );
        expect(compiler.refused(folder, 'emcc', source, '-pthread', `${port}:profile=small`, '-o', 'app.js')).toMatch(
          /`small` is not made for threads/,
        );
      },
    );

    test('without heapglass the same program says no: the proof can fail', () => {
      const folder = folderOf('without');
      compiler.run(folder, 'emcc', join(place.folder, 'examples/app.c'), '-o', 'app.js');
      expect(compiler.start(join(folder, 'app.js'))).toBe('malloc is heapglass: no');
    });

    test('the archive without threads in a program with threads: the linker names --threads', () => {
      const folder = folderOf('wrong');
      const given = [join(place.folder, 'examples/app.c'), '-pthread', ...place.ask('--ldflags').split(' ')];
      expect(compiler.refused(folder, 'emcc', ...given, '-o', 'app.js')).toMatch(
        /--shared-memory is disallowed.*--threads/,
      );
    });

    test('an archive that has none for threads: the linker says so', () => {
      const folder = folderOf('wrong_small');
      const flags = place.ask('--ldflags', '--profile', 'small').split(' ');
      const given = [join(place.folder, 'examples/app.c'), '-pthread', ...flags];
      expect(compiler.refused(folder, 'emcc', ...given, '-o', 'app.js')).toMatch(
        /--shared-memory is disallowed.*small_is_not_made_for_-pthread/,
      );
    });

    test('the archive for threads in a program without: the linker says to leave --threads out', () => {
      const folder = folderOf('single');
      const flags = place.ask('--ldflags', '--threads').split(' ');
      const given = [join(place.folder, 'examples/app.c'), ...flags.filter((flag) => flag !== '-pthread')];
      expect(compiler.refused(folder, 'emcc', ...given, '-o', 'app.js')).toMatch(
        /leave_out_--threads\.o\): undefined symbol/,
      );
    });
  });
}
