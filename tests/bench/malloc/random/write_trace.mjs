// --trace file: runs one seed with heapglass's traced archive and writes every event, for the glass to open.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ownArchive, root } from '../../harness/compile.mjs';
import { createWasi } from '../../harness/wasi.mjs';
import { buildModule } from '../build.mjs';
import { kSources, textAt } from './program.mjs';
import { callThreads } from './run_threads.mjs';
import { buildTracedThreads } from './thread_programs.mjs';

const folder = join(root, 'tests/bench/malloc/random');
const kTracedModule = {
  name: 'random-trace',
  kind: 'program',
  sources: [...kSources, 'trace_hooks.cpp'].map((file) => join(folder, file)),
  flags: [
    '-DBENCH_TRACE=1',
    `-I${join(root, 'core/include')}`,
    '-sERROR_ON_UNDEFINED_SYMBOLS=0', // 3.1.6 does not see that heapglass.drain is an import
    '-sWARN_ON_UNDEFINED_SYMBOLS=0',
  ],
};

const chaptersOf = (description) =>
  description
    .split('\n')
    .filter((line) => line.startsWith('phase '))
    .map((line) => line.replace(/;.*/, ''));

/**
 * Runs the program and resolves to the trace file's bytes.
 * @param {typeof import('./recorder.ts').createRecorder} createRecorder
 */
async function record(wasm, { seed, percent, used }, createRecorder) {
  const recorder = createRecorder();
  let exports;
  let drain;
  const wasi = createWasi({ memory: () => exports.memory });
  const module = await WebAssembly.compile(wasm);
  const imports = { ...wasi.imports(module), heapglass: { drain: () => drain() } };
  ({ exports } = await WebAssembly.instantiate(module, imports));
  drain = recorder.drainOf(exports.memory, exports.bench_trace_ring);
  exports.bench_trace_start();
  exports._initialize?.();
  exports.bench_random_draw(seed, percent);
  const description = textAt(exports, exports.bench_random_describe());
  if (used) exports.bench_random_use(seed);
  exports.bench_random_run();
  exports.bench_trace_end();
  drain();
  const title = `random program ${seed}${used ? ', in a used heap' : ''}`;
  return { file: recorder.file({ title, chapters: chaptersOf(description) }), events: recorder.count() };
}

/** The same of a program with threads, which keeps its events until it has ended. */
async function recordThreads(program, { seed, threads, percent, used }, createRecorder) {
  const folder = mkdtempSync(join(tmpdir(), 'random-trace-'));
  try {
    const events = join(folder, 'events');
    await callThreads(program, [seed, threads, percent, used ? 1 : 0, events]);
    const recorder = createRecorder();
    const bytes = readFileSync(events);
    recorder.append(new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)));
    const title = `random program ${seed}, ${threads} threads${used ? ', in a used heap' : ''}`;
    return { file: recorder.file({ title }), events: recorder.count() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Writes the trace of a program.
 * @param {{ seed: number, threads?: number, percent: number, used: boolean }} job
 * @returns {Promise<{ events: number, bytes: number }>}
 */
export async function writeTrace(path, job) {
  const { importBundled } = await import('../../harness/bundle.mjs');
  const { createRecorder } = await importBundled('malloc/random/recorder');
  const name = 'heapglass-trace';
  const { file, events } =
    job.threads === undefined
      ? await record(
          readFileSync(await buildModule(kTracedModule, { name, flags: [ownArchive('malloc-trace')] })),
          job,
          createRecorder,
        )
      : await recordThreads(
          await buildTracedThreads({ name, threadFlags: [ownArchive('malloc-trace-threads')] }),
          job,
          createRecorder,
        );
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, new Uint8Array(file));
  return { events, bytes: file.byteLength };
}
