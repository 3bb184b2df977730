// npm run bench:fast-path - how far malloc and free are from what is possible.
//
//   instructions   of the fast path, read from the module that the linker wrote: the function's first straight way to a return
//   time           of a pair of calls, beside an intrusive list of one size behind two calls (runtime/limit.c), and the empty loop

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import createWabt from 'wabt';
import { buildOwnArchives, callEmcc, emccVersion, ownArchive, root } from '../harness/compile.mjs';
import { median } from '../harness/measure.mjs';
import { machine } from '../harness/report.mjs';
import { buildModule } from './build.mjs';
import { compileObject } from './objects.mjs';
import { engine, runInProcess } from './run.mjs';
import { prepareWorkloads } from './workloads.mjs';

const here = (file) => join(root, 'tests/bench/malloc', file);
const kRounds = 7;
const kNoInstruction = /^(\(|end|block|loop|else|$)/; // structure, locals and comments cost nothing

/** Instructions from the beginning of a function to its first return, by kind. */
export function straightPath(text, name) {
  const lines = text.split('\n').map((line) => line.trim().replace(/\)+$/, ''));
  const begin = lines.findIndex((line) => line.startsWith('(func') && line.includes(`$${name} `));
  if (begin < 0) throw new Error(`the module has no function ${name}`);
  const end = lines.findIndex((line, at) => at > begin && line === 'return');
  const instructions = lines.slice(begin + 1, end + 1).filter((line) => !kNoInstruction.test(line));
  const count = (pattern) => instructions.filter((line) => pattern.test(line)).length;
  return {
    opcodes: instructions.length,
    locals: count(/^local\./),
    constants: count(/const/),
    loads: count(/\.load/),
    stores: count(/\.store/),
    branches: count(/^(br_if|if)\b/),
  };
}

/** Of malloc and free, linked with the archive. */
export async function readFastPath(archive, threads) {
  const out = join(root, 'build/bench/fast_path');
  mkdirSync(out, { recursive: true });
  const wasm = join(out, `${threads ? 'threads' : 'single'}.wasm`);
  const flags = threads ? ['-pthread', '-Wno-pthreads-mem-growth'] : [];
  const words = [
    '-O3',
    '-fno-builtin',
    '-DBENCH_FAMILY',
    here('full_set.c'),
    archive,
    '--no-entry',
    '--profiling-funcs',
    '-sEXPORTED_FUNCTIONS=_hg_malloc,_hg_free', // else they are inlined into the only function that calls them
  ];
  await callEmcc([...words, ...flags, '-sALLOW_MEMORY_GROWTH', '-o', wasm.replace(/wasm$/, 'js')], 'fast path');
  const wabt = await createWabt();
  const module = wabt.readWasm(readFileSync(wasm), { readDebugNames: true, threads: true });
  const text = module.toText({ foldExprs: false, inlineExport: false });
  return Object.fromEntries(['hg_malloc', 'hg_free'].map((name) => [name, straightPath(text, name)]));
}

async function timePairs() {
  const limit = await compileObject(here('runtime/limit.c'), ['-O3', '-fno-builtin']);
  const allocators = [
    { name: 'limit', flags: [limit] },
    { name: 'heapglass', flags: [ownArchive('malloc-fast')] },
    { name: 'dlmalloc', flags: ['-sMALLOC=dlmalloc'] },
  ];
  const workloads = await prepareWorkloads(/^(pair-64|empty loop \(pairs\))$/, 'fresh');
  const times = new Map();
  for (let round = 0; round < kRounds; ++round) {
    for (const workload of workloads) {
      for (const allocator of allocators) {
        const { kind } = workload.module;
        const wasm = await buildModule(workload.module, allocator);
        const { ns } = await runInProcess({ kind, call: workload.call, percent: 100, wasm, mode: 'time' });
        const key = `${workload.name}, ${allocator.name}`;
        times.set(key, [...(times.get(key) ?? []), ns]);
      }
    }
  }
  return Object.fromEntries([...times].map(([key, of]) => [key, `${median(of).toFixed(2)} ns`]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  buildOwnArchives();
  console.log(`${machine().processor}; ${engine()}; ${emccVersion()}`);
  console.table(await readFastPath(ownArchive('malloc-fast'), false));
  console.log('with threads:');
  console.table(await readFastPath(ownArchive('malloc-fast-threads'), true));
  console.table(await timePairs());
}
