// npm run planted - plants each fault of the lists in a copy of the sources and runs the tests there that should catch it: a
// fault that no test sees is a hole in the suite. Prints a table and the score; exit code 1 when one survives.
//
//   --area name    model (faults.mjs; npm run check:planted), core, pool or malloc (native), trace (traces and recorders) or page: each
//                  has a file here. Default: all
//   --all          for faults of the model all tests of the model and the engine, not only the quick ones
//   --at commit    sources and tests of that commit instead: the figure before
//   --only n-m     these faults, by their numbers in the table; --only n: one
//
//   PL1  Each suite passes without a fault first, or nothing it says counts.
//   PL2  A fault that cannot be built is not caught: it is a wrong entry of the list.
//   PL3  At an older commit a suite that is not there yet catches nothing, and a fault that has no place yet does not count.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { copyWhatDiffers } from '../../tools/mutate/copy_tree.mjs';
import { kAreas } from './areas.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const copy = join(root, 'build/planted');
const native = join(copy, 'native');
const kTaken = [
  'web',
  'tests',
  'tools',
  'core',
  'programs',
  'package',
  'package.json',
  'CMakeLists.txt',
  'wasm-build.sh',
];
const kSettings = ['tsconfig.json', 'vitest.config.ts', 'CMakePresets.json'];
const kModel = [
  'time/walks_through_time',
  'state/whole_events',
  'state/contradictions',
  'state/foreign_heap',
  'queries/queries',
  'state/thread_caches',
];
const kTests = [...kModel.map((name) => `tests/web/model/${name}.test.ts`), 'tests/web/engine/trust.test.ts'];
const kAllTests = ['tests/web/model', 'tests/web/engine'];

const { values } = parseArgs({
  options: { area: { type: 'string' }, all: { type: 'boolean' }, at: { type: 'string' }, only: { type: 'string' } },
});

if (values.area !== undefined && kAreas[values.area] === undefined)
  throw new Error(`--area ${values.area}: there are ${Object.keys(kAreas).join(', ')}`);
const [first = 1, last = first] = values.only?.split('-').map(Number) ?? [1, Number.POSITIVE_INFINITY];
const faults = Object.entries(kAreas)
  .flatMap(([area, list]) => list.map((fault) => ({ area, ...fault })))
  .map((fault, at) => ({ ...fault, number: at + 1 }))
  .filter(({ area }) => values.area === undefined || area === values.area)
  .filter(({ number }) => number >= first && number <= last)
  .map((fault) => (fault.area === 'model' ? { ...fault, tests: values.all ? kAllTests : kTests } : fault));

makeCopy();
const missing = new Set(); // programs that an older commit does not have (PL3)
const there = (tests) => tests.filter((path) => existsSync(join(copy, path)));
proveSuites();
const outcomes = [];
for (const fault of faults) {
  const outcome = plant(fault);
  outcomes.push(outcome);
  console.log(`${String(fault.number).padStart(3)}  ${fault.area.padEnd(6)}  ${outcome.padEnd(9)}  ${fault.what}`);
}
const counted = values.at === undefined ? outcomes : outcomes.filter((outcome) => outcome !== 'no place'); // PL3
const caught = counted.filter((outcome) => outcome === 'caught').length;
console.log(`${caught} of ${counted.length} planted faults are caught`);
process.exitCode = caught === counted.length ? 0 : 1;

/** PL1 */
function proveSuites() {
  const tests = there([...new Set(faults.flatMap((fault) => fault.tests ?? []))]);
  if (tests.length > 0 && !testsPass(tests)) throw new Error(`the tests fail without any fault: see vitest in ${copy}`);
  const suites = faults.filter(({ program }) => program !== undefined).map(({ program, filter }) => [program, filter]);
  for (const [program, filter] of new Map(suites.map((suite) => [suite.join(), suite])).values()) {
    if (!builds(program)) {
      if (values.at === undefined) throw new Error(`${program} cannot be built: see ninja in ${native}`);
      missing.add(program);
      continue;
    }
    if (!programPasses(program, filter)) throw new Error(`${program} fails without any fault: ${native}/${program}`);
  }
}

/** What was built natively stays: only files that differ are written, so that only these are built again. */
function makeCopy() {
  mkdirSync(join(copy, 'build'), { recursive: true });
  const source = values.at === undefined ? root : join(copy, 'build/at');
  if (values.at !== undefined) {
    mkdirSync(source, { recursive: true });
    const archive = execFileSync('git', ['archive', values.at, ...kTaken, ...kSettings], {
      cwd: root,
      maxBuffer: 2 ** 30,
    });
    execFileSync('tar', ['-x'], { cwd: source, input: archive });
  }
  for (const part of [...kTaken, ...kSettings]) copyWhatDiffers(join(source, part), join(copy, part));
  for (const [from, to] of [
    ['node_modules', 'node_modules'],
    ['build/wasm', 'build/wasm'],
  ])
    if (!existsSync(join(copy, to))) symlinkSync(join(root, from), join(copy, to));
}

function plant({ file, from, to, tests, program, filter }) {
  const path = join(copy, file);
  if (!existsSync(path)) return 'no place';
  const right = readFileSync(path, 'utf8');
  const parts = right.split(from);
  if (parts.length !== 2) return 'no place';
  writeFileSync(path, parts.join(to));
  try {
    if (program === undefined) return there(tests).length === 0 || testsPass(there(tests)) ? 'SURVIVED' : 'caught';
    if (missing.has(program)) return 'SURVIVED'; // PL3
    if (!builds(program)) return 'no build'; // PL2
    return programPasses(program, filter) ? 'SURVIVED' : 'caught';
  } finally {
    writeFileSync(path, right);
  }
}

function testsPass(tests) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  return passes(process.execPath, [vitest, 'run', '--bail=1', ...tests], copy);
}

function builds(program) {
  if (!existsSync(join(native, 'build.ninja'))) {
    const settings = ['-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Debug', '-DHG_WERROR=OFF'];
    execFileSync('cmake', ['-S', copy, '-B', native, ...settings], { stdio: 'ignore' });
  }
  return passes('ninja', ['-C', native, program], copy);
}

function programPasses(program, filter) {
  const options = ['--gtest_brief=1', '--gtest_fail_fast', `--gtest_filter=${filter}`];
  return passes(join(native, program), options, native);
}

/** A run that stands still is a fault that is seen. */
function passes(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, timeout: 900_000, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (error !== undefined && error.code !== 'ETIMEDOUT') throw error;
  return status === 0;
}
