// The copy of the core in which mutants are built and judged, so that the checkout stays as it is.
//
//   build/mutate/core/tree     the sources
//   build/mutate/core/judge    the test programs, -O0 without sanitizers: those take three times as long to compile, and what a
//                              damaged heap does shows in its check, in the twin's contents or in a trap
//   build/mutate/core/races    the programs with threads, under ThreadSanitizer: what a lock keeps apart shows there alone
//   build/mutate/core/equal    -O2, without sanitizers: whether a mutant changes any object code

import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { findCommand } from '../find_chromium.mjs';
import { copyWhatDiffers } from './copy_tree.mjs';

const kCopied = [
  'core',
  'tests/core',
  'tests/contract',
  'tests/threads',
  'tests/fuzz',
  'tests/every.hpp',
  'programs',
  'CMakeLists.txt',
];
/** Not of the core alone, and slow to compile; core_tests is there folder by folder (core.cmake). */
const kLeftOut = /^(boost_|experiments|threads_experiments|core_tests$|gtest_header)/;

/** Together they compile every line, each before a program is built for it. */
const kReadAs = [
  ['-DHG_TRACE=1', '-DHG_CHECKED=1'],
  ['-DHG_TRACE=1', '-DHG_THREADS=1'],
  ['-DHG_HARDENED=1', '-DHG_THREADS=1'],
  [],
];

/** Before the name of a program that is built with ThreadSanitizer. */
const kRaces = 'races/';
const kPrograms = ['threads_tests', 'threads_trace_tests'];
export const kRacePrograms = kPrograms.map((name) => kRaces + name);

const kMostKib = 8 * 1024 * 1024; // of address space: a mutant may ask for ever more

/** Thrown when the run is stopped, by Ctrl-C or a signal. */
export class Stopped extends Error {}

const kInterrupted = [2, 130]; // what ninja returns then
let stopping = false;
let child;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    stopping = true;
    child?.kill('SIGTERM');
  });
}

export class CoreBuild {
  constructor(root, work) {
    this.root = root;
    this.work = work;
    this.tree = join(work, 'tree');
    this.judge = join(work, 'judge');
    this.races = join(work, 'races');
    this.equal = join(work, 'equal');
  }

  copySources() {
    for (const part of kCopied) copyWhatDiffers(join(this.root, part), join(this.tree, part));
    copyWhatDiffers(join(this.root, 'tools/mutate/core.cmake'), join(this.tree, 'core.cmake'));
  }

  /** Of all that decides what a mutant does. */
  digest() {
    const hash = createHash('sha256');
    for (const part of [...kCopied, 'core.cmake']) {
      for (const path of filesBelow(join(this.tree, part)))
        hash.update(path.slice(this.tree.length)).update(readFileSync(path));
    }
    return hash.digest('hex');
  }

  configure() {
    const settings = [
      '-G',
      'Ninja',
      `-DCMAKE_PROJECT_heapglass_INCLUDE=${join(this.tree, 'core.cmake')}`,
      '-DHG_WERROR=OFF',
      ...(findCommand('ccache') ? ['-DCMAKE_CXX_COMPILER_LAUNCHER=ccache'] : []),
    ];
    const kinds = [
      [this.judge, ['-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_CXX_FLAGS_DEBUG=-O0 -D_GLIBCXX_ASSERTIONS']],
      [this.races, ['-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1', '-DHG_TSAN=ON', '-DHG_EVERY=ON']],
      [this.equal, ['-DCMAKE_BUILD_TYPE=Release', '-DCMAKE_CXX_FLAGS_RELEASE=-O2']],
    ];
    for (const [folder, own] of kinds)
      execFileSync('cmake', ['-S', this.tree, '-B', folder, ...settings, ...own], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
  }

  /** Every test program with the sources it is made of, and the settings of the library it is linked to. */
  programs() {
    const sources = new Map();
    const variants = new Map();
    for (const { file, command } of JSON.parse(readFileSync(join(this.judge, 'compile_commands.json'), 'utf8'))) {
      const target = / -o CMakeFiles\/([^/]+)\.dir\//.exec(command)?.[1];
      const path = file.startsWith(`${this.tree}/`) ? file.slice(this.tree.length + 1) : undefined;
      if (target === undefined || path === undefined || target.startsWith('heapglass_core') || kLeftOut.test(target))
        continue;
      sources.set(target, [...(sources.get(target) ?? []), path]);
      const settings = [...command.matchAll(/ -D(HG_(?:TRACE|CHECKED|THREADS|HARDENED)=1)/g)].map(
        ([, setting]) => setting,
      );
      variants.set(target, settings.sort().join(' '));
    }
    const programs = [...sources].map(([name, files]) => ({ name, variant: variants.get(name), files }));
    return programs.sort((a, b) => a.name.localeCompare(b.name));
  }

  /** The files of the core, relative to the tree. */
  coreFiles() {
    const paths = ['core/src', 'core/include'].flatMap((folder) => filesBelow(join(this.tree, folder)));
    return paths.map((path) => path.slice(this.tree.length + 1)).filter((path) => /\.(cpp|hpp|h)$/.test(path));
  }

  /** Whether a compiler can read this text as the file: quicker than a build, and no file changes. */
  async reads(text) {
    const include = ['core/include', 'core/src', 'tests'].flatMap((folder) => ['-I', join(this.tree, folder)]);
    for (const settings of kReadAs) {
      const options = ['-std=c++20', '-fsyntax-only', '-w', ...settings, ...include];
      const command = ['c++', ...options, '-x', 'c++', '-'];
      if (!(await run(command, { log: join(this.work, 'read.log'), input: text })).passed) return false;
    }
    return true;
  }

  #pathOf(program) {
    return program.startsWith(kRaces) ? join(this.work, program) : join(this.judge, program);
  }

