// Bundled, and run in a process of its own: node go_on.cjs <the program's script> <snapshot> <calls>. The program goes on with the
// snapshot; what its calls give is printed.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { restore } from '../../../web/src/shrink/shrink.ts';

interface Program {
  _run(calls: number, most: number): number;
}

const [script = '', snapshot = '', calls = '0'] = process.argv.slice(2);
const factory = createRequire(script)(script) as () => Promise<Program>;
factory().then((program) => {
  restore(program, readFileSync(snapshot));
  console.log(`\nfound ${program._run(Number(calls), 4096) >>> 0}`);
});
