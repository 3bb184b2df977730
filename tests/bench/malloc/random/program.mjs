// The module of the random programs, and what the loader asks of one instance. No Node API: a page could load it too.

import { createWasi } from '../../harness/wasi.mjs';

export const kSources = ['random_program.cpp', 'grammar.cpp', 'size_law.cpp', 'describe.cpp', 'threads_grammar.cpp'];
const kPage = 65536;
const kDefaultHeap = 16 << 20;
const kGrowthStep = 20;

/**
 * A fresh instance with the program of a seed; `percent` of its length and live bytes.
 * @returns {Promise<any>} its exports
 */
export async function open(module, { seed, percent = 100 }) {
  let exports;
  const wasi = createWasi({ memory: () => exports.memory });
  ({ exports } = new WebAssembly.Instance(module, wasi.imports(module)));
  exports._initialize?.();
  exports.bench_random_draw(seed, percent);
  return exports;
}

/** Words that the module wrote, up to their 0. */
export function textAt(exports, at) {
  const bytes = new Uint8Array(exports.memory.buffer, at);
  return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}

function saying(exports, work) {
  try {
    return work();
  } catch (error) {
    throw new Error(`${textAt(exports, exports.bench_random_failure()) || 'a trap'} (${error.message})`);
  }
}

const wallMs = () => performance.now();

/**
 * Runs one program in an instance of its own.
 * @param {{ seed: number, mode: 'time' | 'memory', used?: boolean, percent?: number }} job time: memory begins with
 *   16 MiB and grows by a fifth, as Emscripten's default is; memory: it begins with 128 KiB and grows by what is
 *   asked
 * @param {() => number} [nowMs] the clock
 * @returns {Promise<{ seed: number, ms: number, bytes: number, usedBytes: number, live: number, checksum: number }>}
 *   bytes: memory's last size less __heap_base; usedBytes: the same before the program; live: the peak as requested
 */
export async function runSeed(module, job, nowMs = wallMs) {
  const exports = await open(module, job);
  const base = exports.__heap_base.value;
  const heapBytes = () => exports.memory.buffer.byteLength - base;
  if (job.mode === 'time') {
    exports.bench_set_growth_step(kGrowthStep);
    const missing = Math.ceil((kDefaultHeap - heapBytes()) / kPage);
    if (missing > 0) exports.memory.grow(missing);
  }
  if (job.used) saying(exports, () => exports.bench_random_use(job.seed));
  const usedBytes = heapBytes();
  const begin = nowMs();
  const checksum = saying(exports, () => exports.bench_random_run()) >>> 0;
  const ms = nowMs() - begin;
  return { seed: job.seed, ms, bytes: heapBytes(), usedBytes, live: exports.bench_random_peak(), checksum };
}
