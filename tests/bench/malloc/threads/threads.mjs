// Allocators with threads: eight workloads on 1, 2 and 4 threads, each run in a process of its own, interleaved (in round i
// every allocator runs once). The figure is the median; a bench fails when a checksum differs or a block was damaged,
// never on time.
//
//   EMCC=... node tests/bench/malloc/threads/threads.mjs [--rounds 5] [--only server,mix] [--allocators dlmalloc,emmalloc]
//            [--quick] [--json file]
//
// Needs an Emscripten whose output runs on this Node, 3.1.27 or newer.

import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../../harness/measure.mjs';
import { fixed, option, printTable, writeJson } from '../../harness/report.mjs';
import { allocatorNames, missingFile, programMaker } from './programs.mjs';

const kWorkloads = ['server', 'exchange', 'mix', 'containers', 'large', 'churn', 'bursts', 'resized'];
const kThreads = [1, 2, 4];
const kReference = 'dlmalloc';
const kWarmUp = 0.1; // share of the work that runs before the clock
const kLockShare = 4; // the price of a lock is a small difference: more of the mix
const kLockRounds = 4; // and more processes, whose times come in two kinds a nanosecond a call apart
const kOurs = ['heapglass', 'row-d'];
const kTries = 5;
const kTimeLimitMs = 300_000;

/**
 * One run in a process of its own; what it printed. Runs of peers that die are run again, and told at the end: a thread of
 * emmalloc's that waited while another one grew memory may copy into the new part before V8 has told it of the growth
 * ("memory access out of bounds" at a memory.copy, one run in four of the containers on Node 20). Ours may not die (memory.V3):
 * then the bench fails.
 */
function run(allocator, program, ...words) {
  const options = { encoding: 'utf8', timeout: kTimeLimitMs };
  for (let left = kTries; ; --left) {
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, [program, ...words.map(String)], options);
    if (status === 0) return JSON.parse(stdout);
    const lines = stderr.split('\n').filter((line) => line !== '' && line.length < 500); // the glue is one long line
    const what = `${basename(program)} ${words.join(' ')}: ${signal ?? `status ${status}`}, ${lines[0]}`;
    if (left === 1 || kOurs.includes(allocator)) throw new Error([what, ...lines.slice(1, 8)].join('\n'));
    died.set(what, (died.get(what) ?? 0) + 1);
  }
}
const died = new Map();

/** Every allocator once a round; what each run printed, by allocator. */
function interleaved(allocators, rounds, runOne) {
  const outcomes = new Map(allocators.map((allocator) => [allocator, []]));
  for (let round = 0; round < rounds; ++round) {
    for (const allocator of allocators) outcomes.get(allocator).push(runOne(allocator));
  }
  return outcomes;
}

function assertSame(what, outcomes) {
  const sums = new Set([...outcomes.values()].flat().map(({ checksum }) => checksum));
  if (sums.size !== 1) throw new Error(`${what}: checksums differ: ${[...sums].join(', ')}`);
}

const figureOf = (outcomes, of) => {
  const values = outcomes.map(of);
  const middle = median(values);
  return { middle, spread: (Math.max(...values) - Math.min(...values)) / middle };
};

/** The rows of one workload on some threads. */
function measureCell(workload, threads, allocators, programs, { rounds, share }) {
  const what = `${workload}, ${threads} threads`;
  const times = interleaved(allocators, rounds, (allocator) =>
    run(allocator, programs.get(allocator).time, workload, threads, share, share * kWarmUp),
  );
  const spaces = interleaved(allocators, Math.min(rounds, 3), (allocator) =>
    run(allocator, programs.get(allocator).footprint, workload, threads, share),
  );
  const roomy = interleaved(allocators, Math.min(rounds, 3), (allocator) =>
    run(allocator, programs.get(allocator).roomy, workload, threads, share),
  );
  assertSame(what, times);
  assertSame(what, roomy);
  assertSame(what, spaces);
  const of = (allocator) => ({
    time: figureOf(times.get(allocator), ({ ms }) => ms),
    footprint: figureOf(spaces.get(allocator), ({ footprint }) => footprint).middle,
    taken: figureOf(roomy.get(allocator), ({ taken }) => taken).middle,
    grown: figureOf(spaces.get(allocator), ({ footprint, early }) => footprint / early).middle,
  });
  const reference = times.has(kReference) ? of(kReference) : undefined;
  return allocators.map((allocator) => {
    const { time, footprint, taken, grown } = of(allocator);
    return {
      group: 'threads',
      workload,
      threads,
      allocator,
      ms: time.middle,
      ratio: time.middle / (reference?.time.middle ?? Number.NaN),
      spread: time.spread,
      footprint,
      footprintRatio: footprint / (reference?.footprint ?? Number.NaN),
      taken,
      takenRatio: taken / (reference?.taken ?? Number.NaN),
      ...(workload === 'churn' ? { grown } : {}),
    };
  });
}

/** ns a call that -pthread adds to the mix on one thread. */
function measureLock(allocators, programs, { rounds, share }) {
  const words = ['mix', 1, share * kLockShare, share * kWarmUp];
  const both = interleaved(allocators, rounds * kLockRounds, (allocator) => ({
    threads: run(allocator, programs.get(allocator).time, ...words),
    single: run(allocator, programs.get(allocator).single, ...words),
  }));
  return new Map(
    [...both].map(([allocator, pairs]) => {
      const { calls } = pairs[0].single;
      const ms = (which) => median(pairs.map((pair) => pair[which].ms));
      return [allocator, ((ms('threads') - ms('single')) * 1e6) / calls];
    }),
  );
}

