// npm run bench:trace - a trace of a million events in the engine, in Node: time to open it per 100,000 events, and to
// go to random moments, with and without making the map of the whole heap there.
//
//   --events n   in the trace (1,000,000)      --seeks n   of each kind (500)      --rounds n   openings (5)      --json file

import { join } from 'node:path';
import { importBundled } from '../harness/bundle.mjs';
import { root } from '../harness/compile.mjs';
import { median, percentile } from '../harness/measure.mjs';
import { fixed, option, printTable, writeJson } from '../harness/report.mjs';

const events = Number(option('events', 1_000_000));
const count = Number(option('seeks', 500));
const rounds = Number(option('rounds', 5));

const { makeTrace } = await importBundled('trace/make_trace');
const { open, seeks } = await importBundled('trace/open_and_seek');
const file = await makeTrace(join(root, 'build/wasm/heapglass-trace.wasm'), events);

const openings = [];
let engine;
for (let round = 0; round < rounds; ++round) {
  const opened = await open(file);
  openings.push(opened.ms);
  engine = opened.engine;
}
const stateOnly = await seeks(engine, events, count, false);
const withMap = await seeks(engine, events, count, true);

const perPart = openings.map((ms) => (ms * 100_000) / events);
const row = (name, values) => [
  name,
  values.length,
  fixed(median(values)),
  fixed(percentile(values, 0.95)),
  fixed(Math.max(...values)),
];
console.log(`${events} events, ${(file.byteLength / 2 ** 20).toFixed(1)} MiB; Node ${process.version}`);
printTable(
  'the engine in Node, ms',
  ['', 'count', 'p50', 'p95', 'max'],
  [
    row('open, per 100,000 events (first is cold)', perPart),
    row('seek to a random event', stateOnly),
    row('seek and map of the whole heap', withMap),
  ],
);
const figures = (values) => ({ p50: median(values), p95: percentile(values, 0.95), max: Math.max(...values) });
writeJson({
  bench: 'trace',
  events,
  openPer100k: { first: perPart[0], ...figures(perPart) },
  seek: figures(stateOnly),
  seekWithMap: figures(withMap),
});
