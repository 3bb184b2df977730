// npm run mutate -- --core: draws mutants of core/src and core/include, builds each in a copy and runs the native tests on it,
// the nearest first. Prints what survived, and the score of each folder.
//
//   --sample N     so many mutants that a compiler reads (default 40)
//   --seed S       another sample for each (default 1); the same sources and seed give the same sample
//   --under path   only of files whose path begins so: core/src/heap
//   --line n       only of this line
//   --near         only by the nearest test programs, which is quick: a survivor may fall to the others
//   --nearest n    only by the n nearest of these: for a first look on a busy machine, not for a score
//   --again        only what survived the last run with this seed, with the tests as they are now
//
// A run that is stopped goes on where it was when it is started again, unless a source has changed.
//
//   mutate.M1  Each program passes without a mutant first, or nothing it says counts.
//   mutate.M2  A mutant whose object code is the original's, at -O2 in every variant, is equal: no test can see it, and it does not count.
//   mutate.M3  Other mutants that no test can see are in core_equivalent.json, each with the reason.
//   mutate.M4  A program has four times the seconds it takes without a mutant, and ten more; a mutant that takes longer is killed by time.
//   mutate.M5  What changes none of the nearest programs is of another variant: the first program of each other one is asked, and where
//              it changes, the others of that variant, too. So `hardened_heap.cpp` is judged where it is compiled.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CoreBuild, Stopped } from './core_build.mjs';
import { Journal } from './core_journal.mjs';
import { Judge, kSurvivedNear } from './core_judge.mjs';
import { describeMutant, printReport } from './core_report.mjs';
import { drawSample, installTool } from './core_sample.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const work = join(root, 'build/mutate/core');

export async function main(given) {
  const { values } = parseArgs({
    args: given,
    options: {
      sample: { type: 'string', default: '40' },
      seed: { type: 'string', default: '1' },
      under: { type: 'string', default: 'core/' },
      line: { type: 'string' },
      again: { type: 'boolean', default: false },
      near: { type: 'boolean', default: false },
      nearest: { type: 'string' },
    },
  });
  mkdirSync(work, { recursive: true });
  const python = installTool(work);
  const build = new CoreBuild(root, work);
  build.copySources();
  build.configure();
  const place = values.line === undefined ? values.under : `${values.under}:${values.line}_`;
  const name = `${place.replaceAll('/', '_')}seed_${values.seed}.jsonl`;
  const journal = new Journal(join(work, name), build.digest());
  const results = [];
  const keep = (result) => {
    journal.add(result);
    console.log(`${result.outcome.padEnd(13)} ${describeMutant(result).replace(/\n\s*/g, '  ')}  ${result.by ?? ''}`);
    return result;
  };
  try {
    const judge = new Judge(build, values.nearest === undefined ? undefined : Number(values.nearest));
    const sample = values.again ? journal.survivors(build.tree) : await drawSample(build, python, values);
    for (const mutant of sample) {
      const known = values.again ? undefined : journal.find(mutant);
      results.push(known ?? keep({ ...mutant, ...(await judge.judgeNear(mutant)) }));
    }
    for (const [at, result] of results.entries()) {
      if (result.outcome === kSurvivedNear && !values.near && values.nearest === undefined)
        results[at] = keep({ ...result, ...(await judge.judgeFar(result)) });
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    console.log('\nstopped: the same command goes on from here');
  }
  printReport(results);
  return 0;
}
