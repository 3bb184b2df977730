// Real builds: programs that know nothing of sites, built with each regression, instrumented with --stacks, recorded and symbolized.
//
//   source ── lines and functions put in before the rest, in builds of "after" ─▶ compiler, -g ─▶ heapglass instrument --stacks ─▶ run --symbols
//
//  So offsets, numbers of functions and lines of the two builds differ, and only names are left to align sites by.

import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Diff } from '../../web/src/diff/diff_types.ts';
import { type CommandLine, root } from '../cli/command_line.ts';
import { compareRuns, kPlanted } from './planted.ts';

export type RealKind = 'cpp' | 'cpp, linked' | 'rust';

export interface Regression {
  readonly kind: RealKind;
  readonly number: number;
  /** The function it is in. */
  readonly where: string;
}

const inCpp = (kind: RealKind, numbers: readonly number[]): Regression[] =>
  numbers.map((number) => ({ kind, number, where: kPlanted[number] ?? '' }));

const kInRust = ['parse_row', 'index_names', 'remember', 'log_line', 'open_session', 'render'];

export const kRealRegressions: readonly Regression[] = [
  ...kInRust.map((where, index): Regression => ({ kind: 'rust', number: index + 1, where })),
  ...inCpp('cpp', [1, 2, 3, 5, 9, 13, 16]),
  ...inCpp('cpp, linked', [4, 8, 10, 11, 15, 18, 20]),
];

const kRust = 'wasm32-unknown-unknown';
const rustc = process.env['RUSTC'] ?? 'rustc';
export const hasRust =
  spawnSync(rustc, ['--target', kRust, '--crate-type', 'cdylib', '-o', '/dev/null', '-'], { input: '' }).status === 0;

interface Built {
  readonly script: string;
  /** The module as it was before. */
  readonly original: string;
}

/** regression 0: none. isAfter: the build whose lines and functions are moved. */
export function buildReal(cli: CommandLine, kind: RealKind, regression: number, isAfter: boolean): Built {
  const name = `${kind.replace(/\W+/g, '_')}_${regression}_${isAfter ? 'after' : 'before'}`;
  const original = `${name}_original.wasm`;
  if (kind === 'rust') buildRust(cli, name, regression, isAfter);
  else buildCpp(cli, name, regression, isAfter, kind === 'cpp, linked');
  const wasm = join(cli.folder, `${name}.wasm`);
  copyFileSync(wasm, join(cli.folder, original));
  const { status, stderr } = cli.run('instrument', original, '--stacks', '-o', wasm);
  if (status !== 0) throw new Error(stderr);
  return { script: kind === 'rust' ? `${name}.cjs` : `${name}.js`, original };
}

function buildCpp(cli: CommandLine, name: string, regression: number, isAfter: boolean, isLinked: boolean): void {
  const moved = 'extern "C" __attribute__((used)) int moved_away(int n) {\n  return n * 3;\n}\n\n';
  const source = readFileSync(join(root, 'tests/diff/program.cpp'), 'utf8');
  writeFileSync(
    join(cli.folder, `${name}.cpp`),
    isAfter ? source.replace('\nnamespace {', `\n${moved}namespace {`) : source,
  );
  const ours = isLinked ? cli.run('--ldflags', '--profile', 'trace').stdout.trim().split(' ') : [];
  const defines = ['-DREAL', `-DREGRESSION=${regression}`, `-I${join(root, 'tests/diff')}`];
  const flags = ['-std=c++20', '-O2', '-g', '-gdwarf-4', '-sALLOW_MEMORY_GROWTH', '-sENVIRONMENT=node'];
  const given = ['emcc', `${name}.cpp`, ...defines, ...flags, ...ours, '-o', `${name}.js`];
  execFileSync(join(root, 'wasm-build.sh'), given, { cwd: cli.folder, stdio: 'pipe' });
}

function buildRust(cli: CommandLine, name: string, regression: number, isAfter: boolean): void {
  const moved = '#[no_mangle]\npub extern "C" fn moved_away(n: u32) -> u32 {\n    n * 3\n}\n\n';
  const source = readFileSync(join(root, 'tests/diff/program.rs'), 'utf8').replace(
    'REGRESSION: u32 = 0;',
    `REGRESSION: u32 = ${regression};`,
  );
  writeFileSync(
    join(cli.folder, 'program.rs'),
    isAfter ? source.replace('\nstruct Random', `\n${moved}struct Random`) : source,
  );
  const given = ['--target', kRust, '--crate-type', 'cdylib', '--edition', '2021', '-g', '-Copt-level=2'];
  execFileSync(rustc, [...given, 'program.rs', '-o', `${name}.wasm`], { cwd: cli.folder, stdio: 'pipe' });
  const script = `const wasm = new WebAssembly.Module(require('fs').readFileSync('${name}.wasm'));
new WebAssembly.Instance(wasm, {}).exports.run(Number(process.argv[2]));\n`;
  writeFileSync(join(cli.folder, `${name}.cjs`), script);
}

/** Runs of both, no two of one input; compared. */
export const compareReal = (cli: CommandLine, a: Built, b: Built, seed: number, runs?: number): Diff =>
  compareRuns(cli, { script: a.script, symbols: a.original }, { script: b.script, symbols: b.original }, seed, runs);

/** What the diff says of it. */
export function judge(diff: Diff, where: string): { readonly found: boolean; readonly said: string } {
  const up = diff.sites.filter(({ kind }) => kind === 'grew' || kind === 'new');
  const found = up.some((site) => new RegExp(`\\b${where}\\b`).test(site.function));
  return { found, said: up.map((site) => `${site.function} ${site.kind}`).join(', ') };
}
