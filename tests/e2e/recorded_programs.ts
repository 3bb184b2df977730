// Five real programs, compiled with debug information, recorded with call stacks by the commands of the package: three linked with
// heapglass, a C++ program, and a module with an allocator of its own.

import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import lua from '../bench/malloc/programs/lua/program.mjs';
import quickjs from '../bench/malloc/programs/quickjs/program.mjs';
import sqlite from '../bench/malloc/programs/sqlite/program.mjs';
import { buildForTests, type CommandLine, root } from '../cli/command_line.ts';

const kWords = join(root, 'tests/e2e/traces/words.cpp');
const kPlanted = join(root, 'tests/web/instrument/programs/planted.cpp');

interface Program {
  readonly name: string;
  /** Whether its own allocator's free lists are in the trace. */
  readonly linked: boolean;
  /** Of sources that cannot be fetched here: undefined. */
  sources(): Promise<{ readonly sources: readonly string[]; readonly flags: readonly string[] } | undefined>;
}

const own = (source: string) => async () => ({ sources: [source], flags: [] });

export const kRecorded: readonly Program[] = [
  { name: 'SQLite', linked: true, sources: () => sqlite.prepare() },
  { name: 'Lua', linked: true, sources: () => lua.prepare() },
  { name: 'QuickJS', linked: true, sources: () => quickjs.prepare() },
  { name: 'words.cpp', linked: true, sources: own(kWords) },
  { name: 'planted.cpp, its own malloc', linked: false, sources: own(kPlanted) },
];

/** Its trace; undefined: its sources are not there. A minute or more: SQLite with debug information takes long to link. */
export async function record(program: Program): Promise<Buffer | undefined> {
  const prepared = await program.sources();
  if (prepared === undefined) return undefined;
  const cli = await buildForTests();
  try {
    return recordWith(cli, prepared.sources, prepared.flags, program.linked);
  } finally {
    cli.dispose();
  }
}

function recordWith(cli: CommandLine, sources: readonly string[], flags: readonly string[], linked: boolean): Buffer {
  const profile = linked ? cli.run('--ldflags', '--cflags', '--profile', 'trace').stdout.trim().split(' ') : [];
  const options = [...flags, ...profile, '-O1', '-g', '--profiling-funcs', '-sALLOW_MEMORY_GROWTH', '-w'];
  execFileSync(join(root, 'wasm-build.sh'), ['emcc', ...sources, ...options, '-o', 'app.js'], {
    cwd: cli.folder,
    stdio: 'pipe',
  });
  copyFileSync(join(cli.folder, 'app.wasm'), join(cli.folder, 'original.wasm'));
  const made = cli.run('instrument', 'original.wasm', '--stacks', '-o', 'app.wasm');
  if (made.status !== 0) throw new Error(made.stderr);
  const ran = cli.run('run', '--symbols', 'original.wasm', '-o', 'app.hgtrace', 'app.js');
  if (ran.status !== 0) throw new Error(ran.stderr);
  return readFileSync(join(cli.folder, 'app.hgtrace'));
}
