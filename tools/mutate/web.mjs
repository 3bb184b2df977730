// npm run mutate -- --web: draws mutants of the web half, runs the tests nearest to each, and reports by folder which ones no test noticed.
//
//   --sample n    so many mutants (60)        --seed s    which ones (a new one each time, printed)
//   --folder name of this folder of web/src only; may be said again      --file text    of files with this text in their path only
//   --line n      of this line only           --tests n   so many test files for a mutant (12; wn.3)
//   --far n      what these leave is asked of so many files more, the nearest of those that link programs or open browsers (0)
//   --without t   no tests with this text in their path; may be said again: those that take a minute keep a sample from its end
//   --all         all mutants instead of a sample             --list         only says which there are
//   --unchecked   without TypeScript: for a look at one file, not for a score (web.1)
//
//   web.1  A mutant that TypeScript refuses does not count: the build would have caught it.
//   web.2  A test counts only if it passes without a mutant, which is tried when it first fails with one: most never do. One that does not pass is
//          reported, and the exit code is 1.
//   web.3  A mutant that makes a test take far longer than before timed out. It counts as noticed, and is named apart. That happens twice,
//          and between the two the test passes in its time without the mutant: a machine that stood still has found nothing.
//   web.4  The quickest of the four nearest tests runs first: most mutants fall to any of them. The others run for what these leave.
//
// Stryker's own runner for Vitest was tried (core 9.6.1, which Node 20 can run). Most suites here drive a heap while their file loads, so
// it takes every mutant that such a suite reaches for a static one (30 of 30 in query_sizes.ts) and runs all tests for it, in no order;
// and its ranges of lines cannot name one mutant of several at a place. So only its instrumenter is used.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { drawMutants, inOneLine, kFolders, listMutants, whyEquivalent } from './web_mutants.mjs';
import { nearestTests } from './web_nearest.mjs';
import { TestRunner } from './web_runner.mjs';
import { makeSandbox } from './web_sandbox.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const kTries = 4; // web.3
const kNearest = 4; // web.4
const kOutcomes = /** @type {const} */ (['killed', 'timed out', 'survived', 'no test', 'refused by types']);

const kOptions = /** @type {const} */ ({
  sample: { type: 'string' },
  seed: { type: 'string' },
  folder: { type: 'string', multiple: true },
  file: { type: 'string' },
  line: { type: 'string' },
  tests: { type: 'string' },
  far: { type: 'string' },
  without: { type: 'string', multiple: true },
  all: { type: 'boolean' },
  list: { type: 'boolean' },
  unchecked: { type: 'boolean' },
});

/** @param {string[]} args @returns {Promise<number>} the exit code */
export async function main(args) {
  const { values } = parseArgs({ args, options: kOptions });
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const folders = values.folder ?? kFolders;
  const unknown = folders.find((folder) => !existsSync(join(root, 'web/src', folder)));
  if (unknown !== undefined) throw new Error(`--folder ${unknown}: web/src has no such folder`);
  const found = (await listMutants(root, folders)).filter(
    ({ file, line }) => file.includes(values.file ?? '') && (values.line === undefined || line === Number(values.line)),
  );
  const all = found.filter((mutant) => whyEquivalent(mutant) === undefined);
  const drawn = values.all ? all : drawMutants(all, Number(values.sample ?? 60), seed);
  console.log(
    `${found.length} mutants, ${found.length - all.length} of them known to be equivalent; ${drawn.length} drawn with seed ${seed}`,
  );
  const nearest = nearestTests(root, values.without ?? []);
  if (!values.list)
    return await test(drawn, {
      seed,
      folders,
      unchecked: values.unchecked,
      testsOf: ({ file }) => [
        ...nearest.of(file, Number(values.tests ?? 12)),
        ...nearest.far(file, Number(values.far ?? 0)),
      ],
    });
  for (const mutant of drawn) console.log(lineOf(mutant));
  return 0;
}

/** @typedef {import('./web_mutants.mjs').Mutant} Mutant
 *  @param {Mutant[]} drawn
 *  @param {{ seed: number, folders: readonly string[], unchecked: boolean | undefined, testsOf: (mutant: Mutant) => string[] }} settings */
