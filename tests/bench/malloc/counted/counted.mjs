// npm run bench:counted - the random programs counted instead of timed: the same number at every run, however busy the machine.
//
//   --seeds A-B         which programs (1-20)
//   --allocators a,b    instead of heapglass,dlmalloc,emmalloc,mimalloc; name=file.a is one of your own
//   --programs regex    the bench's own programs of these names instead of random ones; there only "all" is counted
//   --calls regex       the bench's rows of one kind of call instead; only what the allocator does is counted
//   --percent n         of a program's length (100)
//   --used              in a heap that other work has used
//   --links -O1,-O3     each allocator linked at each of these levels, beside itself at the last of them
//   --growth 0,100      the same of steps of growth: memory grows by just what is asked, to twice its size, ...; else by 20 %
//   --json file         the figures
//
//   module of the bench ──wasm2c──> C ──gcc──> program ──cachegrind──> instructions and misses of each function
//
//   C1  Estimated cycles: instructions / 3 + 10 for each miss of a first-level cache of 32 KiB + 40 for each of 1 MiB. The
//       weights are a guess; between allocators of one program they hardly matter.
//   C2  gcc inlines no function of the module, as V8 does not: a call stays a call.
//   C3  "allocator" counts its functions alone; "all" also the program that calls it. memset and memcpy count in neither: they
//       are the host's, and the program's touching of its blocks.
//   C4  The growth of memory is not in it, but what the allocator does before and after: what the host does for a page depends
//       on the host.
//   C5  Of a row of --calls its second round is counted: what two rounds cost less what one costs.
//   C6  The checksum of a seed is the same under every allocator, else the bench fails.
//
// wasm2c is of the package wabt (1.0.32, Debian's), cachegrind of valgrind. A seed takes about a second.

import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { emccRelease, emccVersion, root } from '../../harness/compile.mjs';
import { fixed, option, printTable, writeJson } from '../../harness/report.mjs';
import { kReference, prepareAllocators } from '../allocators.mjs';
import { eachAtOnce } from '../at_once.mjs';
import { buildModule } from '../build.mjs';
import { digest } from '../objects.mjs';
import { distribution } from '../random/distribution.mjs';
import { buildRandom, parseSeeds } from '../random/random.mjs';
import { callRows, ownPrograms } from '../workloads.mjs';

const run = promisify(execFile);
const kRuntime = '/usr/share/wabt/wasm2c';
const kWasm2c = '/usr/bin/wasm2c'; // not that of node_modules/.bin, which comes without its runtime
const kOut = join(root, 'build/bench/counted');
const kCompile =
  '-O2 -mpopcnt -w -g -fno-strict-aliasing -fno-inline-functions -fno-inline-small-functions -fno-inline-functions-called-once ' +
  '-fno-ipa-cp -fno-ipa-sra -DWASM_RT_MEMCHECK_SIGNAL_HANDLER=1'; // C2
const kCaches = ['--cache-sim=yes', '--D1=32768,8,64', '--LL=1048576,16,64'];
const kWeights = { Ir: 1 / 3, D1mr: 10, D1mw: 10, DLmr: 40, DLmw: 40 }; // C1
const kCopying = /memset|memcpy|memmove/;
const kProgram = /bench_(random|micro|use_heap)|^w2c_run_|Worker|Side|UsedHeap|^w2c_(log|exp)/;
const kCalls = 20_000; // of a row of --calls, a round

async function assertTools() {
  for (const tool of [kWasm2c, 'valgrind', 'gcc']) {
    await run(tool, ['--version']).catch(() => {
      throw new Error(`${tool} is not here: apt-get install wabt valgrind gcc`);
    });
  }
  if (!existsSync(join(kRuntime, 'wasm-rt-impl.c'))) throw new Error(`${kRuntime} is not here: it is of Debian's wabt`);
}

const kMain = fileURLToPath(new URL('main.c', import.meta.url));

