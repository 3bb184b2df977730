// npm run fuzz: builds the libFuzzer programs of tests/fuzz (preset native-fuzz, clang) and runs them, and then what takes the files,
// requests and messages of strangers (tests/fuzz/strangers).
//
//   npm run fuzz                               every target, 10 minutes each, two at a time
//   npm run fuzz -- strangers                  instrument, http, wire, report, ask, diff, replay, convert, symbolize
//   npm run fuzz -- --minutes 1 heap small     these targets, a minute each
//   npm run fuzz -- --jobs 1                   one at a time
//   npm run fuzz -- --keep                     and the repository's corpus becomes what these runs found worth keeping
//
// A run begins with the corpus of the repository and what earlier runs left in build/fuzz/<target>. With --keep it ends by writing
// the smallest set of inputs that reaches the same places to tests/fuzz/corpus/<target>: fewer than kMostFiles files of
// less than kMostBytes bytes. A finding is a file in build/fuzz/findings; put it into the corpus under a name that begins
// with finding_, which no run removes.
//
// Closes with a line a target: executions, operations in them, places covered, findings. Ends with 1 when there was a finding.

import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildStrangers, fuzzStranger, kStrangers } from '../tests/fuzz/strangers/run.mjs';
import { ensure } from './setup.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = join(root, 'build/fuzz');
const findings = join(work, 'findings');
const preset = 'native-fuzz';
const kSlabTargets = ['malloc_release', 'malloc_trace', 'malloc_hardened']; // malloc in other builds: from its corpus, and they keep none
const kTargets = [
  'heap',
  'commands_and_bursts',
  'pools',
  'small',
  'malloc',
  ...kSlabTargets,
  'memory_pools_and_managers',
];
const kMostFiles = 200;
const kMostBytes = 4096;
const kInputSeconds = 20;

function usage(message) {
  console.error(
    `${message}\nusage: npm run fuzz -- [--minutes 10] [--jobs 2] [--keep] [strangers | ${[...kTargets, ...kStrangers].join(' | ')}] ...`,
  );
  process.exit(2);
}

function readArguments(given) {
  const options = { minutes: 10, jobs: 2, keep: false, targets: [] };
  for (let i = 0; i < given.length; i += 1) {
    const name = given[i];
    if (name === '--minutes' || name === '--jobs') {
      i += 1;
      options[name.slice(2)] = Number(given[i]);
      if (!(options[name.slice(2)] > 0)) usage(`${name} needs a number above 0`);
    } else if (name === '--keep') {
      options.keep = true;
    } else if (name === 'strangers') {
      options.targets.push(...kStrangers);
    } else if ([...kTargets, ...kStrangers].includes(name)) {
      options.targets.push(name);
    } else {
      usage(`no target and no option: ${name}`);
    }
  }
  if (options.targets.length === 0) options.targets = [...kTargets, ...kStrangers];
  return options;
}

