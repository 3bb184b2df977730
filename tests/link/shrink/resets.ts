// A program that records itself into a file, is reset three times and shrinks. Whenever bytes are copied, its recorder is asked to take what
// waits, as the watch of a busy program asks it at any moment (record/drain_watch.ts). Given: its script.

import { createRequire } from 'node:module';
import { checkpoint, reset, shrink } from '../../../web/src/shrink/shrink.ts';

interface Program {
  _run(calls: number, most: number): number;
}
type Drains = { heapglassDrains?: readonly (() => void)[] };

const arrays = Object.getPrototypeOf(Uint8Array.prototype) as { set(...given: unknown[]): void };
const own = arrays.set;
let isInterrupted = false;
arrays.set = function (...given) {
  own.apply(this, given);
  if (isInterrupted) return;
  isInterrupted = true;
  for (const drain of (process as Drains).heapglassDrains ?? []) drain();
  isInterrupted = false;
};

const [, script = ''] = process.argv.slice(1);
const make = createRequire(script)(script) as () => Promise<Program>;
make().then(async (program) => {
  program._run(2000, 4096);
  checkpoint(program);
  for (let round = 0; round < 3; ++round) {
    program._run(6000, 4096); // more events than the ring holds: segments of the file
    reset(program);
    program._run(100, 4096);
    await shrink(program);
  }
  program._run(1000, 4096);
});
