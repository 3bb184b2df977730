// npm run bench:javascript - the JavaScript heap beside @thi.ng/malloc, both over memory of the same size: ns a call, and how much
// of a megabyte is its user's.
//
//   --only counts   what is the same at every run      --rounds n   of each workload (15)      --align n   of blocks (8)      --json file

import { interleave } from '../harness/measure.mjs';
import { fixed, option, printTable, writeJson } from '../harness/report.mjs';
import { kAllocators } from './allocators.mjs';
import { kFilling, kTimed } from './workloads.mjs';

const kMiB = 1 << 20;
const kTimedBytes = 16 * kMiB;
const kSeeds = [1, 2, 3, 4, 5];

const rounds = Number(option('rounds', 15));
const align = Number(option('align', 8));
const names = Object.keys(kAllocators);
const [first] = names;

const filled = {};
for (const [name, program] of Object.entries(kFilling)) {
  filled[name] = {};
  for (const allocator of names) {
    let bytes = 0;
    for (const seed of kSeeds) bytes += program(await kAllocators[allocator](kMiB, align), seed);
    filled[name][allocator] = bytes / kSeeds.length / kMiB;
  }
}
const percent = (share) => `${fixed(share * 100, 1)} %`;
printTable(
  `of 1 MiB its user's, when no more can be had; alignment ${align}, mean of ${kSeeds.length} seeds`,
  ['', ...names],
  Object.entries(filled).map(([name, shares]) => [name, ...names.map((allocator) => percent(shares[allocator]))]),
);

const timed = {};
if (option('only', '') !== 'counts') {
  for (const [name, workload] of Object.entries(kTimed)) {
    const candidates = [];
    for (const allocator of names) {
      const made = await kAllocators[allocator](kTimedBytes, align);
      candidates.push({ name: allocator, run: () => workload(made) });
    }
    timed[name] = Object.fromEntries(interleave(candidates, { rounds, warmUps: 5 }));
  }
  const ratio = (figures, allocator) => fixed(figures[allocator].ns / figures[first].ns, 3);
  printTable(
    `ns a call, median of ${rounds} interleaved rounds (in brackets: the ratio to ${first})`,
    ['', ...names],
    Object.entries(timed).map(([name, figures]) => [
      name,
      ...names.map((allocator) => `${fixed(figures[allocator].ns, 0)} (${ratio(figures, allocator)})`),
    ]),
  );
}
writeJson({ align, filled, timed });