/** Runs a program; its output goes to the terminal, or to a file. Resolves to its exit code. */
function run(command, logFile) {
  return new Promise((resolve, reject) => {
    const child = spawn(command[0], command.slice(1), {
      cwd: root,
      stdio: logFile === undefined ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    if (logFile !== undefined) {
      const log = createWriteStream(logFile);
      child.stdout.pipe(log, { end: false });
      child.stderr.pipe(log, { end: false });
      child.on('close', () => log.end());
    }
    child.on('error', reject);
    child.on('close', resolve);
  });
}

const program = (target) => join(root, 'build', preset, `fuzz_${target}`);
const corpus = (target) => join(root, 'tests/fuzz/corpus', kSlabTargets.includes(target) ? 'malloc' : target);
const filesIn = (folder) => readdirSync(folder).map((name) => join(folder, name));

async function fuzz(target, { minutes, keep }) {
  const grown = join(work, target);
  for (const folder of [grown, corpus(target), findings]) mkdirSync(folder, { recursive: true });
  const log = join(work, `${target}.log`);
  const before = new Set(readdirSync(findings));
  const code = await run(
    [
      program(target),
      grown,
      corpus(target),
      `-max_total_time=${Math.ceil(minutes * 60)}`,
      `-max_len=${kMostBytes - 1}`,
      `-timeout=${kInputSeconds}`,
      `-artifact_prefix=${findings}/${target}-`,
      '-print_final_stats=1',
    ],
    log,
  );
  const text = readFileSync(log, 'utf8');
  const found = readdirSync(findings).filter((name) => !before.has(name) && name.startsWith(`${target}-`));
  const executions = text.match(/stat::number_of_executed_units:\s*(\d+)/)?.[1] ?? '?';
  const covered = text.match(/cov: (\d+)(?!.*cov: \d)/s)?.[1] ?? '?';
  const operations = text.match(/stat::operations: (\d+)/)?.[1] ?? '?';
  if (keep && code === 0 && found.length === 0 && !kSlabTargets.includes(target)) await keepSmallest(target, grown);
  return { target, executions, operations, covered, found, code, log };
}

/** The smallest set that reaches what all of them reach, kept in the repository. */
async function keepSmallest(target, grown) {
  const merged = join(work, `${target}.merged`);
  rmSync(merged, { recursive: true, force: true });
  mkdirSync(merged);
  // By places alone, not by how often they were passed: counters would keep ten times as many files.
  const merge = [program(target), '-merge=1', '-use_counters=0', merged, corpus(target), grown];
  if ((await run(merge, join(work, `${target}.merge.log`))) !== 0) throw new Error(`${target}: merging failed`);
  const sizes = filesIn(merged).map((file) => ({ file, bytes: statSync(file).size }));
  const kept = sizes.filter(({ bytes }) => bytes < kMostBytes).sort((a, b) => a.bytes - b.bytes);
  for (const file of filesIn(corpus(target)).filter((name) => !name.includes('/finding_'))) rmSync(file);
  for (const { file } of kept.slice(0, kMostFiles - 1)) renameSync(file, join(corpus(target), file.split('/').pop()));
  rmSync(merged, { recursive: true, force: true });
}

async function buildNative() {
  ensure('native', 'clang');
  for (const command of [
    ['cmake', '--preset', preset],
    ['cmake', '--build', '--preset', preset, '-j', '2'],
  ]) {
    if ((await run(command)) !== 0) process.exit(1);
  }
}

/** A line for a target that has ended; whether there was something to find. */
function sayNative({ target, executions, operations, covered, found, code, log }) {
  console.log(
    `${target}: ${executions} executions of ${operations} operations, ${covered} places covered, ${found.length} findings`,
  );
  for (const name of found) console.log(`  ${join(findings, name)}`);
  if (code !== 0) console.log(`  ended with ${code}: ${log}`);
  return code !== 0 || found.length > 0;
}

function sayStranger({ target, executions, kinds, kept, found }) {
  console.log(
    `${target}: ${executions} executions, ${kinds} kinds of answers, ${kept} seeds kept, ${found.size} findings`,
  );
  for (const [kind, seed] of found) console.log(`  ${seed}: ${kind}`);
  return found.size > 0;
}

const options = readArguments(process.argv.slice(2));
mkdirSync(work, { recursive: true });
if (options.targets.some((target) => kTargets.includes(target))) await buildNative();
if (options.targets.some((target) => kStrangers.includes(target))) await buildStrangers();

const waiting = [...options.targets];
const says = [];
async function worker() {
  for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
    console.log(`${target}: ${options.minutes} min`);
    if (kStrangers.includes(target)) {
      const result = await fuzzStranger(target, options);
      says.push(() => sayStranger(result));
    } else {
      const result = await fuzz(target, options);
      says.push(() => sayNative(result));
    }
  }
}
await Promise.all(Array.from({ length: options.jobs }, worker));
const failed = says.map((say) => say()).includes(true);
process.exit(failed ? 1 : 0);