/** Runs every workload once with each byte of each block verified; throws when one was lost or damaged. */
function check(workloads, allocators, programs) {
  for (const workload of workloads) {
    for (const threads of kThreads) {
      const outcomes = interleaved(allocators, 1, (allocator) =>
        run(allocator, programs.get(allocator).check, workload, threads, 0.1),
      );
      assertSame(`${workload}, ${threads} threads, checked`, outcomes);
    }
  }
  console.log(`verified: every byte of every block, ${workloads.join(', ')}, ${allocators.join(', ')}`);
}

/**
 * Builds, verifies, measures, prints.
 * @param {{ rounds?: number, only?: string[], allocators?: string[], quick?: boolean, emcc?: string }} options
 * @returns {Promise<{ group: 'threads', workload: string, threads: number, allocator: string, ms: number, ratio: number,
 *   spread: number, footprint: number, footprintRatio: number, taken: number, takenRatio: number, grown?: number, lockNs?: number }[]>} lockNs, of the mix on
 *   one thread: ns a call that -pthread costs; taken, of a memory of 256 MiB that need not grow; grown, of churn: the footprint by that after a quarter of the work
 */
export async function benchThreads({
  rounds = 5,
  only,
  allocators: wanted = allocatorNames,
  quick = false,
  emcc,
} = {}) {
  const maker = programMaker(emcc);
  const release = Number(/ 3\.1\.(\d+)/.exec(maker.version)?.[1] ?? Number.POSITIVE_INFINITY);
  if (release < 27) {
    console.log(`threads: left out, the output of ${maker.version} does not run on Node ${process.version}; set EMCC`);
    return [];
  }
  const allocators = wanted.filter((allocator) => {
    const missing = allocatorNames.includes(allocator) ? missingFile(allocator) : 'an allocator of this name';
    if (missing !== undefined) console.log(`threads: ${allocator} is left out, missing ${missing}`);
    return missing === undefined;
  });
  const workloads = kWorkloads.filter((name) => only === undefined || only.includes(name));
  const programs = new Map(
    allocators.map((allocator) => [
      allocator,
      Object.fromEntries(
        ['time', 'footprint', 'roomy', 'check', 'single'].map((kind) => [kind, maker.program(allocator, kind)]),
      ),
    ]),
  );
  console.log(`${maker.version}; Node ${process.version}; ${rounds} interleaved rounds, medians`);
  check(workloads, allocators, programs);

  const settings = { rounds, share: quick ? 0.1 : 1 };
  const rows = workloads.flatMap((workload) =>
    kThreads.flatMap((threads) => measureCell(workload, threads, allocators, programs, settings)),
  );
  if (workloads.includes('mix')) {
    for (const [allocator, lockNs] of measureLock(allocators, programs, settings)) {
      Object.assign(find(rows, 'mix', 1, allocator), { lockNs });
    }
  }
  print(rows, workloads, allocators);
  for (const [what, times] of died) console.log(`died and was run again, ${times} times: ${what}`);
  return rows;
}

const find = (rows, workload, threads, allocator) =>
  rows.find((row) => row.workload === workload && row.threads === threads && row.allocator === allocator);

const kMebi = 1 << 20;
const geometricMean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

function print(rows, workloads, allocators) {
  const cells = workloads.flatMap((workload) => kThreads.map((threads) => ({ workload, threads })));
  const head = ['workload', 'threads', ...allocators];
  const table = (title, text, ratio) =>
    printTable(title, head, [
      ...cells.map(({ workload, threads }) => [
        workload,
        threads,
        ...allocators.map((allocator) => text(find(rows, workload, threads, allocator))),
      ]),
      [
        'geometric mean',
        '',
        ...allocators.map((allocator) =>
          fixed(geometricMean(rows.filter((row) => row.allocator === allocator).map(ratio))),
        ),
      ],
    ]);
  table(
    'threads, time: ms (ratio to dlmalloc), spread',
    ({ ms, ratio, spread }) => `${fixed(ms, 1)} (${fixed(ratio)}) ${fixed(spread * 100, 0)} %`,
    ({ ratio }) => ratio,
  );
  table(
    'threads, exact heap footprint: MiB (ratio to dlmalloc)',
    ({ footprint, footprintRatio }) => `${fixed(footprint / kMebi)} (${fixed(footprintRatio)})`,
    ({ footprintRatio }) => footprintRatio,
  );
  table(
    'threads, in a memory that need not grow: MiB taken of it (ratio to dlmalloc)',
    ({ taken, takenRatio }) => `${fixed(taken / kMebi)} (${fixed(takenRatio)})`,
    ({ takenRatio }) => takenRatio,
  );
  const extra = [];
  if (workloads.includes('churn')) {
    for (const threads of kThreads) {
      const grown = allocators.map((allocator) => fixed(find(rows, 'churn', threads, allocator).grown));
      extra.push([`churn, ${threads} threads: heap at the end / after a quarter`, ...grown]);
    }
  }
  if (workloads.includes('mix')) {
    const ns = allocators.map((allocator) => fixed(find(rows, 'mix', 1, allocator).lockNs));
    extra.push(['uncontended: ns a call that -pthread adds to the mix', ...ns]);
  }
  if (extra.length > 0) printTable('threads, beside', ['figure', ...allocators], extra);
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const list = (name) => option(name, undefined)?.split(',');
  const rows = await benchThreads({
    rounds: Number(option('rounds', 5)),
    only: list('only'),
    allocators: list('allocators'),
    quick: process.argv.includes('--quick'),
  });
  const allocators = [...new Set(rows.map(({ allocator }) => allocator))];
  writeJson({ bench: 'malloc', node: process.version, allocators, rows, sizes: [] });
}
