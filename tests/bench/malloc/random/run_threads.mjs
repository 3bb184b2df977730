// One program with threads, in a process of its own.
//
//   S1  As with one thread, all code is V8's optimised code before it runs (run_seeds.mjs).
//   S2  A peer that dies is run again, up to five times, and told: on Node 20 a memory.copy inside an allocator may
//       fail in memory that another thread has just grown. Ours may not die.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const kFlags = ['--no-liftoff', '--no-wasm-lazy-compilation'];
const kTries = 5;
const kTimeLimitMs = 120_000;

/** What the program printed. */
export async function callThreads(program, words) {
  const options = { timeout: kTimeLimitMs, maxBuffer: 1 << 26 };
  const { stdout } = await promisify(execFile)(process.execPath, [...kFlags, program, ...words.map(String)], options);
  return stdout;
}

function reasonOf(error) {
  const lines = String(error.stderr || error.message).split('\n');
  return lines.find((line) => line !== '' && line.length < 300) ?? 'it died'; // the glue is one long line
}

/**
 * The figures of each seed, one after the other; one that fails has `failed`, why.
 * @param {{ name: string, time: string, memory: string }} built
 * @param {{ mode: 'time' | 'memory', seeds: number[], threads: number, used: boolean, percent: number }} job
 * @param {Map<string, number>} died counts the runs that were run again, by what happened
 */
export async function runThreadSeeds(built, { mode, seeds, threads, used, percent }, died) {
  const figures = [];
  for (const seed of seeds) {
    for (let left = built.name.startsWith('heapglass') ? 1 : kTries; left > 0; --left) {
      try {
        figures.push({ seed, ...JSON.parse(await callThreads(built[mode], [seed, threads, percent, used ? 1 : 0])) });
        break;
      } catch (error) {
        const what = `seed ${seed}, ${built.name}: ${reasonOf(error)}`;
        died.set(what, (died.get(what) ?? 0) + 1);
        if (left === 1) figures.push({ seed, failed: reasonOf(error) });
      }
    }
  }
  return figures;
}