async function test(drawn, { seed, folders, unchecked, testsOf }) {
  const sandbox = makeSandbox(root, folders);
  const runner = new TestRunner(sandbox.path);
  process.on('exit', () => runner.stop()); // its process is of a group of its own, and would stay
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
  const built = unchecked ? new Set(drawn) : sandbox.thatBuild(drawn);
  console.log(`${built.size} of them build`);
  const results = [];
  for (const [nth, mutant] of drawn.entries()) {
    const result = built.has(mutant) ? await tryOne(mutant) : { outcome: 'refused by types', test: undefined };
    results.push({ ...mutant, ...result });
    if (built.has(mutant)) console.log(`${nth + 1}/${drawn.length} ${result.outcome.padEnd(9)} ${lineOf(mutant)}`);
  }
  runner.stop();
  report(results, seed, folders);
  return runner.faulty.length > 0 ? 1 : 0;

  /** @param {import('./web_mutants.mjs').Mutant} mutant */
  async function tryOne(mutant) {
    const all = testsOf(mutant);
    let nearest;
    for (const test of [...runner.quickestFirst(all.slice(0, kNearest)), ...all.slice(kNearest)]) {
      const outcome = await judged(mutant, test);
      if (outcome === 'failed' || outcome === 'timed out')
        return { outcome: outcome === 'failed' ? 'killed' : outcome, test };
      if (outcome === 'passed') nearest ??= test;
    }
    return { outcome: nearest === undefined ? 'no test' : 'survived', test: nearest };
  }

  /** web.2, web.3. undefined: the test fails without the mutant, too.
   *  @param {import('./web_mutants.mjs').Mutant} mutant @param {string} test */
  async function judged(mutant, test) {
    for (let more = kTries, inTime = false; more > 0; --more) {
      const outcome = await runPlanted(mutant, test);
      if (outcome === 'passed') return outcome;
      const wasProven = runner.isProven(test);
      if (!(await runner.proves(test))) return undefined;
      if (outcome === 'failed' || inTime) return outcome;
      inTime = !wasProven || (await runner.run(test)) === 'passed';
      console.log(`${test} took too long${inTime ? '' : ', without the mutant too'}: once more`);
    }
    throw new Error('this machine stands still too often: no test ends in its time');
  }

  /** @param {import('./web_mutants.mjs').Mutant} mutant @param {string} test */
  async function runPlanted(mutant, test) {
    const file = join(sandbox.path, mutant.file);
    sandbox.plant(mutant);
    runner.changed(file);
    const outcome = await runner.run(test);
    sandbox.takeBack(mutant);
    runner.changed(file);
    return outcome;
  }
}

/** @param {readonly (import('./web_mutants.mjs').Mutant & {outcome: string, test: string | undefined})[]} results
 *  @param {number} seed @param {readonly string[]} folders */
function report(results, seed, folders) {
  const count = (/** @type {string} */ folder, /** @type {string} */ outcome) =>
    results.filter((result) => (folder === 'all' || result.folder === folder) && result.outcome === outcome).length;
  console.log(`\n${'folder'.padEnd(12)}${kOutcomes.map((outcome) => outcome.padStart(18)).join('')}   noticed`);
  const drawnFrom = folders.filter((folder) => results.some((result) => result.folder === folder));
  for (const folder of [...drawnFrom, 'all']) {
    const counts = kOutcomes.map((outcome) => count(folder, outcome));
    const [killed = 0, timedOut = 0, survived = 0, untested = 0] = counts;
    const sum = killed + timedOut + survived + untested;
    const share = sum === 0 ? '' : `${(((killed + timedOut) / sum) * 100).toFixed(1)} %`;
    console.log(`${folder.padEnd(12)}${counts.map((n) => String(n).padStart(18)).join('')}${share.padStart(10)}`);
  }
  for (const outcome of ['survived', 'no test', 'timed out']) {
    const those = results.filter((result) => result.outcome === outcome);
    if (those.length > 0) console.log(`\n${outcome}:`);
    for (const result of those) console.log(`  ${lineOf(result)}${result.test ? `\n      ${result.test}` : ''}`);
  }
  mkdirSync(join(root, 'build/mutate'), { recursive: true });
  writeFileSync(join(root, 'build/mutate/web.json'), `${JSON.stringify({ seed, results }, undefined, 1)}\n`);
}

/** @param {import('./web_mutants.mjs').Mutant} mutant */
function lineOf({ file, line, column, original, replacement }) {
  return `${file.replace('web/src/', '')}:${line}:${column}  ${inOneLine(original)}  →  ${inOneLine(replacement)}`;
}
