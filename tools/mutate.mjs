// npm run mutate: mutants that a tool chooses, each judged by the tests. A mutant that no test sees is a hole in the suite.
//
//   npm run mutate -- --core --sample 40 --seed 7    the core, in C++: mutate/core.mjs has the other options
//   npm run mutate -- --web --sample 40 --seed 7     the page, the engine and the reports, in TypeScript: mutate/web.mjs

import { existsSync } from 'node:fs';

const kHalves = ['core', 'web'];

const given = process.argv.slice(2);
const half = kHalves.find((name) => given.includes(`--${name}`));
const place = new URL(`mutate/${half}.mjs`, import.meta.url);
if (half === undefined || !existsSync(place)) {
  const why = half === undefined ? '' : `tools/mutate/${half}.mjs does not exist yet\n`;
  console.error(`${why}usage: npm run mutate -- --core | --web --sample N --seed S`);
  process.exit(2);
}
const { main } = await import(place.href);
process.exitCode = await main(given.filter((argument) => argument !== `--${half}`));
