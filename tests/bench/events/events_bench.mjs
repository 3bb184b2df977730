// npm run bench:events - what writing an event costs: the same C workload on the release archive (no probes), on the
// trace archive with the ring off, and with the ring on in drop mode, in one interleaved run in Node.
//
//   ns per event = (ns with the ring on - ns of release) / events, per operation and over all
//
//   --rounds n   measured rounds (9)      --steps n   operations a round (1,000,000)      --json file

import { join } from 'node:path';
import { archive, compile, emccVersion, instantiate, root } from '../harness/compile.mjs';
import { interleave } from '../harness/measure.mjs';
import { fixed, option, printTable, writeJson } from '../harness/report.mjs';

const rounds = Number(option('rounds', 9));
const steps = Number(option('steps', 1_000_000));
const burstBlocks = Math.ceil(steps / 100) * 100;

const sources = ['malloc/workload.c', 'events/operations.c'].map((file) => join(root, 'tests/bench', file));
const load = async (name, variant, flags) => {
  const bench = await instantiate(
    compile(`events-${name}`, sources, ['-DBENCH_HEAPGLASS', ...flags, archive(variant)]),
  );
  if (bench.bench_setup() === 0) throw new Error(`${name}: no heap`);
  return bench;
};
const release = await load('release', 'release', []);
const traceFlags = ['-DBENCH_TRACE'];
const off = await load('off', 'trace', traceFlags);
const on = await load('on', 'trace', traceFlags);
off.bench_trace(0);
on.bench_trace(1);

// [name, function, operations in what it returns (allocate and free are two)]
const workloads = [
  ['allocate + free 64 B, one at a time', (bench) => 2 * bench.bench_lifo_pair(steps)],
  ['allocate + free 64 B, depth 1000', (bench) => 2 * bench.bench_lifo_depth(steps)],
  ['allocate + free 1-512 B, 10,000 live', (bench) => 2 * bench.bench_random_live(steps)],
  ['pool: return + take 24 B, 10,000 live', (bench) => bench.bench_pool_random(steps)],
  ['burst of 100 and its free, per block', (bench) => bench.bench_burst(burstBlocks)],
  ['expand_fwd by 16 B', (bench) => bench.bench_expand(steps)],
];

/** Events per operation of a workload, counted by the ring's own counter. */
function eventsPerOperation(run) {
  const before = on.bench_events();
  const operations = run(on);
  return ((on.bench_events() - before) >>> 0) / operations;
}

console.log(`${emccVersion()}; Node ${process.version}; ${rounds} interleaved rounds of ${steps} steps, medians`);
const figures = workloads.map(([name, run]) => {
  const times = interleave(
    [
      { name: 'release', run: () => run(release) },
      { name: 'off', run: () => run(off) },
      { name: 'on', run: () => run(on) },
    ],
    { rounds, warmUps: 3 },
  );
  const events = eventsPerOperation(run);
  const releaseNs = times.get('release').ns;
  const onNs = times.get('on').ns;
  return {
    operation: name,
    releaseNs,
    offNs: times.get('off').ns,
    onNs,
    eventsPerOperation: events,
    nsPerEvent: (onNs - releaseNs) / events,
    spread: Math.max(...[...times.values()].map(({ spread }) => spread)),
  };
});
const sum = (pick) => figures.reduce((total, figure) => total + pick(figure), 0);
const nsPerEvent = sum(({ onNs, releaseNs }) => onNs - releaseNs) / sum((figure) => figure.eventsPerOperation);

printTable(
  'ns per operation: no probes; probes with the ring off; ring on in drop mode',
  ['operation', 'release', 'off', 'on', 'events/op', 'ns/event', 'spread'],
  [
    ...figures.map((figure) => [
      figure.operation,
      fixed(figure.releaseNs),
      fixed(figure.offNs),
      fixed(figure.onNs),
      fixed(figure.eventsPerOperation),
      fixed(figure.nsPerEvent),
      `${fixed(figure.spread * 100, 0)} %`,
    ]),
    ['all, each operation once', '', '', '', '', fixed(nsPerEvent), ''],
  ],
);
writeJson({ bench: 'events', emcc: emccVersion(), rounds, steps, operations: figures, nsPerEvent });
