// npm run bench:trace-size - what a trace of a real program takes: bytes an event, processor time to pack and open it, and to
// convert it to each format. Programs are their recorded streams (npm run bench -- --only stream makes them).
//
//   --events n   of each program at most (1,000,000)     --streams folder (build/bench/streams)     --json file
//   --lengths    instead: bytes an event of traces of 1,000, 100,000 and 20,000,000 events, or as many as the program has, and
//                what is wanted of them

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importBundled } from '../harness/bundle.mjs';
import { root } from '../harness/compile.mjs';
import { fixed, option, printTable, writeJson } from '../harness/report.mjs';

const kPrograms = ['sqlite', 'lua', 'quickjs', 'tree_sitter', 'zlib'];
/** No coding was chosen by these. */
const kOthers = ['expat', 'freetype', 'oniguruma', 'webp', 'yaml', 'yyjson'];
const events = Number(option('events', 1_000_000));
const folder = option('streams', join(root, 'build/bench/streams'));
const { measure, measureSize } = await importBundled('trace/trace_size');
const wasm = new Uint8Array(readFileSync(join(root, 'build/wasm/heapglass-trace.wasm')));

const perEvent = (bytes, { events: count }) => fixed(bytes / count);

/** Events, and bytes an event that are wanted of a trace of so many. */
const kLengths = [
  [1000, 4],
  [100_000, 3],
  [20_000_000, 2.5],
];

function streams() {
  const found = new Map();
  for (const name of [...kPrograms, ...kOthers]) {
    const path = join(folder, `${name}.stream`);
    if (!existsSync(path)) {
      console.log(`${name} is left out: ${path} is not there (npm run bench -- --only stream)`);
      continue;
    }
    const bytes = readFileSync(path);
    found.set(name, new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)));
  }
  return found;
}

async function measureLengths() {
  const rows = [];
  for (const [name, words] of streams()) {
    for (const [length, most] of kLengths) {
      const { events: count, packedBytes } = await measureSize(wasm, words, length);
      const isWithin = packedBytes / count <= most;
      rows.push([
        name,
        count,
        packedBytes,
        perEvent(packedBytes, { events: count }),
        isWithin ? most : `${most}: exceeded`,
      ]);
    }
  }
  printTable('bytes an event, by length', ['', 'events', 'bytes', 'bytes an event', 'at most'], rows);
}

async function measureAll() {
  const rows = new Map();
  for (const [name, words] of streams()) rows.set(name, await measure(wasm, words, events));
  const perMillion = (ms, { events: count }) => fixed((ms * (1e6 / count)) / 1000);
  printTable(
    'a trace file',
    ['', 'operations', 'events', 'bytes an event', 'plain', 'pack, s a million', 'open, s a million'],
    [...rows].map(([name, sizes]) => [
      name,
      sizes.operations,
      sizes.events,
      perEvent(sizes.packedBytes, sizes),
      perEvent(sizes.plainBytes, sizes),
      perMillion(sizes.packMs, sizes),
      perMillion(sizes.openMs, sizes),
    ]),
  );
  const formats = Object.keys([...rows.values()][0]?.convertMs ?? {});
  printTable(
    'to convert a million events, s',
    ['', ...formats],
    [...rows].map(([name, sizes]) => [name, ...formats.map((format) => perMillion(sizes.convertMs[format], sizes))]),
  );
  writeJson({ bench: 'trace-size', programs: Object.fromEntries(rows) });
}

await (process.argv.includes('--lengths') ? measureLengths() : measureAll());
