// npm run bench - all benches, one after the other (never at once: they would measure each other).
//
//   npm run bench -- --json folder     and their figures as folder/<name>.json

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { option } from './harness/report.mjs';

const folder = option('json', undefined);
for (const name of ['malloc', 'events', 'trace', 'frames']) {
  const script = fileURLToPath(new URL(`./${name}/${name}_bench.mjs`, import.meta.url));
  const json = folder === undefined ? [] : ['--json', join(folder, `${name}.json`)];
  console.log(`\n==== ${name}`);
  const { status } = spawnSync(process.execPath, [script, ...json], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
