// npm run bench:convert - how long `heapglass convert` takes for a million events, to each format and from lists of operations: the
// clock from the start of its process to its end. Build the package first (npm run build:package).
//
//   --events n   of the trace, and about as many from the lists (1,000,000)      --rounds n (3)      --json file

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importBundled } from '../harness/bundle.mjs';
import { root } from '../harness/compile.mjs';
import { median } from '../harness/measure.mjs';
import { fixed, option, printTable, writeJson } from '../harness/report.mjs';

const kGoalSeconds = 3;
const kEventsAnOperation = 4; // of the lists below, nearly
const kLive = 1000;

const events = Number(option('events', 1_000_000));
const rounds = Number(option('rounds', 3));
const command = join(root, 'dist/bin/heapglass.mjs');
const folder = join(root, 'build/bench/convert');
mkdirSync(folder, { recursive: true });
const { countEvents, kWritten, makeTrace } = await importBundled('trace/convert_time');

const trace = join(folder, 'random.hgtrace');
writeFileSync(trace, new Uint8Array(await makeTrace(join(root, 'build/wasm/heapglass-trace.wasm'), events)));

/** Blocks of 1 to 4,096 bytes, a thousand of them living: each operation of a list as `line` writes it. */
function operations(line) {
  const lines = [];
  let state = 1;
  for (let id = 0; lines.length < events / kEventsAnOperation; ++id) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    if (id >= kLive) lines.push(line('f', id - kLive));
    lines.push(line('a', id, 1 + (state >>> 20)));
  }
  return lines;
}

const rep = join(folder, 'random.rep');
const csv = join(folder, 'random.csv');
writeFileSync(rep, `${operations((op, id, size) => (op === 'a' ? `a ${id} ${size}` : `f ${id}`)).join('\n')}\n`);
writeFileSync(csv, `op,id,size\n${operations((op, id, size = '') => `${op},${id},${size}`).join('\n')}\n`);

function convert(from, to) {
  const seconds = Array.from({ length: rounds }, () => {
    const begin = process.hrtime.bigint();
    execFileSync(process.execPath, [command, 'convert', from, to], { stdio: 'pipe' });
    return Number(process.hrtime.bigint() - begin) / 1e9;
  });
  return median(seconds);
}

const rows = [];
for (const { name, extension } of kWritten) {
  const to = join(folder, `converted${extension}`);
  rows.push({ way: `to ${name}`, events, seconds: convert(trace, to), bytes: statSync(to).size });
}
for (const [name, from] of Object.entries({ rep, csv })) {
  const to = join(folder, 'imported.hgtrace');
  const seconds = convert(from, to);
  rows.push({ way: `from ${name}`, events: countEvents(readFileSync(to)), seconds, bytes: statSync(to).size });
}
const perMillion = ({ seconds, events: count }) => (seconds * 1e6) / count;
printTable(
  `heapglass convert, wall clock, median of ${rounds}; the goal is ${kGoalSeconds} s a million events`,
  ['', 'events', 's', 's a million', 'bytes', ''],
  rows.map((row) => [
    row.way,
    row.events,
    fixed(row.seconds),
    fixed(perMillion(row)),
    row.bytes,
    perMillion(row) <= kGoalSeconds ? '' : 'over the goal',
  ]),
);
writeJson({ bench: 'convert', rounds, rows });
