// npm test: everything from a clean clone to one closing line, alone on its line: "N passed, N failed".
//
//   npm test                     all steps
//   npm test -- native vitest    only the steps named (and what they need)
//   npm run test:all             the same and what is slow and rarely fails; under an hour
//
// tools/test_steps.mjs lists the steps. A step starts when what it needs has passed and its processes fit beside those that run: two in
// all, for two cores. A step that passed is not repeated while its inputs stay the same, except in CI and when it is named.

import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keyOf, passedBefore, rememberPassed } from './passed.mjs';
import { endedSeconds } from './processor_time.mjs';
import { ensure } from './setup.mjs';
import { kAllSteps, kDaily, kDailySteps, kOneProcess, results, root } from './test_steps.mjs';

const kProcesses = 2; // one for each core
/** Milliseconds after which whatever still runs is ended and counts as failed: a test that hangs is then named, not waited for. */
const kLongestRun = 75 * 60_000;
/** How Vitest, GoogleTest, ctest and Playwright name a test that failed; all such lines are repeated at the end. */
const kNamesFailure = /^\s*(FAIL {2}|\[ {2}FAILED {2}\]|\d+\) \[)|\*\*\*(Failed|Timeout|Exception)/;

const begun = performance.now();
const all = process.argv.includes('--all');
const kSteps = all ? kAllSteps : kDailySteps;
const named = process.argv.slice(2).filter((word) => word !== '--all');
for (const name of named)
  if (kSteps[name] === undefined) fail(`no such step: ${name} (there are ${Object.keys(kSteps).join(' ')})`);
const chosen = new Set(named.length === 0 ? Object.keys(kSteps) : named.flatMap(withNeeds));

try {
  ensure('packages', 'emcc', 'native', 'chromium', 'headless', 'boost', 'cargo');
} catch (error) {
  fail(error.message);
}
console.log(`setup: ${seconds(begun)}`);
mkdirSync(results, { recursive: true });
const testing = performance.now();
let counted = endedSeconds(); // processor time that a step has been charged with, or setup
const used = new Map();

const outcomes = new Map();
const failures = [];
const running = new Map();
const children = new Set();
let overdue = false;
const deadline = setTimeout(() => {
  overdue = true;
  endChildren();
}, kLongestRun);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => {
    endChildren();
    process.kill(process.pid, signal);
  });
const waiting = [...chosen];
while (waiting.length > 0 || running.size > 0) {
  startReady();
  if (running.size > 0) await Promise.race(running.values());
}
clearTimeout(deadline);

const total = { passed: 0, failed: 0, skipped: 0 };
for (const { passed, failed, skipped } of outcomes.values()) {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped ?? 0;
}
const unsteady = [...outcomes.values()].flatMap((outcome) => outcome.unsteady ?? []);
if (unsteady.length > 0) console.log(`passed only at the second try:\n  ${unsteady.join('\n  ')}`);
if (failures.length > 0) console.log(`what failed:\n${failures.join('\n')}`);
console.log(`all steps: ${seconds(testing)} after the setup${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

function withNeeds(name) {
  return [...(kSteps[name].needs ?? []).flatMap(withNeeds), name];
}

function startReady() {
  for (const name of [...waiting]) {
    const step = kSteps[name];
    const needs = (step.needs ?? []).map((need) => outcomes.get(need));
    if (needs.some((outcome) => outcome === undefined)) continue;
    const busy = [...running.keys()].reduce((sum, other) => sum + kSteps[other].weight, 0);
    if (busy + step.weight > kProcesses) continue;
    waiting.splice(waiting.indexOf(name), 1);
    if (overdue) {
      finish(name, { passed: 0, failed: 1 }, 'not run: the time for the whole run was over');
      continue;
    }
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
  const inputs = keyOf(step); // before it runs: files may change meanwhile
  const before = named.includes(name) ? undefined : passedBefore(name, inputs);
  if (before !== undefined) return finish(name, before, 'unchanged since it passed');
  for (const path of step.fresh ?? []) rmSync(path, { recursive: true, force: true }); // never count an older run
  const log = join(results, `${name}.log`);
  const file = openSync(log, 'w');
  let status = 0;
  for (const command of step.commands) {
    const code = await exitCode(name, command, file, step.environment);
    status ||= code;
    if (code !== 0 && !step.independent) break;
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
  if (overdue) counts = { ...counts, failed: Math.max(1, counts.failed) };
  const took = used.has(name) ? `${seconds(from)}, ${used.get(name).toFixed(1)} s of processor time` : seconds(from);
  const note = overdue ? `ended after ${seconds(begun)} of the whole run; its log ends where it hung` : took;
  finish(name, counts, note, counts.failed > 0 ? readFileSync(log, 'utf8') : '');
  rememberPassed(name, inputs, counts);
}

function finish(name, counts, note, log = '') {
  outcomes.set(name, counts);
  failures.push(...new Set(log.split('\n').filter((line) => kNamesFailure.test(line))));
  if (log !== '') console.log(`---- ${name} ----\n${log.split('\n').slice(-400).join('\n')}\n---- end of ${name} ----`);
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed${skipped} (${note})`);
}

function exitCode(name, [program, ...options], output, environment) {
  return new Promise((done) => {
    const child = spawn(program, options, {
      cwd: root,
      stdio: ['ignore', output, output],
      env: { ...process.env, NO_COLOR: '1', ...kOneProcess, ...(all ? {} : kDaily), ...environment },
      detached: true, // a process group of its own, so that all that it started can be ended with it
    });
    if (child.pid !== undefined) children.add(child);
    child.on('error', () => done(127));
    child.on('exit', (code) => {
      children.delete(child);
      charge(name);
      done(code ?? 1);
    });
  });
}

/** To the step whose command ended: what ended processes used since the last one did. */
function charge(name) {
  const now = endedSeconds();
  if (now === undefined) return;
  used.set(name, (used.get(name) ?? 0) + now - counted);
  counted = now;
}

function endChildren() {
  for (const child of children) process.kill(-child.pid, 'SIGKILL');
}

function seconds(from) {
  return `${((performance.now() - from) / 1000).toFixed(1)} s`;
}

function fail(text) {
  console.error(text);
  console.log('0 passed, 1 failed');
  process.exit(3);
}
