// npm run check:modules:strangers and check:modules:twenty: what a user does with a finished module, by the packed command, with no word about the
// module:
//
//   package ─▶ its own work ─▶ result
//           ─▶ heapglass instrument [--stacks] ─▶ in the file's place ─▶ heapglass run ─▶ the same result, and a trace
//                        └▶ or a refusal that says what to do
//
// Prints the table of docs/instrument.md. Times are the shortest of several: of instrumenting in seconds, of the work as ratios to the shipped module's.

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
import { kChosen } from './stranger_lists.mjs';
import type { Stranger } from './stranger_programs.mjs';

const kTries = 3;
const kLongMs = 5000; // work that takes longer is timed once
const folder = fileURLToPath(new URL(`../../../build/modules-${process.env['HG_MODULES']}/`, import.meta.url));
const runner = fileURLToPath(new URL('./run_stranger.mjs', import.meta.url));
const made = mkdtempSync(join(tmpdir(), 'heapglass-strangers-'));
const rows: string[] = [];
let command = '';

beforeAll(() => {
  command = join(builtPackage().dist, 'bin/heapglass.mjs');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--force', '--silent'];
  execFileSync('npm', ['install', ...options, ...new Set(kChosen.flatMap(({ packages }) => packages.split(' ')))], {
    cwd: folder,
  });
}, 600_000);

afterAll(() => {
  rmSync(made, { recursive: true, force: true });
  const of = 'module | toolchain | packages | bytes | added | with `--stacks` | s | with `--stacks`';
  const calls =
    'allocations | reallocations | frees | unseen | live | events | sites | ms | recorded | with `--stacks`';
  console.log([`| ${of} | ${calls} |`, `|${'---|'.repeat(18)}`, ...rows].join('\n'));
});

/** Printed at once, too: a long run may be ended. */
function addRow(said: string, ...cells: readonly unknown[]): void {
  const row = `| ${cells.join(' | ')} |`;
  rows.push(row);
  console.log(`${said}\n${row}`);
}

const node = (...given: readonly string[]) =>
  spawnSync(process.execPath, given, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });

interface Given {
  readonly given: string;
  readonly ms: number;
}

/** What the work gives, each time the same, and the shortest time. */
function resultOf(prefix: readonly string[], { name }: Stranger): Given {
  const result = join(made, 'result.json');
  let shortest: Given | undefined;
  for (let round = 0; round < kTries && (shortest?.ms ?? 0) < kLongMs; ++round) {
    rmSync(result, { force: true });
    const { stderr } = node(...prefix, runner, name, folder, result);
    if (!existsSync(result)) throw new Error(`${name} gave nothing: ${stderr.slice(-2000)}`);
    const read = JSON.parse(readFileSync(result, 'utf8')) as Given;
    if (shortest !== undefined) expect(read.given).toBe(shortest.given);
    if (shortest === undefined || read.ms < shortest.ms) shortest = read;
  }
  if (shortest === undefined) throw new Error('unreachable');
  return shortest;
}

/** The stranger's work with its file exchanged. */
function recorded(stranger: Stranger, other: string, trace: string): Given {
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

/** The stranger instrumented, and its work recorded: undefined where it is refused. */
function instrumented(stranger: Stranger, shipped: Given | undefined, option?: string) {
  const path = join(folder, 'node_modules', stranger.file);
  const other = join(made, basename(path).replace(/(?=\.\w+$)/, option ?? '-calls'));
  const begun = performance.now();
  const given = option === undefined ? [] : [option];
  const { status, stderr } = node(command, 'instrument', path, '-o', other, ...given);
  const seconds = (performance.now() - begun) / 1000;
  const said = stderr.trim().replaceAll(`${made}/`, '').replaceAll(folder, '');
  if (shipped === undefined) {
    expect(status, said).toBe(1);
    expect(said).toMatch(stranger.refused ?? /^$/);
    return { said };
  }
  expect(status, said).toBe(0);
  const trace = join(made, 'run.hgtrace'); // of one name: some programs keep their environment in memory
  const { given: gave, ms } = recorded(stranger, other, trace);
  expect(gave).toBe(shipped.given);
  return {
    ...readTrace(trace),
    added: statSync(other).size - statSync(path).size,
    said,
    seconds,
    ratio: ms / shipped.ms,
    ms: shipped.ms,
  };
}

describe('modules of strangers are recorded, or refused with what to do', () => {
  test.each(kChosen)(
    '$name',
    (stranger) => {
      const { name, toolchain, packages, file, refused, unseen = 0 } = stranger;
      const shipped = refused === undefined ? resultOf([], stranger) : undefined;
      const [calls, stacks] = [instrumented(stranger, shipped), instrumented(stranger, shipped, '--stacks')];
      const { size } = statSync(join(folder, 'node_modules', file));
      const first = [name, toolchain, `\`${packages}\``, size];
      if (!('recorded' in calls) || !('recorded' in stacks))
        return addRow(calls.said, ...first, `refused: ${calls.said.split('\n').at(-1)?.replaceAll('|', '\\|')}`);
      const count = (...ops: readonly string[]) => ops.reduce((sum, op) => sum + (calls.recorded[op] ?? 0), 0);
      const allocations = count('allocate', 'allocate_zeroed', 'allocate_aligned');
      const events = calls.file.trace.count;
      const cells = [calls.added, stacks.added, calls.seconds.toFixed(1), stacks.seconds.toFixed(1)];
      const done = [allocations, count('reallocate'), count('deallocate'), calls.unseen, calls.liveBlocks];
      const cost = [
        events,
        stacks.file.trace.count - events,
        calls.ms.toFixed(0),
        calls.ratio.toFixed(2),
        stacks.ratio.toFixed(2),
      ];
      addRow(calls.said, ...first, ...cells, ...done, ...cost);
      if (stranger.varies !== true) expect(stacks.recorded).toEqual(calls.recorded); // what a stack costs is no call of the program's
      expect(allocations).toBeGreaterThan(0);
      if (typeof unseen === 'number') expect(calls.unseen).toBe(unseen);
      else expect(calls.unseen).toBeLessThanOrEqual(unseen.most);
    },
    1_200_000,
  );
});
