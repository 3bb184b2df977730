// Tests that run in Node: the web half, the contract between wasm, trace and model, the package, the tools.
//
//   npx vitest run [path ...]                what npm test runs
//   HG_TEST=all npx vitest run [path ...]    also what is slow and rarely fails (npm run test:all)
//   HG_ORDER=7 npx vitest run [path ...]     files in a random order, of seed 7: finds what one file leaves to the next of its process

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { leaveOutPackageTools } from './tools/package_tools.mjs';

leaveOutPackageTools();

const kAll = process.env['HG_TEST'] === 'all';
/** What a run without HG_TEST=all leaves out, also where a command names it. */
export const kSlow = [
  'tests/package/bundlers.test.ts', // eleven bundles by four bundlers
  'tests/package/vite_build.test.ts', // three builds by Vite, and their pages
  'tests/boost/**', // Boost's containers: 22 s to compile
  'tests/foreign_toolchains/**', // clang without a libc, wasi-libc, Rust
  'tests/build_systems/**', // CMake, Meson, make, pkg-config, ports
  'tests/link/{lock_waits,cancelled_threads}.test.ts', // faults of V8 and of Emscripten 3.1.6 that malloc stays clear of
  'tests/instrument/{page_threads,thread_stacks,page_callers}.test.ts', // threads and callers of foreign modules once more, in a page and with stacks
  'tests/web/shrink/programs.test.ts', // whole texts; daily many small ones: tests/link/shrink_calls.test.ts
  'tests/cli/{build_diffs,unknown_frees}.test.ts', // more programs linked, recorded and asked
  'tests/web_threads/crowd.test.ts', // threads of all kinds at once
  'tests/site/**', // the site, with axe
  'tests/tools/{malloc_bench,random_programs,programs}.test.ts', // the benchmarks themselves, each with every allocator
  'tests/tools/same_addresses.test.ts', // probes move no block: 30 programs; daily the contract says so, in wasm
];
const kTests = [
  'tests/{web,tools,bench,contract,package,build_systems,boost,experiments,link,record,attach,cli}/**/*.test.ts',
  'tests/{instrument,handles,replay,site,extension,web_threads,foreign_toolchains}/**/*.test.ts',
];
/** Needs the native programs: a step of its own in npm test (--project=native). */
const kNativeTrace = 'tests/contract/native_trace.test.ts';
/** Folders whose tests link, install or run whole programs: they begin first, so that the short ones fill the other worker's end. */
const kLong =
  /\/tests\/(attach|extension|web_threads|cli|link|instrument|handles|package|record|replay|build_systems|experiments|contract)\//;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => kLong.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const order = process.env['HG_ORDER'];

export default defineConfig({
  test: {
    environment: 'node',
    css: { include: [/base\/tokens\.css/] }, // else it is empty, and with it the look of reports
    projects: [
      { extends: true, test: { name: 'native', include: [kNativeTrace] } },
      { extends: true, test: { name: 'tests', include: kTests, exclude: [kNativeTrace, ...(kAll ? [] : kSlow)] } },
    ],
    isolate: false, // two processes, which read each module once: 158 s of processor time for tests/web, against 214
    setupFiles: ['tests/put_back.ts'],
    maxWorkers: 2,
    sequence: order ? { shuffle: { files: true }, seed: Number(order) } : { sequencer: LongestFirst },
    testTimeout: 120_000, // two shared cores; a package test installs a tarball
    hookTimeout: 300_000,
    passWithNoTests: false,
    retry: 1, // docs/decisions/0017-second-try.md; tests of races between threads have 0
  },
});
