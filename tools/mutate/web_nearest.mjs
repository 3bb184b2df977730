// Which tests are nearest to a source file: the one of the same path, then those that import it, by the length of the way.
//
//   wn.1  Only tests that run in Node alone and build nothing: what compiles C or opens a browser takes longer than a sample. A source that
//         becomes part of linked programs is seen by nothing else, though: for it the tests that link count, too, and they link anew.
//         far() names the nearest of the others, but for those that install or build the package: it would be made anew for each mutant.
//   wn.2  Of two as near, the one in the folder of the same path is first, then the one that imports less.
//   wn.3  A test that imports the file itself always runs, and one of the folder of the same path; others only up to the number that was
//         asked for.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

const kTests = ['tests/web', 'tests/replay', 'tests/contract', 'tests/tools', 'tests/instrument', 'tests/record'];
const kSources = ['web/src', 'tests', 'package'];
/** Of these, those that link or open a browser. Not those of the tools: a benchmark takes minutes. */
const kSlowTests = [
  ...['tests/web', 'tests/instrument', 'tests/record', 'tests/link', 'tests/attach', 'tests/handles'],
  ...['tests/extension', 'tests/web_threads', 'tests/experiments'],
];
const kLinkingTests = ['tests/record', 'tests/link'];
/** What tools/build_recorder.mjs bundles for linked programs, by the name that a test imports. */
const kBundles = { writeRecorder: 'web/src/record/linked/start.ts', writeShrink: 'web/src/shrink/linked/start.ts' };
/** wn.1 */
const kInstalls = /built\.mjs|command_line\.ts|bare_command\.ts|installed\.ts/;
const kBuilds =
  /findChromium|chromium\.launch|emcc|em\+\+|clang|command_line\.ts|stacked_program\.ts|build_|build\/native/;

/**
 * @param {string} root
 * @param {readonly string[]} [without] no tests with one of these in their path
 */
export function nearestTests(root, without = []) {
  const files = kSources.flatMap((folder) => scripts(root, folder));
  const imports = new Map(files.map((file) => [file, importsOf(root, file)]));
  /** @param {readonly string[]} folders */
  const testsIn = (folders) =>
    folders
      .flatMap((folder) => scripts(root, folder).filter((file) => file.endsWith('.test.ts')))
      .filter((file) => !without.some((text) => file.includes(text)))
      .map((file) => ({ file, distances: distancesFrom(file, imports) }));
  /** @param {{distances: Map<string, number>}} test */
  const buildsNothing = ({ distances }) => ![...distances.keys()].some((file) => builds(root, file));
  const quick = testsIn(kTests).filter(buildsNothing);
  const linking = testsIn(kLinkingTests).filter((test) => !buildsNothing(test));
  const linked = new Set(Object.values(kBundles).flatMap((entry) => [...distancesFrom(entry, imports).keys()]));
  /** @param {{distances: Map<string, number>}} test */
  const installsNothing = ({ distances }) => ![...distances.keys()].some((file) => installs(root, file));
  const slow = testsIn(kSlowTests).filter((test) => !buildsNothing(test) && installsNothing(test));
  return {
    /**
     * So many, nearest first (wn.3).
     * @param {string} source
     * @param {number} count
     */
    of(source, count) {
      return ranked(linked.has(source) ? [...quick, ...linking] : quick, source)
        .filter(({ file, rank: [distance] }, nth) => nth < count || file.startsWith(folderOf(source)) || distance === 1)
        .map(({ file }) => file);
    },
    /**
     * So many of those that build something or open a browser (wn.1).
     * @param {string} source
     * @param {number} count
     */
    far: (source, count) =>
      ranked(slow, source)
        .slice(0, count)
        .map(({ file }) => file),
  };
}

/** @type {(source: string) => string} */
const mirrorOf = (source) => source.replace('web/src/', 'tests/web/').replace(/\.ts$/, '.test.ts');

/** @type {(source: string) => string} */
const folderOf = (source) => `${dirname(mirrorOf(source))}/`;

/**
 * Those that reach it, by wn.2.
 * @param {readonly {file: string, distances: Map<string, number>}[]} tests
 * @param {string} source
 */
function ranked(tests, source) {
  const mirrored = mirrorOf(source);
  const stem = basename(source, '.ts');
  /** @param {string} test */
  const isNamesake = (test) =>
    dirname(test) === dirname(mirrored) && `_${stem}_`.includes(`_${basename(test, '.test.ts')}_`);
  /** @param {{file: string, distances: Map<string, number>}} test */
  const rank = ({ file, distances }) => [
    file === mirrored ? -1 : isNamesake(file) ? 0 : (distances.get(source) ?? 0),
    file.startsWith(folderOf(source)) ? 0 : 1,
    distances.size,
  ];
  return tests
    .filter(({ distances }) => distances.has(source))
    .map((test) => ({ file: test.file, rank: rank(test) }))
    .sort((one, other) => compareRanks(one.rank, other.rank));
}

/** @type {(one: readonly number[], other: readonly number[]) => number} */
function compareRanks(one, other) {
  for (const [at, value] of one.entries()) if (value !== other[at]) return value - (other[at] ?? 0);
  return 0;
}

/** @type {(root: string, file: string) => boolean} */
const installs = (root, file) => file.startsWith('tests/') && kInstalls.test(readFileSync(join(root, file), 'utf8'));

/** @type {(root: string, file: string) => boolean} */
const builds = (root, file) => file.startsWith('tests/') && kBuilds.test(readFileSync(join(root, file), 'utf8'));

/** @type {(root: string, folder: string) => string[]} */
const scripts = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mjs)$/.test(name) && !name.endsWith('.d.ts') && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`);

/** Of values: a type is gone when the tests run. */
const kImport = /^(?:import|export)(?! type\b)[^;']*'(\.[^']+\.(?:ts|mjs))'|\bimport\('(\.[^']+\.(?:ts|mjs))'/gm;

/** @type {(root: string, file: string) => string[]} */
function importsOf(root, file) {
  const text = readFileSync(join(root, file), 'utf8');
  const named = [...text.matchAll(kImport)]
    .map(([, to, later]) => normalize(join(dirname(file), to ?? later ?? '')))
    .filter((to) => existsSync(join(root, to)));
  const bundled = Object.entries(kBundles).filter(([name]) =>
    new RegExp(`\\b${name}\\b.*/build_recorder\\.mjs'`).test(text),
  );
  return [...named, ...bundled.map(([, entry]) => entry)];
}

/**
 * @param {string} test
 * @param {ReadonlyMap<string, readonly string[]>} imports
 */
function distancesFrom(test, imports) {
  const distances = new Map([[test, 0]]);
  for (const [file, distance] of distances) {
    for (const to of imports.get(file) ?? []) if (!distances.has(to)) distances.set(to, distance + 1);
  }
  return distances;
}