/** The native program of a module; made once. */
async function makeProgram({ name, wasm, flags = [] }) {
  const folder = join(kOut, `${basename(wasm, '.wasm')}-${digest(readFileSync(kMain)).slice(0, 8)}`);
  const program = join(folder, 'run');
  if (existsSync(program)) return { name, program };
  mkdirSync(folder, { recursive: true });
  await run(kWasm2c, [wasm, '-n', 'heap', '-o', join(folder, 'module.c')]);
  const header = readFileSync(join(folder, 'module.h'), 'utf8');
  if (!header.includes('Z_heap_instance_t')) throw new Error('wasm2c is not 1.0.32: its names are others');
  // A module that imports WASI: nothing of it is called but the clock, by mimalloc, for its own figures.
  const imports = header.match(/^u32 Z_wasi\w+\(.*\);$/gm) ?? [];
  const stubs = imports.map((line) => line.replace(/;$/, ' { return 0; }')).join('\n');
  copyFileSync(kMain, join(folder, 'main.c'));
  writeFileSync(join(folder, 'imports.c'), `#include "module.h"\n${stubs}\n`);
  const instantiate = imports.length > 0 ? 'Z_heap_instantiate(p,0)' : 'Z_heap_instantiate(p)';
  const sources = ['module.c', 'main.c', 'imports.c'].map((file) => join(folder, file));
  const words = [
    ...kCompile.split(' '),
    `-I${kRuntime}`,
    `-I${folder}`,
    `-DINSTANTIATE(p)=${instantiate}`,
    ...flags,
    ...sources,
  ];
  await run('gcc', [...words, join(kRuntime, 'wasm-rt-impl.c'), '-lm', '-o', program]);
  return { name, program };
}

/** Estimated cycles of cachegrind's file, by who spent them. */
export function cyclesOf(text) {
  const cycles = { allocator: 0, program: 0 };
  let weights = [];
  let who;
  for (const line of text.split('\n')) {
    if (line.startsWith('events:')) {
      weights = line
        .slice('events:'.length)
        .trim()
        .split(/\s+/)
        .map((event) => kWeights[event] ?? 0);
    } else if (line.startsWith('fn=')) {
      const name = line.slice('fn='.length);
      who = kCopying.test(name) || !name.startsWith('w2c_') ? undefined : kProgram.test(name) ? 'program' : 'allocator';
    } else if (/^\d/.test(line) && who !== undefined) {
      const counts = line.split(/\s+/).slice(1).map(Number);
      cycles[who] += counts.reduce((sum, count, i) => sum + count * (weights[i] ?? 0), 0);
    }
  }
  return cycles;
}

/** seed: its number, or the name of one of the bench's own programs or rows. */
async function countSeed(job) {
  if (job.call === undefined) return countOnce(job);
  const [twice, once] = [await countOnce(job, [...job.call, 2]), await countOnce(job, [...job.call, 1])];
  const { allocator } = twice.cycles;
  return { ...twice, cycles: { allocator: allocator - once.cycles.allocator } }; // C5
}

async function countOnce({ name, program, growth, seed, used }, call = []) {
  const out = join(kOut, `${name}-${seed}.out`.replaceAll(/[^\w.-]+/g, '_')); // cachegrind reads % in it
  const words = [
    '-q',
    '--tool=cachegrind',
    ...kCaches,
    `--cachegrind-out-file=${out}`,
    program,
    typeof seed === 'number' ? seed : 1,
    option('percent', 100),
  ];
  const { stdout } = await run('valgrind', [
    ...words.map(String),
    used ? 'used' : 'fresh',
    growth,
    ...call.map(String),
  ]);
  const { allocator, program: callers } = cyclesOf(readFileSync(out, 'utf8'));
  rmSync(out);
  return { seed, allocator: name, checksum: stdout.trim(), cycles: { allocator, all: allocator + callers } };
}

/** Each allocator once; or once for each level of the linker, or for each step of growth. */
async function buildPrograms(allocators) {
  const levels = option('links')?.split(',') ?? [];
  const steps = option('growth')?.split(',') ?? [];
  if (levels.length > 0 && steps.length > 0) throw new Error('--links or --growth, not both');
  const named = (programs, word) => programs.map((one) => ({ growth: '20', ...one, name: `${one.name}${word}` }));
  const programs = [];
  for (const level of levels) {
    const built = await eachAtOnce(await buildRandom(allocators, { level }), makeProgram);
    programs.push(...named(built, ` ${level}`));
  }
  if (levels.length > 0) return programs;
  const built = await eachAtOnce(await buildRandom(allocators), makeProgram);
  if (steps.length === 0) return named(built, '');
  return steps.flatMap((growth) => named(built, ` +${growth} %`).map((one) => ({ ...one, growth })));
}

/** What a row is compared with: dlmalloc, or the same allocator in its last variant. */
function referenceOf(name, names) {
  const [allocator, variant] = name.split(' ', 2);
  if (variant === undefined) return kReference;
  return names.findLast((other) => other.startsWith(`${allocator} `));
}

