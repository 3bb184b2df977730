// npm run check:modules:strangers: what a user does with a finished module, by the packed command, with no word about the module:
//
//   package ─▶ its own work ─▶ result
//           ─▶ heapglass instrument [--stacks] ─▶ in the file's place ─▶ heapglass run ─▶ the same result, and a trace
//                        └▶ or a refusal that says what to do
//
// Prints the table of docs/instrument.md.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtPackage } from '../../../tools/built.mjs';
import { readTrace } from './module_check.ts';
import { kStrangers, type Stranger } from './stranger_programs.mjs';

const folder = fileURLToPath(new URL('../../../build/modules-strangers/', import.meta.url));
const runner = fileURLToPath(new URL('./run_stranger.mjs', import.meta.url));
const made = mkdtempSync(join(tmpdir(), 'heapglass-strangers-'));
const rows: string[] = [];
let command = '';

beforeAll(() => {
  command = join(builtPackage().dist, 'bin/heapglass.mjs');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--force', '--silent'];
  execFileSync('npm', ['install', ...options, ...kStrangers.map(({ packages }) => packages)], { cwd: folder });
}, 600_000);

afterAll(() => {
  rmSync(made, { recursive: true, force: true });
  const head =
    'module | toolchain | packages | bytes | added | with `--stacks` | allocations | reallocations | frees | unseen | live | events | sites';
  console.log([`| ${head} |`, `|${'---|'.repeat(13)}`, ...rows].join('\n'));
});

const node = (...given: readonly string[]) =>
  spawnSync(process.execPath, given, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });

function resultOf(prefix: readonly string[], { name }: Stranger): string {
  const result = join(made, 'result.json');
  rmSync(result, { force: true });
  const { stderr } = node(...prefix, runner, name, folder, result);
  if (!existsSync(result)) throw new Error(`${name} gave nothing: ${stderr.slice(-2000)}`);
  return readFileSync(result, 'utf8');
}

/** The stranger's work with its file exchanged. */
function recorded(stranger: Stranger, other: string, trace: string): string {
  const file = join(folder, 'node_modules', stranger.file);
  const shipped = join(made, 'shipped');
  copyFileSync(file, shipped);
  copyFileSync(other, file);
  try {
    return resultOf([command, 'run', '-o', trace], stranger);
  } finally {
    copyFileSync(shipped, file);
  }
}

describe('modules of strangers are recorded, or refused with what to do', () => {
  test.each(kStrangers)(
    '$name',
    (stranger) => {
      const { name, toolchain, packages, file, refused } = stranger;
      const path = join(folder, 'node_modules', file);
      const shipped = refused === undefined ? resultOf([], stranger) : '';
      const cells = [undefined, '--stacks'].map((option) => {
        const given = option === undefined ? [] : [option];
        const other = join(made, basename(file).replace(/(?=\.\w+$)/, option ?? '-calls'));
        const { status, stderr } = node(command, 'instrument', path, '-o', other, ...given);
        if (refused !== undefined) {
          expect(status, stderr).toBe(1);
          expect(stderr).toMatch(refused);
          return { said: stderr.trim() };
        }
        expect(status, stderr).toBe(0);
        const trace = join(made, `${option ?? 'calls'}.hgtrace`);
        expect(recorded(stranger, other, trace)).toBe(shipped);
        return { ...readTrace(trace), added: statSync(other).size - statSync(path).size, said: stderr.trim() };
      });
      const [calls, stacks] = cells;
      if (calls === undefined || stacks === undefined) throw new Error('unreachable');
      console.log(name, calls.said.replaceAll(`${made}/`, ''));
      const first = [name, toolchain, `\`${packages}\``, statSync(path).size];
      if (!('recorded' in calls) || !('recorded' in stacks))
        return void rows.push(`| ${[...first, 'refused'].join(' | ')} |`);
      const count = (...ops: readonly string[]) => ops.reduce((sum, op) => sum + (calls.recorded[op] ?? 0), 0);
      const allocations = count('allocate', 'allocate_zeroed', 'allocate_aligned');
      const { trace } = calls.file;
      const done = [allocations, count('reallocate'), count('deallocate'), calls.unseen, calls.liveBlocks];
      const sites = `${trace.count} | ${stacks.file.trace.count - trace.count}`;
      rows.push(`| ${[...first, calls.added, stacks.added, ...done, sites].join(' | ')} |`);
      if (stranger.varies !== true) expect(stacks.recorded).toEqual(calls.recorded); // what a stack costs is no call of the program's
      expect(allocations).toBeGreaterThan(0);
      const { unseen = 0 } = stranger;
      if (typeof unseen === 'number') expect(calls.unseen).toBe(unseen);
      else expect(calls.unseen).toBeLessThanOrEqual(unseen.most);
    },
    600_000,
  );
});
