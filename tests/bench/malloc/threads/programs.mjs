// The programs of the thread benchmark: all workloads in one, linked with each allocator.
//
//   time       -O3 -pthread -sPROXY_TO_PTHREAD, growth as Emscripten has it
//   footprint  the same objects; memory begins small and grows by what is asked, so that its size is the peak
//   roomy      the same objects in a memory of 256 MiB, which need not grow
//   check      every byte of every block is verified (BENCH_CHECK)
//   single     the mix alone, without -pthread
//
//   P1  The linker's map of each program shows the allocator it is called after, and no other.
//   P2  The allocator is linked as it is delivered; only our code is compiled here, with malloc and free left calls.
//   P3  A program is linked again when its command line or a file in it changed.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOwnArchives, ownArchive, root } from '../../harness/compile.mjs';
import { linkedAllocators } from './linked_allocators.mjs';

const outFolder = join(root, 'build/bench/threads');
const here = (file) => join(root, 'tests/bench/malloc/threads', file);

const kMix = ['main.cpp', 'run_threads.cpp', 'mix.cpp'];
const kAll = [
  ...kMix,
  'server.cpp',
  'exchange.cpp',
  'containers.cpp',
  'large.cpp',
  'churn.cpp',
  'bursts.cpp',
  'resized.cpp',
];
const kCompile = ['-std=c++20', '-O3', '-Wall', '-Wextra', '-Werror', '-Wno-pthreads-mem-growth'];
const kCalls = ['malloc', 'free', 'calloc', 'realloc', 'memalign', 'aligned_alloc'].map(
  (name) => `-fno-builtin-${name}`,
);
const kLink = ['-O3', '-sALLOW_MEMORY_GROWTH', '-sMAXIMUM_MEMORY=2GB', '-sEXIT_RUNTIME'];
const kThreads = ['-pthread', '-sPROXY_TO_PTHREAD', '-sPTHREAD_POOL_SIZE=5', '-Wno-pthreads-mem-growth'];
/** -sINITIAL_HEAP does not go with shared memory: the least memory that holds data and stack. */
const kExact = ['-sINITIAL_MEMORY=786432', '-sMEMORY_GROWTH_GEOMETRIC_STEP=0'];

const kKinds = {
  time: { sources: kAll, compile: ['-pthread'], link: kThreads },
  footprint: { sources: kAll, compile: ['-pthread'], link: [...kThreads, ...kExact] },
  roomy: { sources: kAll, compile: ['-pthread'], link: [...kThreads, '-sINITIAL_MEMORY=268435456'] },
  check: { sources: kAll, compile: ['-pthread', '-DBENCH_CHECK'], link: kThreads },
  single: { sources: kMix, compile: [], link: [] },
};

/** A thread's cache is flushed by a thread-specific key, of which a program in C has the functions only if asked for. */
const kKeys = '-Wl,-u,pthread_key_create,-u,pthread_setspecific';

/** What is linked: `threads` with -pthread, `single` without. A file that is missing leaves the allocator out. */
const kAllocators = {
  heapglass: {
    threads: [ownArchive('malloc-fast-threads'), kKeys],
    single: [ownArchive('malloc-fast')],
  },
  dlmalloc: { threads: ['-sMALLOC=dlmalloc'], single: ['-sMALLOC=dlmalloc'] },
  emmalloc: { threads: ['-sMALLOC=emmalloc'], single: ['-sMALLOC=emmalloc'] },
  mimalloc: { threads: ['-sMALLOC=mimalloc'], single: ['-sMALLOC=mimalloc'] },
  'row-d': {
    compile: [join(root, 'programs/replay/row_d_malloc.c'), `-I${join(root, 'core/include')}`],
    threads: [ownArchive('threads'), kKeys],
    single: [ownArchive('release')],
  },
};
export const allocatorNames = Object.keys(kAllocators);

/** The file an allocator needs and that is not there. */
export function missingFile(allocator) {
  const { threads, single } = kAllocators[allocator];
  return [...threads, ...single].find((flag) => flag.endsWith('.a') && !existsSync(flag));
}

/** A function that makes programs with a compiler ($EMCC when undefined). */
export function programMaker(emcc = process.env.EMCC) {
  buildOwnArchives();
  mkdirSync(outFolder, { recursive: true });
  writeFileSync(join(outFolder, 'package.json'), '{ "type": "commonjs" }\n'); // what Emscripten writes as .js
  const env = emcc === undefined ? process.env : { ...process.env, EMCC: emcc };
  const call = (words, stdio = 'inherit') =>
    execFileSync(join(root, 'wasm-build.sh'), ['emcc', ...words], { env, stdio, encoding: 'utf8' });
  const version = call(['--version'], 'pipe').split('\n')[0];

  /** Runs the compiler unless `out` was made by the same command from the same files (a map is a file it writes). */
  function make(out, words) {
    const key = createHash('sha256').update(version);
    for (const word of words) key.update(`${word}\n`).update(existsSync(word) ? readFileSync(word) : '');
    key.update(readFileSync(here('workload.hpp')));
    const digest = key.digest('hex');
    const stamp = `${out}.stamp`;
    if (existsSync(out) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return out;
    call([...words, '-o', out]);
    writeFileSync(stamp, digest);
    return out;
  }

  /** The program of an allocator and a kind; the path of its JavaScript. */
  function program(allocator, kind) {
    const { sources, compile, link } = kKinds[kind];
    const width = kind === 'single' ? 'single' : 'threads';
    const given = kAllocators[allocator];
    const name = `${compile.join('').replaceAll(/[^A-Za-z]/g, '')}${sources.length}`;
    const files = sources.map(here);
    const objects = [
      make(join(outFolder, `workloads-${name}.o`), [...kCompile, ...kCalls, ...compile, '-r', ...files]),
    ];
    if (given.compile !== undefined) {
      const flags = kind === 'single' ? [] : ['-pthread', '-DHG_THREADS=1'];
      objects.push(
        make(join(outFolder, `${allocator}-${width}.o`), ['-O3', '-fno-builtin', ...flags, '-c', ...given.compile]),
      );
    }
    const map = join(outFolder, `${allocator}-${kind}.map`);
    const words = [...kLink, `-Wl,--Map=${map}`, ...link, ...objects, ...given[width]];
    const out = make(join(outFolder, `${allocator}-${kind}.js`), words);
    const found = linkedAllocators(readFileSync(map, 'utf8')).join(', ');
    if (found !== allocator) throw new Error(`${out}: it should hold ${allocator}, and holds ${found || 'none'}`);
    return out;
  }
  return { version, program };
}
