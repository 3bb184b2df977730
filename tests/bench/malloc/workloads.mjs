// What is measured: the rows of the tables, and the module each of them runs in.
//
//   micro    one kind of call, ns a unit; all in one module, a row is a call of bench_micro(kind, size, extra, count)
//   program  own programs of the classic kinds, ms a run; a module each, bench_work(percent)
//   real     programs made elsewhere (programs/<name>/program.mjs), ms a run; main, with its output's SHA-256 checked
//   stream   the calls that those programs made, recorded once and carried out without them (streams.mjs), ms a time
//
// Rows of micro and program exist twice: in a fresh heap, and, as "<name>, used" in the groups micro-used and
// program-used, in a heap that other work has used (runtime/used_heap.c). Loops without an allocator have no second
// row, nor have real programs and streams.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../harness/compile.mjs';
import { recordedStream } from './streams.mjs';

const folder = join(root, 'tests/bench/malloc');
const source = (file) => join(folder, 'workloads', file);
const kUsedHeap = join(folder, 'runtime/used_heap.c');
const kEntries = [join(folder, 'runtime/program_entry.c'), kUsedHeap];

/** The kinds of micro.h. */
const kKinds = {
  emptyPair: 0,
  pair: 1,
  lifo: 2,
  fifo: 3,
  emptyRandom: 4,
  random: 5,
  calloc: 6,
  aligned: 7,
  growDouble: 8,
  growHalf: 9,
  growAppend: 10,
  growTwo: 11,
  reallocRandom: 12,
};

const kMicroModule = {
  name: 'micro',
  kind: 'micro',
  sources: [source('micro.c'), source('micro_realloc.c'), kUsedHeap],
  flags: [],
};

const kSizes = [16, 32, 64, 128, 256, 1024, 4096, 16384, 65536, 262144, 1000000];
const kMaxLiveBytes = 64 * 2 ** 20; // LIFO and FIFO are less deep for the largest sizes
const depthAt = (size) => Math.min(1000, Math.floor(kMaxLiveBytes / size));

const kPairs = 400_000; // units between two looks at the clock: some ms
const kSteps = 60_000; // of growth
const kCopiedSteps = 4_000; // where each step may copy the vector

/** @param {number} mallocs how many calls of malloc and kin a unit makes: the counted build has to find as many */
const micro = (name, kind, size, extra, count, mallocs = 1) => ({
  name,
  group: 'micro',
  module: kMicroModule,
  call: [kKinds[kind], size, extra, count],
  mallocs,
});

const sized = (prefix, kind, extraAt) =>
  kSizes.map((size) => micro(`${prefix}-${size}`, kind, size, extraAt(size), kPairs));

const kMicro = [
  micro('empty loop (pairs)', 'emptyPair', 0, 0, kPairs, 0),
  micro('empty loop (random)', 'emptyRandom', 512, 10_000, kPairs, 0),
  ...sized('pair', 'pair', () => 1),
  ...sized('lifo', 'lifo', depthAt),
  ...sized('fifo', 'fifo', depthAt),
  ...[1_000, 10_000, 100_000].flatMap((live) =>
    [64, 512, 4096].map((size) =>
      micro(`random 1-${size}, ${live} live`, 'random', size, live, live > 10_000 ? kPairs / 2 : kPairs),
    ),
  ),
  micro('calloc-64', 'calloc', 64, 1, kPairs),
  micro('calloc-1024', 'calloc', 1024, 1, kPairs),
  micro('aligned 64, 128 B', 'aligned', 128, 64, kPairs),
  micro('aligned 4096, 4096 B', 'aligned', 4096, 4096, kPairs),
  micro('realloc x2 to 1 MiB', 'growDouble', 0, 1, kSteps, 0),
  micro('realloc x1.5 to 1 MiB', 'growHalf', 0, 1, kSteps, 0),
  micro('realloc +64 to 256 KiB', 'growAppend', 0, 1, kSteps, 0),
  micro('realloc x2, two in turn', 'growTwo', 0, 1, kCopiedSteps, 0),
  micro('realloc 16-64, 4000 live', 'reallocRandom', 64, 4000, kPairs, 0),
];

const program = (name, file, flags = []) => ({
  name,
  group: 'program',
  module: { name, kind: 'program', sources: [source(file), ...kEntries], flags },
});

