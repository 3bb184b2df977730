// The steps of npm test: what to run, what must have passed before, how many processes it keeps busy, what it depends on, and where its
// results lie. The counts come from what the suites write for machines (tools/count_results.mjs); a suite that leaves no such file
// counts as one failure.
//
//   wasm ──▶ built ──▶ vitest, e2e        native_build ──▶ native ──▶ native_trace        threads_build ──▶ threads
//
//   steps.1  weight is the number of processes that a step keeps busy. No step starts another on the side: Ninja runs one job, Emscripten
//            one (kOneProcess), ctest and Vitest two. Playwright has three workers, which keep two processes busy: its tests wait now and then.
//   steps.2  built makes once what several suites use: the package, installed into an empty project, and the page. They take it from
//            build/ (tools/built.mjs), and make it there when they run without npm test.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countGoogleTests, countPlaywright, countVitest } from './count_results.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const results = join(root, 'build/results');
const node = process.execPath;
const bin = (name) => join(root, 'node_modules/.bin', name);
const nativeBuild = (preset) => join(root, 'build', preset);

/** steps.1: Emscripten and Binaryen would use every core. */
export const kOneProcess = { EMCC_CORES: '1', BINARYEN_CORES: '1' };
/** Of npm test alone: tools/build_programs.mjs. */
export const kDaily = { HG_PROGRAMS_LINK: '-O1' };

const kCore = ['core', 'programs', 'CMakeLists.txt', 'CMakePresets.json'];
const kNativeTests = ['tests/core', 'tests/threads', 'tests/contract', 'tests/fuzz', 'tests/boost', 'tests/programs'];
const kSettings = ['package.json', 'package-lock.json', 'tools', 'wasm-build.sh'];
const kWeb = ['web', 'package', 'vite.config.ts', ...kCore, ...kSettings];

function vitestStep(name, { needs, weight, inputs, options = [], environment = {} }) {
  const json = join(results, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${json}`];
  return {
    needs,
    commands: [[bin('vitest'), 'run', ...reporters, ...options]],
    environment,
    weight,
    inputs,
    count: () => countVitest(json),
    fresh: [json],
  };
}

/** Two steps: compiling is a chain of one job beside the others, running the programs, so many at once, is not. */
function nativeSteps(name, preset, { settings = [], environment = {}, atOnce = 2 } = {}) {
  const junit = join(results, `${preset}.xml`);
  const gtest = join(nativeBuild(preset), 'gtest');
  const inputs = [...kCore, ...kNativeTests];
  return {
    [`${name}_build`]: {
      commands: [
        ['cmake', '--preset', preset, ...settings],
        ['cmake', '--build', '--preset', preset, '-j', '1'],
      ],
      weight: 1,
      inputs,
    },
    [name]: {
      needs: [`${name}_build`],
      commands: [['ctest', '--preset', preset, '-j', String(atOnce), '--output-junit', junit]],
      environment,
      weight: 2,
      inputs,
      count: () => countGoogleTests(junit, gtest),
      fresh: [junit, gtest],
    },
  };
}

function playwrightStep(environment = {}) {
  const json = join(results, 'playwright.json');
  return {
    needs: ['built'],
    commands: [[bin('playwright'), 'test', '--project=e2e', '--reporter=list,json']],
    environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: json, ...environment },
    weight: 2,
    inputs: [...kWeb, 'tests/e2e', 'playwright.config.ts', 'docs/features.md'],
    count: () => countPlaywright(json),
    fresh: [json],
  };
}

const type = (project) => [bin('tsc'), '-p', project];

/** A thread that waits for another one takes its processor: two programs at once used 153 s, where one after the other uses 62. */
const kThreadedAtOnce = 1;

/** npm test. In this order, as far as there is a core: what others wait for comes first. */
export const kDailySteps = {
  generated: { commands: [[node, 'tools/gen_event_layout.mjs', '--check']], weight: 1 },
  wasm: { commands: [['./wasm-build.sh', 'contract']], weight: 1 },
  ...nativeSteps('native', 'native-asan-ubsan', { settings: ['-DHG_EVERY=OFF'] }),
  built: { needs: ['wasm'], commands: [[node, 'tools/built.mjs']], weight: 1 },
  ...nativeSteps('threads', 'native-tsan', { settings: ['-DHG_EVERY=OFF'], atOnce: kThreadedAtOnce }), // ThreadSanitizer, only what has threads
  biome: { commands: [[bin('biome'), 'ci', '--colors=off']], weight: 1 },
  prose: { commands: [[node, 'tools/check_prose.mjs']], weight: 1 },
  types: {
    commands: ['tsconfig.page.json', 'tsconfig.worker.json', 'tsconfig.json'].map(type),
    weight: 1,
    independent: true, // a failed command does not keep the next from running
  },
  // The one test in TypeScript that needs the native programs.
  native_trace: vitestStep('native_trace', { needs: ['native'], weight: 1, options: ['--project=native'] }),
  vitest: vitestStep('vitest', { needs: ['built'], weight: 2, options: ['--project=!native'] }),
  e2e: playwrightStep(),
};

/** npm run test:all: the same steps, with what is slow and rarely falls, and the checks that have commands of their own. */
const kAll = { HG_TEST: 'all', HG_LINKS: 'full', HG_SITE: 'all', HG_SCENES: 'all' };
export const kAllSteps = {
  ...kDailySteps,
  ...nativeSteps('native', 'native-asan-ubsan', { settings: ['-DHG_EVERY=ON'], environment: kAll }),
  ...nativeSteps('threads', 'native-tsan', { settings: ['-DHG_EVERY=ON'], environment: kAll, atOnce: kThreadedAtOnce }),
  native_trace: { ...kDailySteps.native_trace, environment: kAll },
  vitest: { ...kDailySteps.vitest, environment: kAll },
  e2e: playwrightStep(kAll),
  hosts: vitestStep('hosts', {
    needs: ['built'],
    weight: 2,
    options: ['--config', 'tests/package/hosts/vitest.config.ts'],
  }),
  engines: vitestStep('engines', {
    needs: ['built'],
    weight: 2,
    options: ['--config', 'tests/engines/vitest.config.ts'],
  }),
  modules: vitestStep('modules', {
    needs: ['built'],
    weight: 2,
    options: ['--config', 'tests/instrument/modules/vitest.config.ts'],
  }),
};
