// npm run bench:glass - ten million events in the engine, in Node: bytes an event all in (exact), time to load, to seek, to step
// back and to make frames at all zooms (only on a quiet machine).
//
//   --events n (10,000,000)   --live n   blocks (300,000)   --count n   of each kind (200)   --json file
//   --large MiB (1331: 1.3 GiB; 0: not)   the memory that a heap of this size takes
//   --many n (100,000; 0: not)   the frames of so many marks, heaps, pools and threads

import { spawnSync } from 'node:child_process';
import { importBundled } from '../harness/bundle.mjs';
import { median, percentile } from '../harness/measure.mjs';
import { fixed, option, printTable, writeJson } from '../harness/report.mjs';

if (globalThis.gc === undefined) {
  const again = ['--expose-gc', '--max-old-space-size=4096', ...process.argv.slice(1)];
  process.exit(spawnSync(process.execPath, again, { stdio: 'inherit' }).status ?? 1);
}

const events = Number(option('events', 10_000_000));
const live = Number(option('live', 300_000));
const { measure, measureLarge } = await importBundled('glass/glass');
// First: behind the other trace, whose memory goes back meanwhile, it would seem to take less.
const largeBytes = Number(option('large', 1331)) * 2 ** 20;
const large = largeBytes === 0 ? undefined : measureLarge(largeBytes);
const figures = await measure(events, live, Number(option('count', 200)));
const { bytesPerEvent, keyframes, loadMs, seeks, stepsBack, frames } = figures;
console.log(
  `${figures.events} events, ${live} blocks: ${fixed(bytesPerEvent, 1)} bytes an event, ${keyframes} keyframes`,
);
console.log(`loaded in ${fixed(loadMs, 0)} ms: ${fixed(figures.events / loadMs / 1000, 1)} million events a second`);
const row = (name, ms) => [name, ms.length, fixed(median(ms)), fixed(percentile(ms, 0.95)), fixed(Math.max(...ms))];
printTable(
  'the engine in Node, ms',
  ['', 'count', 'p50', 'p95', 'max'],
  [
    row('seek to a random event', seeks),
    row('step back', stepsBack),
    row('frame of the map, zooms 256 B to 8 MiB a row', frames),
    ...Object.entries(figures.numbers).map(([ask, ms]) => row(`number on the question ${ask}`, ms)),
  ],
);
const mib = (bytes) => fixed(bytes / 2 ** 20, 0);
if (large !== undefined) {
  console.log(
    `a heap of ${mib(largeBytes)} MiB with ${large.blocks} blocks, ${large.events} events: ${mib(large.bytes)} MiB of memory, ` +
      `at most ${mib(large.most)}; loaded in ${fixed(large.loadMs, 0)} ms`,
  );
}
const manyCount = Number(option('many', 100_000));
const { measureMany } = await importBundled('glass/many');
const many = manyCount === 0 ? [] : measureMany(manyCount, Number(option('count', 200)));
if (many.length > 0) {
  printTable(
    `${manyCount} of a kind: whole frames at random events, ms`,
    ['', 'events', 'p50', 'p95', 'max', 'load'],
    many.map((it) => {
      const [, , ...figures] = row('', it.frames);
      return [it.what, it.events, ...figures, fixed(it.loadMs, 0)];
    }),
  );
}
const p95 = (ms) => percentile(ms, 0.95);
writeJson({
  bench: 'glass',
  events,
  live,
  bytesPerEvent,
  keyframes,
  loadMs,
  seek: p95(seeks),
  stepBack: p95(stepsBack),
  frame: p95(frames),
  large,
  many,
});
