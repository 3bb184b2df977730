// npm run bench - malloc against its peers (malloc/bench.mjs, which takes the options); with --all the other benches after
// it, one after the other (never at once: they would measure each other).
//
//   npm run bench -- --all --json folder     the figures of all as folder/<name>.json

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { option } from './harness/report.mjs';

const script = (path) => fileURLToPath(new URL(path, import.meta.url));
const run = (path, words) => {
  const { status } = spawnSync(process.execPath, [script(path), ...words], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
};

if (process.argv.includes('--all')) {
  const folder = option('json', undefined);
  for (const name of ['malloc', 'events', 'trace', 'frames']) {
    console.log(`\n==== ${name}`);
    const json = folder === undefined ? [] : ['--json', join(folder, `${name}.json`)];
    run(name === 'malloc' ? './malloc/bench.mjs' : `./${name}/${name}_bench.mjs`, json);
  }
} else {
  run('./malloc/bench.mjs', process.argv.slice(2));
}
