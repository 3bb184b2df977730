// A program that records itself into a file, and is reset three times. Given: its script.

import { createRequire } from 'node:module';
import { checkpoint, reset } from '../../../web/src/shrink/shrink.ts';

interface Program {
  _run(calls: number, most: number): number;
}

const [, script = ''] = process.argv.slice(1);
const make = createRequire(script)(script) as () => Promise<Program>;
make().then((program) => {
  program._run(2000, 4096);
  checkpoint(program);
  for (let round = 0; round < 3; ++round) {
    program._run(6000, 4096); // more events than the ring holds: segments of the file
    reset(program);
  }
  program._run(1000, 4096);
});
