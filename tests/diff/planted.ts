// tests/diff/program.cpp, built with each regression and run under the command; the function each one is in.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Diff } from '../../web/src/diff/diff_types.ts';
import { type CommandLine, root } from '../cli/command_line.ts';

/** By number: where program.cpp has planted(n). */
export const kPlanted: Readonly<Record<number, string>> = {
  1: 'parse_token',
  2: 'parse_token',
  3: 'parse_attributes',
  4: 'parse_attributes',
  5: 'parse_node',
  6: 'parse_attributes',
  7: 'parse_token',
  8: 'log_line',
  9: 'remember',
  10: 'cache_insert',
  11: 'cache_insert',
  12: 'cache_insert',
  13: 'sort_rows',
  14: 'render_row',
  15: 'render',
  16: 'render',
  17: 'open_session',
  18: 'open_session',
  19: 'report_error',
  20: 'cache_insert',
};

export const kRuns = 3; // of each side

/** The script of a build whose lines behind the first 40 are moved by `shift`. */
export function build(cli: CommandLine, regression: number, shift: number): string {
  const script = `program_${regression}_${shift}.js`;
  const flags = cli.run('--ldflags', '--profile', 'trace').stdout.trim().split(' ');
  const source = join(root, 'tests/diff/program.cpp');
  const includes = [`-I${join(root, 'core/include')}`, `-I${join(root, 'core/src')}`];
  const defines = ['-DHG_TRACE=1', `-DREGRESSION=${regression}`, `-DSHIFT=${shift}`];
  const given = [source, '-std=c++20', '-O1', ...defines, ...includes, ...flags, '-sALLOW_MEMORY_GROWTH', '-o', script];
  execFileSync(join(root, 'wasm-build.sh'), ['emcc', ...given], { cwd: cli.folder, stdio: 'pipe' });
  return script;
}

/** Three runs of each script, no two of one input; compared. */
export const compare = (cli: CommandLine, a: string, b: string, seed: number): Diff =>
  compareRuns(cli, { script: a }, { script: b }, seed);

interface Runnable {
  readonly script: string;
  /** The module to symbolize by; none: the program writes names itself. */
  readonly symbols?: string;
}

export function compareRuns(cli: CommandLine, a: Runnable, b: Runnable, seed: number, runs = kRuns): Diff {
  const record = ({ script, symbols }: Runnable, from: number, side: string): string[] =>
    Array.from({ length: runs }, (_, i) => {
      const trace = `${side}${i}.hgtrace`;
      const named = symbols === undefined ? [] : ['--symbols', symbols];
      const { status, stderr } = cli.run('run', ...named, '-o', trace, script, String(from + i));
      if (status !== 0) throw new Error(stderr);
      return trace;
    });
  const [firstA = '', ...moreA] = record(a, seed, 'a');
  const [firstB = '', ...moreB] = record(b, seed + runs, 'b');
  const noise = moreA.flatMap((trace, i) => [trace, moreB[i] ?? '']);
  const { status, stdout, stderr } = cli.run('diff', firstA, firstB, '--json', '--noise', ...noise);
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Diff;
}
