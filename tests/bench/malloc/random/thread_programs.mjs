// Builds the random programs with threads: one of Emscripten's own programs for each allocator and use, into
// build/bench/random.
//
//   time     growth as Emscripten has it
//   memory   the same objects; memory begins 128 KiB above the heap's base and grows by just what is asked
//
//   P1  The linker's map shows the allocator that is meant and no other one (build.mjs, L3).
//   P2  A program is linked again when its command line or a file in it changed.
//   P3  Needs an Emscripten whose output runs on this Node, 3.1.27 or newer.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { callEmxx, emccRelease, emccVersion, root } from '../../harness/compile.mjs';
import { eachAtOnce } from '../at_once.mjs';
import { assertLinked } from '../build.mjs';
import { compileObject, digest } from '../objects.mjs';

const outFolder = join(root, 'build/bench/random');
const here = (file) => join(root, 'tests/bench/malloc/random', file);

const kSources = ['random_threads.cpp', 'threads_grammar.cpp', 'grammar.cpp', 'size_law.cpp', 'describe.cpp'];
const kCalls = ['malloc', 'free', 'calloc', 'realloc', 'memalign'].map((name) => `-fno-builtin-${name}`);
const kCompile = ['-O3', '-std=c++20', '-fno-exceptions', '-fno-rtti', '-pthread', '-DBENCH_THREADS=1', ...kCalls];
const kPool = 9; // two for each thread, as one that ends may have begun the next one, and main's own
const kLink = [
  '-O3',
  '-pthread',
  '-sPROXY_TO_PTHREAD',
  `-sPTHREAD_POOL_SIZE=${kPool}`,
  '-sALLOW_MEMORY_GROWTH',
  '-sMAXIMUM_MEMORY=2GB',
  '-sEXIT_RUNTIME',
  '-Wno-pthreads-mem-growth',
];
/** A thread's cache is flushed by a thread-specific key, whose functions are there only when asked for. */
const kKeys = '-Wl,-u,pthread_key_create,-u,pthread_setspecific';
const kInitialMemory = 64 << 20; // above the static tables, with about as much heap as Emscripten's default
const kTracedMemory = 192 << 20; // with the store of events
const kInitialHeap = 128 * 1024;
const kPage = 65536;

export const canThreads = () => emccRelease() >= 27;

async function link(name, allocator, objects, flags) {
  mkdirSync(outFolder, { recursive: true });
  const kind = join(outFolder, 'package.json'); // what Emscripten writes as .js
  if (!existsSync(kind)) writeFileSync(kind, '{ "type": "commonjs" }\n');
  const isOurs = allocator.threadFlags.some((flag) => basename(flag).includes('heapglass'));
  const keys = isOurs ? [kKeys] : [];
  const words = [...objects, ...kLink, ...keys, ...flags, ...allocator.threadFlags];
  const changes = allocator.threadFlags.filter((flag) => existsSync(flag)).map((flag) => readFileSync(flag));
  const out = join(outFolder, `${name}-${digest(emccVersion(), ...words, ...changes)}.js`);
  if (existsSync(`${out}.done`)) return out;
  const map = await callEmxx([...words, '-Wl,--print-map', '-o', out], basename(out));
  assertLinked(map, { name: allocator.name, flags: allocator.threadFlags }, basename(out));
  writeFileSync(`${out}.done`, '');
  return out;
}

/** @returns {Promise<{ name: string, time: string, memory: string }>} paths of the programs' JavaScript */
async function buildThreads(allocator) {
  const objects = await Promise.all(kSources.map((file) => compileObject(here(file), kCompile)));
  const { name } = allocator;
  const time = await link(`${name}-time`, allocator, objects, [`-sINITIAL_MEMORY=${kInitialMemory}`]);
  const { stdout: base } = await promisify(execFile)(process.execPath, [time, 'base']);
  const initial = Math.ceil((Number(base) + kInitialHeap) / kPage) * kPage;
  const exact = [`-sINITIAL_MEMORY=${initial}`, '-sMEMORY_GROWTH_GEOMETRIC_STEP=0'];
  return { name, time, memory: await link(`${name}-memory`, allocator, objects, exact) };
}

/** The program of a traced allocator, which writes its events into a file. */
export async function buildTracedThreads(allocator) {
  const flags = [...kCompile, '-DBENCH_TRACE=1', `-I${join(root, 'core/include')}`];
  const sources = [...kSources, 'trace_store.cpp'].map((file) => compileObject(here(file), flags));
  const words = [`-sINITIAL_MEMORY=${kTracedMemory}`, '-sNODERAWFS'];
  return await link(`${allocator.name}-trace`, allocator, await Promise.all(sources), words);
}

/** The programs of those allocators that can do threads. */
export const buildAllThreads = (allocators) =>
  eachAtOnce(
    allocators.filter(({ threadFlags }) => threadFlags !== undefined),
    buildThreads,
  );