function printCounts(rows, names, counted) {
  const at = new Map(rows.map((row) => [`${row.allocator} ${row.seed}`, row]));
  for (const what of counted) {
    printTable(
      `estimated cycles, ${what} (less is better)`,
      ['allocator', 'beside', 'seeds', 'geometric mean', 'median', 'p90', 'worst (seed)'],
      names.map((name) => {
        const reference = referenceOf(name, names);
        const own = rows.filter((row) => row.allocator === name);
        const one = distribution(own, (row) => row.cycles[what] / at.get(`${reference} ${row.seed}`)?.cycles[what]);
        const figures = [one?.mean, one?.median, one?.p90].map((ratio) => fixed(ratio, 3));
        return [name, reference, one?.seeds ?? 0, ...figures, `${fixed(one?.worst.ratio, 3)} (${one?.worst.seed})`];
      }),
    );
  }
}

/** The bench's own programs, each under each allocator. */
const ownJobs = (allocators, only) =>
  eachAtOnce(
    ownPrograms(only).flatMap(({ name, module }) => allocators.map((allocator) => ({ seed: name, module, allocator }))),
    async ({ seed, module, allocator }) => {
      const wasm = await buildModule(module, allocator);
      return { seed, growth: '20', ...(await makeProgram({ name: allocator.name, wasm, flags: ['-DBENCH_WORK'] })) };
    },
  );

/** Rows of one kind of call, each under each allocator. They are all in one module. */
async function callJobs(allocators, only) {
  const rows = callRows(only);
  if (rows.length === 0) return [];
  const programs = await eachAtOnce(allocators, async (allocator) =>
    makeProgram({ name: allocator.name, wasm: await buildModule(rows[0].module, allocator), flags: ['-DBENCH_CALLS'] }),
  );
  return rows.flatMap(({ name, call: [kind, size, extra, count] }) =>
    programs.map((program) => ({
      ...program,
      seed: name,
      growth: '20',
      call: [kind, size, extra, Math.min(count, kCalls)],
    })),
  );
}

function printPrograms(rows, names, what) {
  const of = (name, program) => rows.find((row) => row.allocator === name && row.seed === program)?.cycles[what];
  printTable(
    'estimated cycles of each, ratio to dlmalloc',
    ['', ...names],
    [...new Set(rows.map(({ seed }) => seed))].map((program) => [
      program,
      ...names.map((name) => fixed(of(name, program) / of(kReference, program), 3)),
    ]),
  );
}

/** What is counted, and in what; the jobs are made when asked for. */
async function chosen(allocators) {
  const named = option('programs') ?? option('calls');
  if (named === undefined) {
    const seeds = parseSeeds(option('seeds', '1-20'));
    const programs = await buildPrograms(allocators);
    return {
      counted: ['allocator', 'all'],
      jobs: programs.flatMap((program) => seeds.map((seed) => ({ ...program, seed }))),
    };
  }
  const only = new RegExp(named);
  if (option('programs') !== undefined)
    return { counted: ['all'], jobs: await ownJobs(allocators, only), eachAs: 'all' };
  return { counted: ['allocator'], jobs: await callJobs(allocators, only), eachAs: 'allocator' };
}

async function main() {
  await assertTools();
  const used = process.argv.includes('--used');
  const wanted = option('allocators', `heapglass,${kReference},emmalloc,mimalloc`).split(',');
  const allocators = await prepareAllocators(wanted, { release: emccRelease() });
  const { counted, jobs, eachAs } = await chosen(allocators);
  const seeds = [...new Set(jobs.map(({ seed }) => seed))];
  const heap = used ? 'a used heap' : 'a fresh heap';
  console.log(`${emccVersion()}; ${seeds.join(' ')} in ${heap}; cachegrind, see counted.mjs for what is counted`);
  const rows = await eachAtOnce(
    jobs.map((job) => ({ ...job, used })),
    countSeed,
  );
  const names = [...new Set(jobs.map(({ name }) => name))];
  printCounts(rows, names, counted);
  if (eachAs !== undefined) printPrograms(rows, names, eachAs);
  writeJson({ bench: 'counted', emcc: emccVersion(), used, rows });
  for (const seed of seeds) {
    const sums = new Set(rows.filter((row) => row.seed === seed).map(({ checksum }) => checksum));
    if (sums.size === 1) continue;
    console.log(`FAILED: seed ${seed}: the checksums differ`);
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
