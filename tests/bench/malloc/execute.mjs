// Runs one module once. No Node and no DOM: run.mjs calls it in a process of its own, browser_worker.mjs in a worker.
//
//   E1  time: memory is raised to 16 MiB beyond the heap's base first and grows by a fifth at least, as Emscripten's
//       default is; with `growth` it is not raised, and grows by what is asked and by so many percent at least. A micro row is the best of nine calls after three (the engine compiles what is hot meanwhile); a
//       program runs once, from cold, as programs do.
//   E2  footprint: memory begins 128 KiB above the heap's base and grows by what is asked; the figure is its last size.
//   E3  counted: the module that counts calls and live bytes; recorded: the same, which also hands out the calls.
//   E4  A row in a used heap begins with bench_use_heap, which is not timed; its calls do not count, its live bytes do.
//       It also compiles the allocator, so a program in a used heap does not begin from cold.
//   E5  A stream is fed to the module a chunk at a time, and only the calls are timed. A short one is carried out again
//       until a million operations are made, in the same instance, and ms is that of one time; what is live at its end
//       is freed in between, untimed.

import { createWasi, ProgramExit } from '../harness/wasi.mjs';

const kPage = 65536;
const kDefaultHeap = 16 << 20;
const kGrowthStep = 20;
const kWarmUps = 3;
const kCalls = 9;
const kUsedSeed = 0x51ed270b;
const kStreamOperations = 1_000_000;
const kOperationBytes = 8;

/**
 * @typedef {{ mode: 'time' | 'footprint' | 'counted' | 'recorded',
 *   kind: 'micro' | 'program' | 'command' | 'stream', call?: number[], used?: boolean, percent?: number,
 *   args?: string[], growth?: number }} Job
 * @param {BufferSource} bytes
 * @param {Job} job
 * @param {Uint8Array} [stream] of kind stream
 * @returns {Promise<{ ns?: number, ms?: number, checksum?: string, heapBytes: number, peak?: number,
 *   allocations?: number, units?: number, recorded?: object, growths?: number }>} ns a unit, or ms a run; heapBytes:
 *   memory's last size less __heap_base; growths: how often it grew
 */
export async function execute(bytes, job, stream) {
  let exports;
  const wasi = createWasi({ args: job.args, memory: () => exports.memory });
  const module = new WebAssembly.Module(bytes);
  ({ exports } = new WebAssembly.Instance(module, wasi.imports(module)));
  const base = exports.__heap_base.value;
  if (job.mode === 'time') {
    exports.bench_set_growth_step(job.growth ?? kGrowthStep);
    const begun = job.growth === undefined ? kDefaultHeap : 0;
    const missing = Math.ceil((base + begun - exports.memory.buffer.byteLength) / kPage);
    if (missing > 0) exports.memory.grow(missing);
  }
  if (job.kind !== 'command') exports._initialize?.();
  if (job.used) assertWorked(exports.bench_use_heap(kUsedSeed), job);
  const allocationsBefore = exports.bench_allocations?.() ?? 0;
  const run = { micro: runMicro, program: runProgram, command: runCommand, stream: runStream }[job.kind];
  const figures = await run(exports, job, { wasi, stream });
  const heapBytes = exports.memory.buffer.byteLength - base;
  const growths = exports.bench_growths();
  if (job.mode === 'time' || job.mode === 'footprint') return { ...figures, heapBytes, growths };
  const allocations = exports.bench_allocations() - allocationsBefore;
  const counted = { ...figures, heapBytes, peak: exports.bench_live_peak(), allocations };
  return job.mode === 'recorded' ? { ...counted, recorded: recordedBy(exports) } : counted;
}

function assertWorked(worked, job) {
  if (worked === 0) throw new Error(`${job.mode}: memory ran out, or a block did not hold what was written to it`);
}

/** The operations that the counted build kept (runtime/record.c). */
function recordedBy(exports) {
  const count = exports.bench_stream_operations();
  const operations = new Uint8Array(exports.memory.buffer, exports.bench_stream(), count * kOperationBytes).slice();
  return { operations, count, blocks: exports.bench_stream_blocks(), whole: exports.bench_stream_is_whole() !== 0 };
}

function runMicro(exports, { mode, call, percent = 100, ...job }) {
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
  const begin = performance.now();
  const worked = exports.bench_work(percent);
  const ms = performance.now() - begin;
  assertWorked(worked, { mode });
  return { ms, checksum: (exports.bench_checksum() >>> 0).toString(16).padStart(8, '0') };
}

async function runCommand(exports, _job, { wasi }) {
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

function runStream(exports, { mode, percent = 100 }, { stream }) {
  const operations = Math.ceil((stream.length / kOperationBytes) * (percent / 100));
  const times = mode === 'time' ? Math.ceil((kStreamOperations * percent) / 100 / operations) : 1;
  let ms = 0;
  for (let i = 0; i < times; ++i) {
    if (i > 0) assertWorked(exports.bench_end_stream(), { mode });
    ms += replay(exports, stream.subarray(0, operations * kOperationBytes), mode);
  }
  return { ms: ms / times, units: countTaken(stream, operations) };
}

/** ms of the calls. */
function replay(exports, stream, mode) {
  const chunkBytes = exports.bench_stream_chunk_operations() * kOperationBytes;
  let ms = 0;
  for (let at = 0; at < stream.length; at += chunkBytes) {
    const chunk = stream.subarray(at, at + chunkBytes);
    new Uint8Array(exports.memory.buffer, exports.bench_stream_chunk()).set(chunk); // anew: growth detaches it
    const begin = performance.now();
    const worked = exports.bench_replay(chunk.length / kOperationBytes);
    ms += performance.now() - begin;
    assertWorked(worked, { mode });
  }
  return ms;
}

/** How many blocks the operations take: kinds malloc, calloc and aligned of programs/replay/stream.h. */
function countTaken(stream, operations) {
  const words = new DataView(stream.buffer, stream.byteOffset);
  let count = 0;
  for (let i = 0; i < operations; ++i) if ((words.getUint32(i * kOperationBytes, true) & 7) <= 2) ++count;
  return count;
}
