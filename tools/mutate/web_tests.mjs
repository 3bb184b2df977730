// Runs test files of the sandbox for web.mjs, one after the other, in a Vitest that stays: starting it anew for each mutant would take
// longer than the tests. A process of its own, because a mutant may never come to an end.
//
//   wt.1  A message names a test file and the sources that changed since the last message; the answer is whether it passed.
//   wt.2  Each test file runs in a thread that Vitest makes for it, without a second try. So no mutant stays among its modules.
//   wt.3  On a busy machine the thread may not answer in Vitest's own time: then the test file has said nothing, and runs again.

import { createVitest } from 'vitest/node';

const vitest = await createVitest('test', {
  root: process.cwd(),
  watch: false,
  retry: 0,
  isolate: true, // wt.2
  bail: 1,
  pool: 'threads',
  maxWorkers: 1,
  fileParallelism: false,
  reporters: [{}],
});
await vitest.standalone();

process.on('message', async (/** @type {{test: string, changed: string[]}} */ { test, changed }) => {
  for (const file of changed) vitest.invalidateFile(file);
  let answer = await run(test);
  for (let more = 3; answer === undefined && more > 0; --more) answer = await run(test);
  process.send?.({ passed: answer === true });
});
process.send?.({ isReady: true });

/**
 * Whether it passed; undefined: it said nothing (wt.3).
 * @param {string} test
 */
async function run(test) {
  const project = vitest.projects.find(({ name }) => name === 'tests');
  if (project === undefined) throw new Error('no project');
  vitest.state.filesMap.clear(); // else what failed in another file before is among the modules
  vitest.state.clearErrors();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([project.createSpecification(test)]);
  if (unhandledErrors.some((error) => /\[vitest-pool/.test(String(error)))) return undefined;
  return unhandledErrors.length === 0 && testModules.length === 1 && testModules.every((module) => module.ok());
}
