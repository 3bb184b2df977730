// The steps of npm test: what to run, what must have passed before, how heavy it is, and where its results lie. The counts come from
// what the suites write for machines (tools/count_results.mjs); a suite that leaves no such file counts as one failure.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countGoogleTests, countPlaywright, countVitest } from './count_results.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const results = join(root, 'build/results');
const node = process.execPath;
const bin = (name) => join(root, 'node_modules/.bin', name);
const nativeBuild = (preset) => join(root, 'build', preset);

const kNativeTrace = 'tests/contract/native_trace.test.ts';
/** Tests that link, install or run whole programs: two thirds of Vitest's time. Vitest uses one of two cores, so they are a step of
 *  their own, beside native at first and beside the other tests at the end. What two of them write to is in one step. */
const kProgramTests = [
  'attach',
  'build_systems',
  'cli',
  'foreign_toolchains',
  'instrument',
  'link',
  'package',
  'record',
  'replay',
  'web_threads',
];

function vitestStep(need, name, ...options) {
  const json = join(results, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${json}`];
  return {
    needs: [need],
    commands: [[bin('vitest'), 'run', ...reporters, ...options]],
    weight: 1,
    count: () => countVitest(json),
    fresh: [json],
  };
}

const native = (preset) => {
  const junit = join(results, `${preset}.xml`);
  const gtest = join(nativeBuild(preset), 'gtest');
  return {
    commands: [
      ['cmake', '--preset', preset],
      ['cmake', '--build', '--preset', preset, '-j', '2'],
      ['ctest', '--preset', preset, '-j', '2', '--output-junit', junit],
    ],
    weight: 1,
    count: () => countGoogleTests(junit, gtest),
    fresh: [junit, gtest],
  };
};

export const kSteps = {
  generated: { commands: [[node, 'tools/gen_event_layout.mjs', '--check']] },
  biome: { commands: [[bin('biome'), 'ci', '--colors=off']] },
  prose: { commands: [[node, 'tools/check_prose.mjs']] },
  types: {
    commands: ['tsconfig.page.json', 'tsconfig.worker.json', 'tsconfig.json'].map((project) => [
      bin('tsc'),
      '-p',
      project,
    ]),
  },
  wasm: { commands: [['./wasm-build.sh', 'contract']], weight: 1 },
  native: native('native-asan-ubsan'),
  programs: vitestStep('wasm', 'programs', ...kProgramTests.map((folder) => `tests/${folder}/`)),
  threads: native('native-tsan'), // ThreadSanitizer, only what has threads
  vitest: vitestStep('wasm', 'vitest', `--exclude=${kNativeTrace}`, `--exclude=tests/{${kProgramTests}}/**`),
  // The one test in TypeScript that needs the native programs.
  native_trace: vitestStep('native', 'native_trace', kNativeTrace),
  e2e: {
    needs: ['wasm'],
    commands: [[bin('playwright'), 'test', '--project=e2e', '--reporter=list,json']],
    environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: join(results, 'playwright.json') },
    weight: 2, // alone: it waits for what a person would see
    count: () => countPlaywright(join(results, 'playwright.json')),
    fresh: [join(results, 'playwright.json')],
  },
};
