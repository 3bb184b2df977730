// npm run fuzz:verdicts - mutated traces through every command and the page's reader, which must say the same of each.
//
//   --cases 50000   --seed 1      each case is its seed: --seed 4711 --cases 1 repeats one
//   --every-form                  every form of each command on each trace; else one of each, by the case's number
//
// A case is wrong when two commands say something different of the trace, when the page finds nothing against a trace that they find not
// whole or the reverse, when a command ends with an exception, when something that is written obeys a name, and when it takes 20 s of a core.

import { fork } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildBesideCommandLine } from '../../tools/build_command_line.mjs';
import { afterCoreTime } from './core_time.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const work = join(root, 'build/fuzz/verdicts');
const golden = join(root, 'tests/web/trace/golden');
const child = join(work, 'bin/verdicts_child.mjs');
const kLimitMs = 20_000; // of a core's time; a case takes 0.2 s
const kBatch = 1000;
const kReportEvery = 1000;

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};

const everyForm = process.argv.includes('--every-form');
const totals = { cases: 0, runs: 0, answers: 0, whole: 0, unreadable: 0, wrong: 0 };

/** Runs cases [first, first + count); resolves to the case behind the last that ended. */
function batch(first, count) {
  const seeds = readdirSync(golden).map((name) => join(golden, name));
  const process_ = fork(child, [first, count, everyForm ? 'all' : 'one', ...seeds].map(String), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let current;
  let stopWatch = () => {};
  let next = first;
  return new Promise((resolve) => {
    process_.on('message', (message) => {
      stopWatch();
      current = message.seed;
      if (message.bytes === undefined) {
        stopWatch = afterCoreTime(process_.pid, kLimitMs, () => process_.kill('SIGKILL'));
        return;
      }
      current = undefined;
      next = message.seed + 1;
      note(message);
    });
    process_.on('exit', () => {
      stopWatch();
      if (current !== undefined) {
        note({ seed: current, wrong: 'hangs, or its process died' });
        next = current + 1;
      }
      resolve(next);
    });
  });
}

function note({ seed, wrong, ...counts }) {
  totals.cases += 1;
  for (const name of ['runs', 'answers', 'whole', 'unreadable']) totals[name] += counts[name] ?? 0;
  if (totals.cases % kReportEvery === 0) console.log(`${totals.cases} cases, ${totals.wrong} wrong`);
  if (wrong === undefined) return;
  totals.wrong += 1;
  console.log(`${seed}: ${wrong}`);
}

await buildBesideCommandLine(work, join(root, 'tests/fuzz/verdicts_child.ts'), child);
const seed = option('seed', 1);
const end = seed + option('cases', 50_000);
for (let at = seed; at < end; ) at = await batch(at, Math.min(kBatch, end - at));
const { cases, runs, answers, whole, unreadable, wrong } = totals;
console.log(
  `${cases} traces (${whole} whole, ${unreadable} unreadable), ${runs} runs of commands and page, ${answers} answers, ${wrong} wrong`,
);
writeFileSync(join(work, 'totals.json'), `${JSON.stringify(totals)}\n`);
process.exitCode = wrong === 0 ? 0 : 1;
