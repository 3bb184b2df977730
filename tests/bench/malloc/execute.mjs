// Runs one module once. No Node and no DOM: run.mjs calls it in a process of its own, browser_worker.mjs in a worker.
//
//   E1  time: memory is raised to 16 MiB beyond the heap's base first and grows by a fifth at least, as Emscripten's default
//       is. A micro row is the best of nine calls after three (the engine compiles what is hot meanwhile); a program runs
//       once, from cold, as programs do.
//   E2  footprint: memory begins 128 KiB above the heap's base and grows by what is asked; the figure is its last size.
//   E3  counted: the module that counts calls and live bytes.

import { createWasi, ProgramExit } from '../harness/wasi.mjs';

const kPage = 65536;
const kDefaultHeap = 16 << 20;
const kGrowthStep = 20;
const kWarmUps = 3;
const kCalls = 9;

/**
 * @typedef {{ mode: 'time' | 'footprint' | 'counted', kind: 'micro' | 'program' | 'command', call?: number[],
 *   percent?: number, args?: string[] }} Job
 * @param {BufferSource} bytes
 * @param {Job} job
 * @returns {Promise<{ ns?: number, ms?: number, checksum?: string, heapBytes: number, peak?: number, allocations?: number,
 *   units?: number }>} ns a unit, or ms a run; heapBytes: memory's last size less __heap_base
 */
export async function execute(bytes, job) {
  let exports;
  const wasi = createWasi({ args: job.args, memory: () => exports.memory });
  const module = await WebAssembly.compile(bytes);
  ({ exports } = await WebAssembly.instantiate(module, wasi.imports(module)));
  const base = exports.__heap_base.value;
  if (job.mode === 'time') {
    exports.bench_set_growth_step(kGrowthStep);
    const missing = Math.ceil((base + kDefaultHeap - exports.memory.buffer.byteLength) / kPage);
    if (missing > 0) exports.memory.grow(missing);
  }
  const figures = await { micro: runMicro, program: runProgram, command: runCommand }[job.kind](exports, job, wasi);
  const heapBytes = exports.memory.buffer.byteLength - base;
  if (job.mode !== 'counted') return { ...figures, heapBytes };
  return { ...figures, heapBytes, peak: exports.bench_live_peak(), allocations: exports.bench_allocations() };
}

function assertWorked(worked, job) {
  if (worked === 0) throw new Error(`${job.mode}: memory ran out, or a block did not hold what was written to it`);
}

function runMicro(exports, { mode, call, percent = 100, ...job }) {
  exports._initialize?.();
  const count = Math.ceil((call[3] * percent) / 100);
  const runs = mode === 'counted' ? 1 : kWarmUps + kCalls;
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < runs; ++i) {
    const begin = performance.now();
    const worked = exports.bench_micro(call[0], call[1], call[2], count);
    const ns = ((performance.now() - begin) * 1e6) / count;
    assertWorked(worked, { mode, ...job });
    if (i >= kWarmUps || mode === 'counted') best = Math.min(best, ns);
  }
  return { ns: best, units: count };
}

function runProgram(exports, { mode, percent = 100 }) {
  exports._initialize?.();
  const begin = performance.now();
  const worked = exports.bench_work(percent);
  const ms = performance.now() - begin;
  assertWorked(worked, { mode });
  return { ms, checksum: (exports.bench_checksum() >>> 0).toString(16).padStart(8, '0') };
}

async function runCommand(exports, _job, wasi) {
  const begin = performance.now();
  try {
    exports._start();
  } catch (error) {
    if (!(error instanceof ProgramExit)) throw error;
    if (error.code !== 0)
      throw new Error(`exit ${error.code}: ${new TextDecoder().decode(wasi.output(2)).slice(-500)}`);
  }
  const ms = performance.now() - begin;
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', wasi.output(1)));
  return { ms, checksum: Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('') };
}
