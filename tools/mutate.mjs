// npm run mutate: mutants that a tool chooses, each judged by the tests. A mutant that no test sees is a hole in the suite.
//
//   npm run mutate -- --core --sample 40 --seed 7    the core, in C++: mutate/core.mjs has the other options
//   npm run mutate -- --web --sample 40 --seed 7     the page, the engine and the reports, in TypeScript: mutate/web.mjs

const kHalves = { core: './mutate/core.mjs', web: './mutate/web.mjs' };

const given = process.argv.slice(2);
const half = Object.keys(kHalves).find((name) => given.includes(`--${name}`));
if (half === undefined) {
  console.error('usage: npm run mutate -- --core | --web --sample N --seed S');
  process.exit(2);
}
const { main } = await import(kHalves[half]);
process.exitCode = await main(given.filter((argument) => argument !== `--${half}`));
