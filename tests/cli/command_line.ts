// The command heapglass as the package has it (tools/built.mjs), in a folder of the test's own, and programs linked with the flags
// that it prints.

import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtPackage } from '../../tools/built.mjs';
import { linkedOnceNow } from '../link/linked_once.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface CommandLine {
  readonly folder: string;
  readonly command: string;
  /** In the folder. */
  run(...args: readonly string[]): SpawnSyncReturns<string>;
  /** In a folder below it. */
  runIn(folder: string, ...args: readonly string[]): SpawnSyncReturns<string>;
  /** With a text on standard input. */
  runWith(input: string, ...args: readonly string[]): SpawnSyncReturns<string>;
  /** Links tests/cli/programs/<name>.c with what --ldflags prints for the profile; the script's name. */
  link(name: string, profile: string): string;
  /** Compiles it with the toolchain's own malloc, as anyone would; the name of the script. */
  compile(name: string, ...options: readonly string[]): string;
  dispose(): void;
}

export async function buildForTests(): Promise<CommandLine> {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-cli-'));
  const { dist } = builtPackage();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules')); // binaryen, which the package wants beside it
  writeFileSync(join(folder, 'package.json'), '{ "version": "0.0.0", "type": "commonjs" }\n'); // what the glue is
  const command = join(dist, 'bin/heapglass.mjs');
  const start = (cwd: string, input: string, args: readonly string[]) =>
    spawnSync(process.execPath, [command, ...args], { cwd, encoding: 'utf8', maxBuffer: 1 << 27, input });
  const runWith = (input: string, ...args: readonly string[]) => start(folder, input, args);
  const runIn = (below: string, ...args: readonly string[]) => start(join(folder, below), '', args);
  const run = (...args: readonly string[]) => runWith('', ...args);
  return {
    folder,
    command,
    run,
    runIn,
    runWith,
    link(name, profile) {
      const { stdout, stderr } = run('--ldflags', '--cflags', '--profile', profile);
      if (stderr !== '') throw new Error(stderr);
      const options = ['-O1', '-sALLOW_MEMORY_GROWTH', '-sINITIAL_MEMORY=1048576', '-sTOTAL_STACK=65536'];
      return linkInto(folder, name, `${name}-${profile}.js`, [...stdout.trim().split(' '), ...options]);
    },
    compile: (name, ...options) =>
      linkInto(folder, name, `${name}-plain.js`, ['-O1', '-sALLOW_MEMORY_GROWTH', ...options]),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** It takes a third of a second to say it. */
let compiler: string | undefined;

/** Links it, or takes what the same words gave before; all of its files stand in the folder then, and are the test's own. */
function linkInto(folder: string, name: string, script: string, words: readonly string[]): string {
  const emcc = (...given: readonly string[]) =>
    execFileSync(join(root, 'wasm-build.sh'), ['emcc', ...given], { encoding: 'utf8', stdio: 'pipe' });
  const given = [join(root, `tests/cli/programs/${name}.c`), ...words];
  const place = join(root, 'build/links/cli', name);
  compiler ??= emcc('--version');
  const linked = linkedOnceNow(place, script, [compiler, ...given], (path) => emcc(...given, '-o', path));
  cpSync(dirname(linked), folder, { recursive: true, filter: (path) => basename(path) !== 'package.json' });
  return script;
}
