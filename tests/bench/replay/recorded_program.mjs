// A real program of the malloc bench, linked with the profile trace and run: its trace, and the operations in it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { archive, root } from '../harness/compile.mjs';
import { createWasi, ProgramExit } from '../harness/wasi.mjs';
import { buildModule } from '../malloc/build.mjs';
import { compileObject } from '../malloc/objects.mjs';

const kHooks = join(root, 'tests/bench/malloc/random/trace_hooks.cpp');
const kLate = [
  '-sERROR_ON_UNDEFINED_SYMBOLS=0', // 3.1.6 does not see that heapglass.drain is an import
  '-sWARN_ON_UNDEFINED_SYMBOLS=0',
];

/** @param {typeof import('../malloc/random/recorder.ts').createRecorder} createRecorder */
export async function recordProgram({ module, args, expected }, createRecorder) {
  const hooks = await compileObject(kHooks, ['-O3', '-std=c++20', `-I${join(root, 'core/include')}`]);
  const traced = { name: 'heapglass-trace', flags: [archive('malloc-trace'), hooks, ...kLate] };
  const compiled = await WebAssembly.compile(readFileSync(await buildModule(module, traced)));
  const recorder = createRecorder();
  let exports;
  let drain;
  const wasi = createWasi({ args, memory: () => exports.memory });
  const imports = { ...wasi.imports(compiled), heapglass: { drain: () => drain() } };
  ({ exports } = await WebAssembly.instantiate(compiled, imports));
  drain = recorder.drainOf(exports.memory, exports.bench_trace_ring);
  exports.bench_trace_start();
  try {
    exports._start();
  } catch (error) {
    if (!(error instanceof ProgramExit) || error.code !== 0) throw error;
  }
  exports.bench_trace_end();
  drain();
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', wasi.output(1)));
  const output = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (output !== expected) throw new Error(`${module.name}: its output is not the known one`);
  return recorder;
}
