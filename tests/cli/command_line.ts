// The command heapglass as the package has it, built once into a folder with the shape of dist/, and programs linked
// with the flags that it prints.

import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCommandLine } from '../../tools/build_command_line.mjs';
import { writeRecorder } from '../../tools/build_recorder.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface CommandLine {
  readonly folder: string;
  readonly command: string;
  /** In the folder. */
  run(...args: readonly string[]): SpawnSyncReturns<string>;
  /** With a text on standard input. */
  runWith(input: string, ...args: readonly string[]): SpawnSyncReturns<string>;
  /** Links tests/cli/programs/<name>.c with what --ldflags prints for the profile; the script's name. */
  link(name: string, profile: string): string;
  /** Compiles it with the toolchain's own malloc, as anyone would; the name of the script. */
  compile(name: string, ...options: readonly string[]): string;
  dispose(): void;
}

/** page: with the glass's page, for view. */
export async function buildForTests({ page = false } = {}): Promise<CommandLine> {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-cli-'));
  const dist = join(folder, 'dist');
  await buildCommandLine(dist, { page });
  mkdirSync(join(dist, 'emscripten/lib'), { recursive: true });
  const wasm = join(root, 'build/wasm');
  for (const profile of ['trace', 'fast']) {
    const archive = `libheapglass-malloc-${profile}.a`;
    if (!existsSync(join(wasm, archive))) throw new Error(`missing ${archive}: run ./wasm-build.sh first`);
    cpSync(join(wasm, archive), join(dist, 'emscripten/lib', archive));
  }
  cpSync(join(root, 'core/include'), join(dist, 'emscripten/include'), { recursive: true });
  cpSync(join(root, 'package/emscripten'), join(dist, 'emscripten'), { recursive: true });
  writeRecorder(join(dist, 'emscripten'));
  // Names of C++ for symbolize.
  cpSync(join(wasm, 'demangle.wasm'), join(dist, 'build/wasm/demangle.wasm'));
  // What convert plays lists of operations on.
  cpSync(join(wasm, 'heapglass-trace.wasm'), join(dist, 'build/wasm/heapglass-trace.wasm'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules')); // binaryen, which the package wants beside it
  writeFileSync(join(folder, 'package.json'), '{ "version": "0.0.0", "type": "commonjs" }\n'); // what the glue is
  const command = join(dist, 'bin/heapglass.mjs');
  const runWith = (input: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [command, ...args], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 27, input });
  const run = (...args: readonly string[]) => runWith('', ...args);
  return {
    folder,
    command,
    run,
    runWith,
    link(name, profile) {
      const { stdout, stderr } = run('--ldflags', '--cflags', '--profile', profile);
      if (stderr !== '') throw new Error(stderr);
      const source = join(root, `tests/cli/programs/${name}.c`);
      const options = ['-O1', '-sALLOW_MEMORY_GROWTH', '-sINITIAL_MEMORY=1048576', '-sTOTAL_STACK=65536'];
      const script = `${name}-${profile}.js`;
      const given = ['emcc', source, ...stdout.trim().split(' '), ...options, '-o', script];
      execFileSync(join(root, 'wasm-build.sh'), given, { cwd: folder, stdio: 'pipe' });
      return script;
    },
    compile(name, ...options) {
      const source = join(root, `tests/cli/programs/${name}.c`);
      const script = `${name}-plain.js`;
      const given = ['emcc', source, '-O1', '-sALLOW_MEMORY_GROWTH', ...options, '-o', script];
      execFileSync(join(root, 'wasm-build.sh'), given, { cwd: folder, stdio: 'pipe' });
      return script;
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
