// npm run bench:random - programs drawn from seeds by a grammar, run under every allocator. README.md has the grammar.
//
//   --seeds A-B         which programs (1-200); of a single one, its description and figures are printed
//   --threads n         programs of n threads, 2 to 4, which hand blocks over to each other
//   --allocators a,b    instead of heapglass,dlmalloc,emmalloc,mimalloc; name=file.a is one of your own; ratios are to
//                       dlmalloc
//   --rounds n          interleaved rounds, of which the median counts (5)
//   --used              each program begins in a heap that other work has used
//   --memory-only       no times
//   --percent n         of each program's length and live bytes (100)
//   --list n            also the n worst seeds of the first allocator, in time and in memory
//   --processor         times are what the process spent on the processor, for a machine that others use meanwhile; not
//                       with --threads
//   --trace file        of a single seed: only writes the events of heapglass, for the page to open
//   --json file         the figures
//
// The compiler is $EMCC, else the emcc that is found. Threads need 3.1.27 or newer. A run that fails or a checksum that
// differs fails the bench; time never does.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emccRelease, emccVersion, root } from '../../harness/compile.mjs';
import { option, writeJson } from '../../harness/report.mjs';
import { kReference, prepareAllocators } from '../allocators.mjs';
import { eachAtOnce } from '../at_once.mjs';
import { buildModule } from '../build.mjs';
import { engine } from '../run.mjs';
import { printSeed, printSummary, printWorst, summarize } from './distribution.mjs';
import { measureSeeds } from './measure.mjs';
import { kSources, open, textAt } from './program.mjs';
import { callThreads } from './run_threads.mjs';
import { buildAllThreads, canThreads } from './thread_programs.mjs';
import { writeTrace } from './write_trace.mjs';

const kAllocators = ['heapglass', kReference, 'emmalloc', 'mimalloc'];
const kSeeds = '1-200'; // those we tune with

const kModule = {
  name: 'random',
  kind: 'program',
  sources: kSources.map((file) => join(root, 'tests/bench/malloc/random', file)),
  flags: [],
};

/** '3-5,9' as [3, 4, 5, 9] */
export function parseSeeds(text) {
  return text.split(',').flatMap((part) => {
    const [first, last = first] = part.split('-').map(Number);
    if (!(first >= 0 && last >= first)) throw new Error(`seeds: ${part}`);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

/** The programs of one thread. */
export const buildRandom = (allocators, how) =>
  eachAtOnce(allocators, async (allocator) => ({
    name: allocator.name,
    wasm: await buildModule(kModule, allocator, how),
  }));

/** The program of a seed in words. */
async function describeSeed(built, seed, { threads, percent }) {
  if (threads !== undefined) return await callThreads(built.time, ['describe', seed, threads, percent]);
  const exports = await open(await WebAssembly.compile(readFileSync(built.wasm)), { seed, percent });
  return textAt(exports, exports.bench_random_describe());
}

function readCommandLine() {
  const given = (name) => process.argv.includes(`--${name}`);
  const threads = given('threads') ? Number(option('threads', 2)) : undefined;
  if (threads !== undefined && !(threads >= 2 && threads <= 4)) throw new Error('--threads: 2 to 4');
  if (threads !== undefined && given('processor')) throw new Error('--processor is not for threads');
  return {
    seeds: parseSeeds(option('seeds', kSeeds)),
    wanted: option('allocators', kAllocators.join(',')).split(','),
    threads,
    used: given('used'),
    percent: Number(option('percent', 100)),
    clock: given('processor') ? 'processor' : undefined,
    rounds: given('memory-only') ? 0 : Number(option('rounds', 5)),
    list: given('list') ? Number(option('list', 10)) : 0,
    trace: option('trace', undefined),
  };
}

async function main() {
  const { seeds, wanted, list, trace, ...how } = readCommandLine();
  const { threads, used } = how;
  if (threads !== undefined && !canThreads()) throw new Error(`${emccVersion()}: its threads do not run on this Node`);
  const what = `seeds ${option('seeds', kSeeds)}${threads === undefined ? '' : `, ${threads} threads`}`;
  console.log(`${engine()}; ${emccVersion()}; ${what}; ${how.rounds} interleaved rounds, medians`);

  const allocators = await prepareAllocators(wanted, { release: emccRelease() });
  if (trace !== undefined) {
    if (seeds.length !== 1) throw new Error('--trace wants one seed');
    const { events, bytes } = await writeTrace(trace, { seed: seeds[0], ...how });
    return console.log(`written: ${trace}, ${events} events, ${(bytes / 2 ** 20).toFixed(1)} MiB`);
  }
  const built = threads === undefined ? await buildRandom(allocators) : await buildAllThreads(allocators);
  const names = built.map(({ name }) => name);
  const say = (text) => process.stderr.write(`${text}\n`);
  const { rows, failures, died } = await measureSeeds(built, seeds, { ...how, say });

  if (seeds.length === 1) console.log(`\n${await describeSeed(built[0], seeds[0], how)}`);
  if (seeds.length === 1 && rows.length > 0) printSeed(rows, used);
  const summary = summarize(rows, names);
  if (seeds.length > 1) printSummary(summary);
  if (list > 0) printWorst(rows, names[0], list);
  for (const [reason, times] of died) console.log(`died and was run again, ${times} times: ${reason}`);
  writeJson({
    bench: 'random',
    emcc: emccVersion(),
    engine: engine(),
    seeds: option('seeds', kSeeds),
    ...how,
    rows,
    summary,
  });
  for (const failure of failures) console.log(`FAILED: ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
