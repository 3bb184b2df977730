// heapglass diff a b: two runs or builds compared by call site.
//
//   diff.Z1  Exit code 0: compared. 1: something grew, and --assert-no-growth was given. 2: there is no answer. 3: compared, and a trace
//       is not whole (verdict.ts).
//   diff.Z2  --noise takes further runs of a and b in turn: a2 b2 a3 b3.

import { hasGrown, makeDiff } from '../../web/src/diff/diff.ts';
import { diffDocument } from '../../web/src/diff/diff_document.ts';
import type { Run } from '../../web/src/diff/diff_types.ts';
import { readSites } from '../../web/src/report/site_sums.ts';
import type { Verdict } from '../../web/src/report/verdict.ts';
import { say } from './output.ts';
import { kNoAnswer, Problem } from './problem.ts';
import { readTrace, refuseSample } from './traces.ts';
import { sayVerdict } from './verdict.ts';
import { type FormatOptions, writeDocument } from './write_document.ts';
import { refuseOnto } from './write_out.ts';

const kGrown = 1;

export interface DiffOptions extends FormatOptions {
  readonly noise?: readonly string[];
  readonly assertNoGrowth?: boolean;
}

export async function diff(a: string, b: string, options: DiffOptions): Promise<number> {
  const { noise = [], assertNoGrowth } = options;
  if (noise.length % 2 !== 0) {
    throw new Problem(`--noise takes further runs of a and b in turn: a2 b2 ...; there are ${noise.length}`, kNoAnswer);
  }
  refuseOnto([a, b, ...noise], [options.html], kNoAnswer, { answers: true });
  const notices: string[] = [];
  let code = 0;
  const runsOf = async (paths: readonly string[]): Promise<Run[]> => {
    const runs: Run[] = [];
    for (const path of paths) {
      const { run, verdict } = await runOf(path, notices); // one trace in memory at a time
      runs.push(run);
      code = Math.max(code, sayVerdict(path, verdict));
    }
    return runs;
  };
  const made = makeDiff({
    a: await runsOf([a, ...noise.filter((_, i) => i % 2 === 0)]),
    b: await runsOf([b, ...noise.filter((_, i) => i % 2 === 1)]),
    notices,
  });
  writeDocument(diffDocument(made), options, kNoAnswer);
  if (assertNoGrowth !== true || !hasGrown(made)) return code;
  say('broken: something grew, and --assert-no-growth was given');
  return kGrown;
}

async function runOf(path: string, notices: string[]): Promise<{ readonly run: Run; readonly verdict: Verdict }> {
  const { name, file } = await readTrace(path, kNoAnswer);
  refuseSample(path, file, kNoAnswer, 'two samples differ by chance');
  const { sites, notices: ofTrace, verdict } = readSites(file);
  for (const notice of ofTrace) notices.push(`${name}: ${notice}`);
  if (sites.length > 0 && sites.every(({ stack }) => stack.length === 0)) {
    notices.push(`${name} does not say where its calls came from: it was recorded without stacks`);
  }
  return { run: { name, events: file.trace.count, sites }, verdict };
}
