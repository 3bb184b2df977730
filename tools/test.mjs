// npm test: everything from a clean clone to one closing line, alone on its line: "N passed, N failed".
//
//   npm test                     all steps
//   npm test -- native vitest    only the steps named (and what they need)
//
// Steps run as soon as what they need is done, those with weight two at a time or one alone (two cores). The counts come from what
// the suites write for machines (tools/count_results.mjs); a suite that leaves no such file counts as one failure.

import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countGoogleTests, countPlaywright, countVitest } from './count_results.mjs';
import { ensure } from './setup.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const results = join(root, 'build/results');
const node = process.execPath;
const bin = (name) => join(root, 'node_modules/.bin', name);
const nativeBuild = (preset) => join(root, 'build', preset);

const kNativeTrace = 'tests/contract/native_trace.test.ts';
/** Tests that link, install or run whole programs: two thirds of Vitest's time. Vitest uses one of two cores, so they are a step of
 *  their own, beside native at first and beside the other tests at the end. What two of them write to is in one step. */
const kProgramTests = [
  'attach',
  'build_systems',
  'cli',
  'foreign_toolchains',
  'instrument',
  'link',
  'package',
  'record',
  'replay',
  'web_threads',
];

function vitestStep(need, name, ...options) {
  const json = join(results, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${json}`];
  return {
    needs: [need],
    commands: [[bin('vitest'), 'run', ...reporters, ...options]],
    weight: 1,
    count: () => countVitest(json),
    fresh: [json],
  };
}

const native = (preset) => {
  const junit = join(results, `${preset}.xml`);
  const gtest = join(nativeBuild(preset), 'gtest');
  return {
    commands: [
      ['cmake', '--preset', preset],
      ['cmake', '--build', '--preset', preset, '-j', '2'],
      ['ctest', '--preset', preset, '-j', '2', '--output-junit', junit],
    ],
    weight: 1,
    count: () => countGoogleTests(junit, gtest),
    fresh: [junit, gtest],
  };
};

/** Steps: what to run, what must have passed before, how heavy it is, and where its results lie. */
const kSteps = {
  generated: { commands: [[node, 'tools/gen_event_layout.mjs', '--check']] },
  biome: { commands: [[bin('biome'), 'ci', '--colors=off']] },
  prose: { commands: [[node, 'tools/check_prose.mjs']] },
  types: {
    commands: ['tsconfig.page.json', 'tsconfig.worker.json', 'tsconfig.json'].map((project) => [
      bin('tsc'),
      '-p',
      project,
    ]),
  },
  wasm: { commands: [['./wasm-build.sh', 'contract']], weight: 1 },
  native: native('native-asan-ubsan'),
  programs: vitestStep('wasm', 'programs', ...kProgramTests.map((folder) => `tests/${folder}/`)),
  threads: native('native-tsan'), // ThreadSanitizer, only what has threads
  vitest: vitestStep('wasm', 'vitest', `--exclude=${kNativeTrace}`, `--exclude=tests/{${kProgramTests}}/**`),
  // The one test in TypeScript that needs the native programs.
  native_trace: vitestStep('native', 'native_trace', kNativeTrace),
  e2e: {
    needs: ['wasm'],
    commands: [[bin('playwright'), 'test', '--project=e2e', '--reporter=list,json']],
    environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: join(results, 'playwright.json') },
    weight: 2, // alone: it waits for what a person would see
    count: () => countPlaywright(join(results, 'playwright.json')),
    fresh: [join(results, 'playwright.json')],
  },
};
const kWeightAtOnce = 2; // cores
/** How Vitest, GoogleTest, ctest and Playwright name a test that failed; all such lines are repeated at the end. */
const kNamesFailure = /^\s*(FAIL {2}|\[ {2}FAILED {2}\]|\d+\) \[)|\*\*\*(Failed|Timeout|Exception)/;

const begun = performance.now();
const named = process.argv.slice(2);
for (const name of named)
  if (kSteps[name] === undefined) fail(`no such step: ${name} (there are ${Object.keys(kSteps).join(' ')})`);
const chosen = new Set(
  named.length === 0 ? Object.keys(kSteps) : named.flatMap((name) => [...(kSteps[name].needs ?? []), name]),
);

try {
  ensure('packages', 'emcc', 'native', 'chromium', 'boost');
} catch (error) {
  fail(error.message);
}
console.log(`setup: ${seconds(begun)}`);
mkdirSync(results, { recursive: true });

const outcomes = new Map();
const failures = [];
const running = new Map();
const waiting = [...chosen];
while (waiting.length > 0 || running.size > 0) {
  startReady();
  if (running.size > 0) await Promise.race(running.values());
}

const total = { passed: 0, failed: 0, skipped: 0 };
for (const { passed, failed, skipped } of outcomes.values()) {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped ?? 0;
}
if (failures.length > 0) console.log(`what failed:\n${failures.join('\n')}`);
console.log(`all steps: ${seconds(begun)}${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

function startReady() {
  for (const name of [...waiting]) {
    const step = kSteps[name];
    const needs = (step.needs ?? []).map((need) => outcomes.get(need));
    if (needs.some((outcome) => outcome === undefined)) continue;
    const weight = [...running.keys()].reduce((sum, other) => sum + (kSteps[other].weight ?? 0), 0);
    if (step.weight !== undefined && weight + step.weight > kWeightAtOnce) continue;
    waiting.splice(waiting.indexOf(name), 1);
    if (needs.some((outcome) => outcome.failed > 0)) {
      finish(name, { passed: 0, failed: 1 }, `not run: ${step.needs.join(', ')} failed`);
      continue;
    }
    running.set(
      name,
      runStep(name, step).finally(() => running.delete(name)),
    );
  }
}

async function runStep(name, step) {
  const from = performance.now();
  for (const path of step.fresh ?? []) rmSync(path, { recursive: true, force: true }); // never count an older run
  const log = join(results, `${name}.log`);
  const file = openSync(log, 'w');
  let status = 0;
  for (const command of step.commands) {
    const code = await exitCode(command, file, step.environment);
    status ||= code;
    if (code !== 0 && name !== 'types') break; // each type check is told, of the others the later commands need the earlier
  }
  let counts = { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 };
  if (step.count !== undefined) {
    try {
      counts = step.count();
      if (status !== 0 && counts.failed === 0) counts = { ...counts, failed: 1 }; // it failed outside any test
    } catch (error) {
      counts = { passed: 0, failed: 1 };
      console.log(`${name}: no results: ${error.message}`);
    }
  }
  finish(name, counts, seconds(from), counts.failed > 0 ? readFileSync(log, 'utf8') : '');
}

function finish(name, counts, note, log = '') {
  outcomes.set(name, counts);
  failures.push(...new Set(log.split('\n').filter((line) => kNamesFailure.test(line))));
  if (log !== '') console.log(`---- ${name} ----\n${log.split('\n').slice(-400).join('\n')}\n---- end of ${name} ----`);
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed${skipped} (${note})`);
}

function exitCode([program, ...options], output, environment) {
  return new Promise((done) => {
    const child = spawn(program, options, {
      cwd: root,
      stdio: ['ignore', output, output],
      env: { ...process.env, NO_COLOR: '1', ...environment },
    });
    child.on('error', () => done(127));
    child.on('exit', (code) => done(code ?? 1));
  });
}

function seconds(from) {
  return `${((performance.now() - from) / 1000).toFixed(1)} s`;
}

function fail(text) {
  console.error(text);
  console.log('0 passed, 1 failed');
  process.exit(3);
}
