// One run in a process of its own: node run.mjs '<job as JSON>', with `wasm` the module's path and
// `stream` that of a recorded stream. Prints the figures as JSON. As a module: runInProcess(job) starts that process.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { execute } from './execute.mjs';

const script = fileURLToPath(import.meta.url);
const kTimeLimitMs = 300_000;

/** @param {import('./execute.mjs').Job & { wasm: string, stream?: string }} job */
export async function runInProcess(job) {
  const words = [script, JSON.stringify(job)];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: kTimeLimitMs });
    return JSON.parse(stdout);
  } catch (error) {
    throw new Error(`${job.wasm}: ${error.stderr || error.message}`);
  }
}

export const engine = () => `Node ${process.version} (V8 ${process.versions.v8})`;

if (process.argv[1] === script) {
  const { wasm, stream, ...job } = JSON.parse(process.argv[2]);
  const operations = stream === undefined ? undefined : readFileSync(stream);
  console.log(JSON.stringify(await execute(readFileSync(wasm), job, operations)));
}
