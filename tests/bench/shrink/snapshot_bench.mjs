// node tests/bench/shrink/snapshot_bench.mjs - a heap of 100 MB in blocks of 16 to 1,000 bytes: the size of its snapshot, milliseconds to
// take it, to restore it and to fill such a heap anew; and a reset after 1, 100 and 10,000 touched pages. Medians of 7.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { fixed, printTable } from '../harness/report.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const kBytes = 100e6;
const kPage = 4096;
const kRounds = 7;

const folder = mkdtempSync(join(tmpdir(), 'heapglass-snapshot-'));
const script = join(folder, 'heap.mjs');
await build({
  entryPoints: [join(root, 'web/src/heap/create_heap.ts')],
  bundle: true,
  format: 'esm',
  outfile: script,
  logLevel: 'error',
});
const { createHeap } = await import(pathToFileURL(script).href);
rmSync(folder, { recursive: true, force: true });
const wasm = await WebAssembly.compile(
  (await import('node:fs')).readFileSync(join(root, 'build/wasm/heapglass-release.wasm')),
);

async function filled() {
  const heap = await createHeap({ wasm });
  let [first, last, held] = [0, 0, 0];
  for (let i = 0; held < kBytes; ++i) {
    const size = 16 + ((i * 7919) % 985);
    last = heap.allocate(size);
    heap.u8.fill(1 + (i & 0x7f), last, last + size);
    first ||= last;
    held += size;
  }
  return { heap, first };
}

async function median(act) {
  const times = [];
  for (let round = 0; round < kRounds; ++round) {
    const start = performance.now();
    await act(round);
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[kRounds >>> 1];
}

const { heap, first } = await filled();
const { inUse } = heap.stats();
const rows = [['fill a heap anew', await median(filled)]];
let bytes = heap.snapshot();
rows.push(['snapshot()', await median(() => (bytes = heap.snapshot()))]);
rows.push(['createHeap({ from })', await median(() => createHeap({ from: bytes, wasm }))]);
rows.push(['checkpoint()', await median(() => heap.checkpoint())]);
rows.push(['createHeap()', await median(() => createHeap({ wasm }))]);
for (const touched of [0, 1, 100, 10_000]) {
  const times = [];
  for (let round = 0; round < kRounds; ++round) {
    for (let i = 0; i < touched; ++i) heap.u8[first + i * kPage] ^= 0x80;
    const start = performance.now();
    const written = heap.reset();
    times.push(performance.now() - start);
    if (written !== touched) throw new Error(`${written} pages were written, ${touched} touched`);
  }
  rows.push([`reset(), ${touched} pages touched`, times.sort((a, b) => a - b)[kRounds >>> 1]]);
}
printTable(
  `${fixed(inUse / 1e6, 1)} MB live in blocks of 16 to 1,000 bytes; the snapshot has ${fixed(bytes.length / inUse, 4)} of that`,
  ['', 'ms'],
  rows.map(([name, ms]) => [name, fixed(ms, 1)]),
);
