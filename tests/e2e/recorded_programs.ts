// Six real programs, recorded with call stacks by the commands of the package. Five are compiled with debug information: three linked with
// heapglass, a C++ program, and one with an allocator of its own. The sixth is a finished module, as its package ships
// it, without names: its program is the JavaScript that calls it (--callers).

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { embed } from '../bench/malloc/programs/embed.mjs';
import lua from '../bench/malloc/programs/lua/program.mjs';
import quickjs from '../bench/malloc/programs/quickjs/program.mjs';
import sqlite from '../bench/malloc/programs/sqlite/program.mjs';
import { buildForTests, type CommandLine, root } from '../cli/command_line.ts';

const kWords = join(root, 'tests/e2e/traces/words.cpp');
const kPlanted = join(root, 'tests/web/instrument/programs/planted.cpp');
const kOniguruma = join(root, 'node_modules/vscode-oniguruma');

interface Program {
  readonly name: string;
  /** How stacks are recorded. */
  readonly option?: '--stacks' | '--callers';
  /** Makes original.wasm and a script that runs it; undefined: its sources cannot be fetched here. */
  make(cli: CommandLine): Promise<string | undefined>;
}

interface Sources {
  readonly sources: readonly string[];
  readonly flags: readonly string[];
}

const linked = (name: string, sources: () => Promise<Sources | undefined>): Program => ({
  name,
  async make(cli) {
    const prepared = await sources();
    const profile = cli.run('--ldflags', '--cflags', '--profile', 'trace').stdout.trim().split(' ');
    return prepared && compiled(cli, prepared, profile);
  },
});

export const kRecorded: readonly Program[] = [
  linked('SQLite', async () => fewerRows(await sqlite.prepare())),
  linked('Lua', async () => shorter('lua', 'script.lua', await lua.prepare())),
  linked('QuickJS', async () => shorter('quickjs', 'script.js', await quickjs.prepare())),
  linked('words.cpp', async () => ({ sources: [kWords], flags: [] })),
  {
    name: 'planted.cpp, its own malloc',
    make: async (cli) => compiled(cli, { sources: [kPlanted], flags: [] }, []),
  },
  { name: 'Oniguruma, as its package ships it', option: '--callers', make: async (cli) => shipped(cli) },
];

/** SQLite with a twentieth of its benchmark's rows and queries. */
function fewerRows(prepared: Sources | undefined): Sources | undefined {
  if (prepared === undefined) return undefined;
  const text = readFileSync(join(root, 'tests/bench/malloc/programs/sqlite/main.c'), 'utf8');
  const fewer = text.replace('kRows = 40000', 'kRows = 2000').replace('i < 6000', 'i < 300');
  if (fewer.length !== text.length - 2) throw new Error('main.c does as much as before');
  const folder = join(root, 'build/programs/sqlite_short');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'main.c'), fewer);
  const isMain = (source: string) => source.endsWith('/sqlite/main.c');
  return { ...prepared, sources: prepared.sources.map((one) => (isMain(one) ? join(folder, 'main.c') : one)) };
}

/** The program with a twentieth of its benchmark's work: all that its script does, in a trace that opens at once. */
function shorter(program: string, script: string, prepared: Sources | undefined): Sources | undefined {
  if (prepared === undefined) return undefined;
  const folder = join(root, `build/programs/${program}_short`);
  mkdirSync(folder, { recursive: true });
  const text = readFileSync(join(root, 'tests/bench/malloc/programs', program, script), 'utf8');
  const calls = /^print\(.*$/gm; // of each part, with how much of it
  const twentieth = (count: string) => (Number(count) < 20 ? count : `${Math.ceil(Number(count) / 20)}`);
  const fewer = text.replaceAll(calls, (call) => call.replaceAll(/\d+/g, twentieth));
  if (fewer === text) throw new Error(`${script} does as much as before`);
  writeFileSync(join(folder, script), fewer);
  const embedded = embed(`${program}_short`, join(folder, script));
  return { ...prepared, sources: prepared.sources.map((source) => (source.endsWith('/script.c') ? embedded : source)) };
}

/** Its trace; undefined: its sources are not there. A minute or more: SQLite with debug information takes long to link. */
export async function record(program: Program): Promise<Buffer | undefined> {
  const cli = await buildForTests();
  try {
    const script = await program.make(cli);
    return script === undefined ? undefined : recorded(cli, script, program.option);
  } finally {
    cli.dispose();
  }
}

function compiled(cli: CommandLine, { sources, flags }: Sources, profile: readonly string[]): string {
  const options = [...flags, ...profile, '-O1', '-g', '--profiling-funcs', '-sALLOW_MEMORY_GROWTH', '-w'];
  execFileSync(join(root, 'wasm-build.sh'), ['emcc', ...sources, ...options, '-o', 'app.js'], {
    cwd: cli.folder,
    stdio: 'pipe',
  });
  copyFileSync(join(cli.folder, 'app.wasm'), join(cli.folder, 'original.wasm'));
  return 'app.js';
}

/** A program in JavaScript that keeps every second one of the scanners that it makes. */
function shipped(cli: CommandLine): string {
  copyFileSync(join(kOniguruma, 'release/onig.wasm'), join(cli.folder, 'original.wasm'));
  const script = `
    import { createRequire } from 'node:module';
    import { readFileSync } from 'node:fs';
    const onig = createRequire(import.meta.url)(${JSON.stringify(kOniguruma)});
    await onig.loadWASM({ data: readFileSync(new URL('app.wasm', import.meta.url)) });
    const text = 'the heap grows and shrinks while strings are being parsed, sorted, joined and thrown away again ';
    const kept = [];
    for (let round = 0; round < 60; ++round) {
      const scanner = onig.createOnigScanner(['[a-z]+(?:ing|ed)', 'heap|sort']);
      const string = onig.createOnigString(text.repeat(20 + round));
      let found = scanner.findNextMatchSync(string, 0);
      while (found !== null) found = scanner.findNextMatchSync(string, found.captureIndices[0].end + 1);
      string.dispose();
      if (round % 2 === 0) kept.push(scanner);
      else scanner.dispose();
    }`;
  writeFileSync(join(cli.folder, 'app.mjs'), script);
  return 'app.mjs';
}

function recorded(cli: CommandLine, script: string, option = '--stacks'): Buffer {
  const made = cli.run('instrument', 'original.wasm', option, '-o', 'app.wasm');
  if (made.status !== 0) throw new Error(made.stderr);
  const ran = cli.run('run', '--symbols', 'original.wasm', '-o', 'app.hgtrace', script);
  if (ran.status !== 0) throw new Error(ran.stderr);
  return readFileSync(join(cli.folder, 'app.hgtrace'));
}
