// npm run bench:malloc - our heap against Emscripten's dlmalloc and emmalloc in WebAssembly, in one interleaved run.
//
// One C workload (workload.c), compiled once per allocator by the same emcc with the same flags and run in Node. The
// time of the loop without an allocator is a row of its own and is taken off before ratios are made.
//
//   --rounds n   measured rounds (9)      --pairs n   allocate+free pairs a round (2,000,000)      --json file
//   --also name  another -sMALLOC= of the emcc used (mimalloc); with another $EMCC build the heap by it first

import { join } from 'node:path';
import { archive, compile, emccVersion, instantiate, root } from '../harness/compile.mjs';
import { interleave } from '../harness/measure.mjs';
import { fixed, option, printTable, writeJson } from '../harness/report.mjs';

const rounds = Number(option('rounds', 9));
const pairs = Number(option('pairs', 2_000_000));
const also = option('also', '');

const allocators = [
  { name: 'heapglass', flags: ['-DBENCH_HEAPGLASS', archive('release')] },
  { name: 'dlmalloc', flags: ['-sMALLOC=dlmalloc'] },
  { name: 'emmalloc', flags: ['-sMALLOC=emmalloc'] },
  ...(also === '' ? [] : [{ name: also, flags: [`-sMALLOC=${also}`] }]),
  { name: 'nothing', flags: ['-DBENCH_NOTHING'] },
];
const workloads = [
  { name: 'LIFO 64 B, one at a time', run: (bench) => bench.bench_lifo_pair(pairs) },
  { name: 'LIFO 64 B, depth 1000', run: (bench) => bench.bench_lifo_depth(pairs) },
  { name: 'random 1-512 B, 10,000 live', run: (bench) => bench.bench_random_live(pairs) },
];

const source = (file) => join(root, 'tests/bench/malloc', file);
const benches = new Map();
for (const { name, flags } of allocators) {
  const bench = await instantiate(compile(`malloc-${name}`, [source('workload.c')], flags));
  if (bench.bench_setup() === 0) throw new Error(`${name}: no heap`);
  benches.set(name, bench);
}

console.log(`${emccVersion()}; Node ${process.version}; ${rounds} interleaved rounds of ${pairs} pairs, medians`);
const figures = [];
for (const workload of workloads) {
  const candidates = allocators.map(({ name }) => ({ name, run: () => workload.run(benches.get(name)) }));
  const times = interleave(candidates, { rounds, warmUps: 3 });
  const loop = times.get('nothing').ns;
  const reference = times.get('dlmalloc').ns - loop;
  for (const { name } of allocators) {
    const { ns, spread } = times.get(name);
    const own = ns - loop;
    figures.push({ workload: workload.name, allocator: name, ns, own, ratio: own / reference, spread });
  }
}
printTable(
  'ns per allocate + free; own = without the loop; ratio = own / dlmalloc own; spread = (max - min) / median',
  ['workload', 'allocator', 'ns', 'own', 'ratio', 'spread'],
  figures.map(({ workload, allocator, ns, own, ratio, spread }) =>
    allocator === 'nothing'
      ? [workload, 'loop alone', fixed(ns), '-', '-', `${fixed(spread * 100, 0)} %`]
      : [workload, allocator, fixed(ns), fixed(own), fixed(ratio), `${fixed(spread * 100, 0)} %`],
  ),
);

writeJson({ bench: 'malloc', emcc: emccVersion(), rounds, pairs, times: figures });
