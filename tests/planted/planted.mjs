// npm run check:planted - plants each fault of faults.mjs in a copy of the sources and runs the model's tests there: a fault that
// no test sees is a hole in the suite. Prints a table; exit code 1 when one survives.
//
//   --all          all tests of the model and the engine, not only the quick ones
//   --at commit    sources and tests of that commit instead: the figure before
//   --only n       one fault, by its number

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { kFaults } from './faults.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const copy = join(root, 'build/planted');
const kTaken = [
  'web/src',
  'tests/web',
  'tests/fuzz',
  'tests/bench/glass',
  'tools',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
];
const kModel = ['walks_through_time', 'whole_events', 'contradictions', 'foreign_heap', 'queries', 'thread_caches'];
const kTests = [...kModel.map((name) => `tests/web/model/${name}.test.ts`), 'tests/web/engine/trust.test.ts'];
const kAllTests = ['tests/web/model', 'tests/web/engine'];

const { values } = parseArgs({
  options: { all: { type: 'boolean' }, at: { type: 'string' }, only: { type: 'string' } },
});

makeCopy();
if (!testsPass()) throw new Error(`the tests fail without any fault: see vitest in ${copy}`);
let survived = 0;
for (const [nth, fault] of kFaults.entries()) {
  if (values.only !== undefined && nth + 1 !== Number(values.only)) continue;
  const outcome = plant(fault);
  if (outcome === 'SURVIVED') survived += 1;
  console.log(`${String(nth + 1).padStart(3)}  ${outcome.padEnd(9)}  ${fault.what}`);
}
console.log(survived === 0 ? 'every planted fault is caught' : `${survived} planted faults are not caught`);
process.exitCode = survived === 0 ? 0 : 1;

function makeCopy() {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(join(copy, 'build'), { recursive: true });
  if (values.at === undefined)
    for (const part of kTaken) cpSync(join(root, part), join(copy, part), { recursive: true });
  else {
    const archive = execFileSync('git', ['archive', values.at, ...kTaken], { cwd: root, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x'], { cwd: copy, input: archive });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  symlinkSync(join(root, 'build/wasm'), join(copy, 'build/wasm'));
}

function plant({ file, from, to }) {
  const path = join(copy, file);
  const right = readFileSync(path, 'utf8');
  const parts = right.split(from);
  if (parts.length !== 2) return 'no place';
  writeFileSync(path, parts.join(to));
  try {
    return testsPass() ? 'SURVIVED' : 'caught';
  } finally {
    writeFileSync(path, right);
  }
}

function testsPass() {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { status, error } = spawnSync(
    process.execPath,
    [vitest, 'run', '--bail=1', ...(values.all ? kAllTests : kTests)],
    {
      cwd: copy,
      timeout: 900_000, // a walk that stands still is a fault that is seen
      encoding: 'utf8',
    },
  );
  if (error !== undefined && error.code !== 'ETIMEDOUT') throw error;
  return status === 0;
}
