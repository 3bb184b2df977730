// npm run bench:trace-size - what a trace of a real program takes: bytes an event, processor time to pack and open it, and to
// convert it to each format. Programs are their recorded streams (npm run bench -- --only stream makes them).
//
//   --events n   of each program at most (1,000,000)     --streams folder (build/bench/streams)     --json file

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importBundled } from '../harness/bundle.mjs';
import { root } from '../harness/compile.mjs';
import { fixed, option, printTable, writeJson } from '../harness/report.mjs';

const kPrograms = ['sqlite', 'lua', 'quickjs', 'tree_sitter', 'zlib'];
const events = Number(option('events', 1_000_000));
const folder = option('streams', join(root, 'build/bench/streams'));
const { measure } = await importBundled('trace/trace_size');
const wasm = new Uint8Array(readFileSync(join(root, 'build/wasm/heapglass-trace.wasm')));

const rows = new Map();
for (const name of kPrograms) {
  const path = join(folder, `${name}.stream`);
  if (!existsSync(path)) {
    console.log(`${name} is left out: ${path} is not there (npm run bench -- --only stream)`);
    continue;
  }
  const bytes = readFileSync(path);
  const words = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  rows.set(name, await measure(wasm, words, events));
}

const perEvent = (bytes, { events: count }) => fixed(bytes / count);
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
