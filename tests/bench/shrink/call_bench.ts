// What call_bench.mjs measures, in a process of its own: nanoseconds for each call of a linked program, as its JavaScript calls it.

import { createRequire } from 'node:module';

interface Program {
  _nothing(): void;
  _add(a: number, b: number): number;
  _block(size: number): number;
  _work(loops: number): number;
}

const kRounds = 300; // of a millisecond or less: some of them are not disturbed
const [script = ''] = process.argv.slice(2);
const start = createRequire(script)(script) as () => Promise<Program>;

/** Of the fastest round: the others were disturbed. */
function nanoseconds(calls: number, act: (i: number) => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < kRounds; ++round) {
    const began = process.hrtime.bigint();
    for (let i = 0; i < calls; ++i) act(i);
    least = Math.min(least, Number(process.hrtime.bigint() - began) / calls);
  }
  return least;
}

start().then((program) => {
  let sum = 0;
  const found = {
    'nothing()': nanoseconds(2e5, () => program._nothing()),
    'add(a, b)': nanoseconds(1e5, (i) => {
      sum += program._add(i, 1);
    }),
    'malloc and free': nanoseconds(1e5, (i) => {
      sum += program._block(16 + (i & 511));
    }),
    '100 steps of work': nanoseconds(5000, () => {
      sum += program._work(100);
    }),
    '1,000 steps of work': nanoseconds(800, () => {
      sum += program._work(1000);
    }),
    '10,000 steps of work': nanoseconds(80, () => {
      sum += program._work(10_000);
    }),
  };
  console.log(`\n${JSON.stringify({ found, sum })}`);
});