const kPrograms = [
  program('cfrac-like', 'continued_fraction.c'),
  program('espresso-like', 'cube_cover.c'),
  program('alloc-test-like', 'power_law.c'),
  program('larson-like', 'server.c'),
  program('glibc-simple-like', 'same_size_batches.c'),
  program('mstress-like', 'transfer.c'),
  program('malloc-large-like', 'large_blocks.c'),
  program('shbench-like-6', 'mixed_batches_6.c'),
  program('shbench-like-8', 'mixed_batches_8.c'),
  program('containers', 'containers.cpp'),
  program('expressions', 'expressions.c'),
  program('long-day', 'long_day.c'),
  program('floor', 'floor.c'),
  program('phases-all', 'phases.c'),
  program('phases-keep', 'phases.c', ['-DKEEP_ONE_IN=500']),
];

/** Phase changes with each share kept, and four rounds of each beside one. They run only when asked for by name. */
const kPhases = [0, 20, 500, 5000].flatMap((share) => {
  const kept = share > 0 ? [`-DKEEP_ONE_IN=${share}`] : [];
  const name = share > 0 ? `phases, 1 in ${share} kept` : 'phases, none kept';
  const of = (name, flags) => ({
    ...program(name.replaceAll(/[ ,]+/g, '-'), 'phases.c', flags),
    name,
    group: 'phases',
  });
  return [of(name, kept), of(`${name}, 4 rounds`, [...kept, '-DROUNDS=4'])];
});

/** @param {RegExp} only */
export const ownPrograms = (only) => kPrograms.filter(({ name }) => only.test(name));

/** Rows of one kind of call. @param {RegExp} only */
export const callRows = (only) => kMicro.filter((row) => callsAllocator(row) && only.test(row.name));

/** Programs of other makers. One that cannot be had here prints why and is left out. */
async function realPrograms() {
  const at = join(folder, 'programs');
  const found = [];
  for (const name of existsSync(at) ? readdirSync(at).sort() : []) {
    const path = join(at, name, 'program.mjs');
    if (existsSync(path)) found.push((await import(pathToFileURL(path).href)).default);
  }
  return found;
}

async function prepared({ name, prepare }) {
  const made = await prepare();
  if (made === undefined) return undefined;
  const { sources, flags, args = [], expected } = made;
  return { name, group: 'real', module: { name, kind: 'command', sources, flags }, args: [name, ...args], expected };
}

const kReplayModule = { name: 'replay', kind: 'stream', sources: [join(root, 'programs/replay/replay.c')], flags: [] };
const streamName = ({ name }) => `stream: ${name}`;

/** The rows that the calls of a real program make. A recording that fails is said, and fails the bench. */
async function streamOf(program) {
  const name = streamName(program);
  try {
    return { name, group: 'stream', module: kReplayModule, stream: await recordedStream(program), mallocs: 1 };
  } catch (error) {
    console.log(`FAILED: ${name}: ${error.message}`);
    process.exitCode = 1;
    return undefined;
  }
}

/** Real programs and streams whose names match; one that nobody asks for is neither fetched nor recorded. */
async function realAndStreams(matches) {
  const isReal = (program) => matches(program);
  const isStream = (program) => matches({ name: streamName(program) });
  const wanted = (await realPrograms()).filter((program) => isReal(program) || isStream(program));
  const programs = (await Promise.all(wanted.map(prepared))).filter((one) => one !== undefined);
  const streams = [];
  for (const program of programs.filter(isStream)) streams.push(await streamOf(program));
  return [...programs.filter(isReal), ...streams.filter((one) => one !== undefined)];
}

const inUsedHeap = (workload) => ({
  ...workload,
  name: `${workload.name}, used`,
  group: `${workload.group}-used`,
  used: true,
});

const callsAllocator = ({ name }) => !name.startsWith('empty loop');
const withUsed = (workloads) => [...workloads, ...workloads.filter(callsAllocator).map(inUsedHeap)];

/** `heap`: rows in which heap; real programs and streams have a fresh one. */
export const kHeaps = ['fresh', 'used', 'both'];

/**
 * The workloads whose names match, with or without ", used".
 * @param {RegExp | undefined} only undefined: all
 * @param {'fresh' | 'used' | 'both'} heap
 */
export async function prepareWorkloads(only, heap = 'both') {
  const matches = ({ name, used = false }) =>
    (heap === 'both' || used === (heap === 'used')) &&
    (only === undefined || only.test(name) || only.test(name.replace(/, used$/, '')));
  const phases = only === undefined ? [] : withUsed(kPhases);
  const own = [...withUsed(kMicro), ...withUsed(kPrograms), ...phases].filter(matches);
  return [...own, ...(await realAndStreams(matches))];
}
