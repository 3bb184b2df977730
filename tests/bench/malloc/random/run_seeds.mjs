// Some seeds under one allocator, one after the other, in a process of its own:
//
//   node run_seeds.mjs '{ "wasm": path, "mode": "time", "seeds": [1, 2] }'   prints an array of figures as JSON
//
//   S1  The process runs with --no-liftoff --no-wasm-lazy-compilation: all code is V8's optimised code before the
//       first program runs. The programs are short, and with tiering the figure would be the compiler's and not the
//       allocator's.
//   S2  Each seed has an instance and a memory of its own; the one before it is collected first (--expose-gc).
//   S3  The first seed of a process is run once before it counts, so that the processor's clock is up.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runSeed } from './program.mjs';

const script = fileURLToPath(import.meta.url);
const kFlags = ['--no-liftoff', '--no-wasm-lazy-compilation', '--expose-gc'];
const kTimeLimitMs = 600_000;

/** The figures of each seed; one that fails has `failed`, why. */
export async function runSeedsInProcess(job) {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [...kFlags, script, JSON.stringify(job)], {
      timeout: kTimeLimitMs,
      maxBuffer: 1 << 26,
    });
    return JSON.parse(stdout);
  } catch (error) {
    throw new Error(`${job.wasm}: ${error.stderr || error.message}`);
  }
}

/** What the process spent on the processor: that of a machine which others use as well. */
function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function runAll({ wasm, seeds, clock, ...job }) {
  const nowMs = clock === 'processor' ? processorMs : undefined;
  const module = new WebAssembly.Module(readFileSync(wasm)); // Node 24 ends while it waits for a module, if it has nothing else to do
  const figures = [];
  if (job.mode === 'time') await runSeed(module, { ...job, seed: seeds[0] }, nowMs).catch(() => {});
  for (const seed of seeds) {
    globalThis.gc?.();
    figures.push(await runSeed(module, { ...job, seed }, nowMs).catch(({ message }) => ({ seed, failed: message })));
  }
  return figures;
}

if (process.argv[1] === script) console.log(JSON.stringify(await runAll(JSON.parse(process.argv[2]))));
