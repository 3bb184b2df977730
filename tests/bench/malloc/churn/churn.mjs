// npm run bench:churn - a day of churn: how densely what lives lies on pages, hour by hour, under several allocators. Five kinds of programs,
// 10^8 operations together; in each hour as much lives as its load says, and at its end nine tenths go (churn.c).
//
//   --operations n     instead of 100,000,000
//   --allocators a,b   instead of heapglass,dlmalloc,emmalloc,mimalloc3; name=file.a is one of your own
//   --trim             calls malloc_trim(0) in each lull, where the allocator has it
//   --hours            prints each lull, too
//   --json file
//
//   work, lull   live pages of 4 KiB / live bytes: mean over the hours, at work and in the lulls. 1 would be perfect
//   chance       the lulls as they would be if chance alone had chosen what went, of the pages as they were at work
//   64 KiB       the same of wasm's pages, in the lulls
//   back         share of the heap that could go back in the lulls, in pages of 64 KiB without a block: mean, and of the last
//   visited      free chunks with a whole page of 4 KiB inside, in the lull with the most: a question for what could go back visits these
//   heap         of memory at the end, MB; ns for each operation, on whatever machine this is

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { emccRelease, root } from '../../harness/compile.mjs';
import { fixed, option, printTable, writeJson } from '../../harness/report.mjs';
import { createWasi } from '../../harness/wasi.mjs';
import { prepareAllocators } from '../allocators.mjs';
import { buildModule } from '../build.mjs';

const kKinds = ['server', 'cache', 'editor', 'game', 'compiler'];
const kHours = 24;
const kMostLive = 40e6;
const kSeed = 20261125;
const kPage = 4096;
const kWasmPage = 65_536;
const kExported = ['begin', 'hour', 'lull', 'trim', 'live', 'pages', 'chance', 'visited'].map(
  (name) => `-Wl,--export=churn_${name}`,
);
const script = fileURLToPath(import.meta.url);

/** Between a fifth and all of it: a morning, an evening. */
const loadAt = (hour) => kMostLive * (0.6 - 0.4 * Math.cos((2 * Math.PI * hour) / kHours));

async function runDay(wasm, kind, operations, trims) {
  let exports;
  const wasi = createWasi({ args: [], memory: () => exports.memory });
  const module = await WebAssembly.compile(readFileSync(wasm));
  ({ exports } = await WebAssembly.instantiate(module, wasi.imports(module)));
  exports._initialize?.();
  exports.churn_begin(kKinds.indexOf(kind), kSeed);
  const base = exports.__heap_base.value;
  const heap = () => exports.memory.buffer.byteLength - base;
  const density = (bits) => (exports.churn_pages(bits) * 2 ** bits) / exports.churn_live();
  const hours = [];
  let done = 0;
  let ms = 0;
  for (let hour = 0; hour < kHours; ++hour) {
    const part = Math.floor(operations / kHours);
    let began = performance.now();
    exports.churn_hour(part, loadAt(hour));
    ms += performance.now() - began;
    const work = density(12);
    const chance = exports.churn_chance() * kPage;
    began = performance.now();
    const went = exports.churn_lull();
    if (trims) exports.churn_trim();
    ms += performance.now() - began;
    done += part + went;
    const back = 1 - (exports.churn_pages(16) * kWasmPage) / heap();
    hours.push({
      work,
      lull: density(12),
      visited: exports.churn_visited(),
      chance: chance / exports.churn_live(),
      wasm: density(16),
      back,
      live: exports.churn_live(),
    });
  }
  return { hours, heap: heap(), ns: (ms * 1e6) / done };
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

async function main() {
  const operations = Number(option('operations') ?? 1e8);
  const wanted = (option('allocators') ?? 'heapglass,dlmalloc,emmalloc,mimalloc3').split(',');
  const allocators = await prepareAllocators(wanted, { release: emccRelease() });
  const trims = process.argv.includes('--trim');
  const rows = [];
  const module = {
    name: 'churn',
    kind: 'micro',
    sources: [join(root, 'tests/bench/malloc/churn/churn.c')],
    flags: [],
  };
  const built = [];
  for (const allocator of allocators) {
    const exported = { ...allocator, flags: [...allocator.flags, ...kExported] };
    built.push({ name: allocator.name, wasm: await buildModule(module, exported) });
  }
  for (const kind of kKinds) {
    for (const { name, wasm } of built) {
      const job = JSON.stringify({ wasm, kind, operations: operations / kKinds.length, trims });
      const { stdout } = await promisify(execFile)('nice', ['-n', '10', process.execPath, script, '--one', job]);
      rows.push({ kind, name, ...JSON.parse(stdout) });
    }
  }
  printTable(
    `A day of churn, ${operations.toLocaleString('en')} operations; pages of ${kPage} bytes / live bytes`,
    ['program', 'allocator', 'work', 'lull', 'chance', '64 KiB', 'back', 'last', 'visited', 'heap MB', 'ns'],
    rows.map(({ kind, name, hours, heap, ns }) => [
      kind,
      name,
      ...['work', 'lull', 'chance', 'wasm'].map((what) => fixed(mean(hours.map((hour) => hour[what])), 2)),
      ...[mean(hours.map(({ back }) => back)), hours.at(-1).back].map((share) => `${fixed(100 * share, 0)} %`),
      Math.max(...hours.map(({ visited }) => visited)),
      fixed(heap / 1e6, 1),
      fixed(ns, 0),
    ]),
  );
  if (process.argv.includes('--hours')) {
    for (const { kind, name, hours } of rows)
      console.log(`${kind}, ${name}, lulls: ${hours.map(({ lull }) => fixed(lull, 2)).join(' ')}`);
  }
  writeJson({ bench: 'churn', operations, rows });
}

const one = process.argv.indexOf('--one');
if (one < 0) await main();
else {
  const { wasm, kind, operations, trims } = JSON.parse(process.argv[one + 1]);
  console.log(JSON.stringify(await runDay(wasm, kind, operations, trims)));
}