  /** Resolves to whether all can be built. */
  async builds(...programs) {
    const paths = programs.map((program) => this.#pathOf(program));
    for (const folder of new Set(paths.map(dirname))) {
      const targets = paths.filter((path) => dirname(path) === folder).map((path) => basename(path));
      const log = join(this.work, 'build.log');
      if (!(await run(['ninja', '-C', folder, '-j', '1', ...targets], { log })).passed) return false;
    }
    return true;
  }

  /** Of the program's file: equal ones need not run again. */
  fingerprint(program) {
    return createHash('sha256')
      .update(readFileSync(this.#pathOf(program)))
      .digest('hex');
  }

  /** Runs a program to its first failure. `seconds`: of the processor; undefined for no limit. */
  async runs(program, seconds) {
    const log = join(this.work, 'run.log');
    const memory = program.startsWith(kRaces) ? '' : `ulimit -v ${kMostKib}; `; // ThreadSanitizer reserves far more
    const limit = seconds === undefined ? '' : `ulimit -t ${Math.ceil(seconds)}; ${memory}`;
    const command = ['sh', '-c', `${limit}exec "$0" --gtest_fail_fast`, this.#pathOf(program)];
    const result = await run(command, { log, wallSeconds: seconds === undefined ? undefined : 20 * seconds });
    return { ...result, test: result.passed ? undefined : failedTest(log) };
  }

  /** Builds the targets at -O2; resolves to whether that is possible. */
  async objectsBuilt(targets) {
    const command = ['ninja', '-C', this.equal, '-j', '1', ...targets];
    return (await run(command, { log: join(this.work, 'equal.log') })).passed;
  }

  /** Each object of the targets at -O2, with its hash. */
  objects(targets) {
    const paths = targets.flatMap((target) => filesBelow(join(this.equal, 'CMakeFiles', `${target}.dir`)));
    const hashes = paths
      .filter((path) => path.endsWith('.o'))
      .map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]);
    return new Map(hashes);
  }
}

function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}

/** The first test that failed, of the log of a run; of one that ended in the midst of a test, that one. With --gtest_fail_fast those
 *  behind the first are begun, too, and skipped. */
function failedTest(log) {
  const text = readFileSync(log, 'utf8');
  return (/^\[ {2}FAILED {2}\] ([^\s,]+)/m.exec(text) ?? [...text.matchAll(/^\[ RUN {6}\] (\S+)/gm)].at(-1))?.[1];
}

/** Resolves to {passed, timedOut, seconds} by the clock. */
function run([command, ...args], { log, wallSeconds, input }) {
  mkdirSync(dirname(log), { recursive: true });
  const output = openSync(log, 'w');
  const began = process.hrtime.bigint();
  child = spawn(command, args, {
    stdio: [input === undefined ? 'ignore' : 'pipe', output, output],
    env: { ...process.env, NINJA_STATUS: '' },
  });
  child.stdin?.on('error', () => {}); // a compiler that gave up early
  child.stdin?.end(input);
  const running = child;
  const timer = wallSeconds === undefined ? undefined : setTimeout(() => running.kill('SIGKILL'), wallSeconds * 1000);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      closeSync(output);
      if (stopping || signal === 'SIGINT' || signal === 'SIGTERM') return reject(new Stopped());
      if (command === 'ninja' && kInterrupted.includes(code)) return reject(new Stopped());
      const seconds = Number(process.hrtime.bigint() - began) / 1e9;
      resolve({ passed: code === 0, timedOut: signal === 'SIGKILL' || signal === 'SIGXCPU', seconds });
    });
  });
}
