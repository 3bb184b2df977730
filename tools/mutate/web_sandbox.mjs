// A copy of the sources and tests below build/, in which mutants are written: nothing of the checkout changes.
//
//   ws.1  Sources and tests are copies, so that imports stay in the copy, and so is what wasm-build.sh knows its archives by: it follows no
//         link. What else no mutant touches is linked.
//   ws.3  The sources are those of the beginning, whatever is done to the checkout meanwhile.
//   ws.2  What the tests build goes into the copy's own build/. What was built before is linked, except what is made of web/src: a mutant
//         would be written there.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withMutant } from './web_mutants.mjs';

const kCopied = ['web', 'tests', 'tools', 'package', 'core', 'programs', 'wasm-build.sh'];
const kLinked = ['node_modules', 'docs', 'site', 'CMakeLists.txt', 'CMakePresets.json'];
const kSettings = [
  'package.json',
  'tsconfig.json',
  'tsconfig.package.json',
  'vite.config.ts',
  'vitest.config.ts',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
];
const kOwn = ['mutate', 'links', 'emscripten', 'built', 'npm', 'package']; // of build/: where the copy is, and ws.2

/**
 * @param {string} root
 * @param {readonly string[]} folders of web/src: those with the mutants
 */
export function makeSandbox(root, folders) {
  const path = join(root, 'build/mutate/web');
  rmSync(path, { recursive: true, force: true });
  mkdirSync(join(path, 'build'), { recursive: true });
  for (const name of [...kCopied, ...kSettings]) cpSync(join(root, name), join(path, name), { recursive: true });
  for (const name of kLinked) symlinkSync(join(root, name), join(path, name));
  for (const name of readdirSync(join(root, 'build'))) {
    if (!kOwn.includes(name)) symlinkSync(join(root, 'build', name), join(path, 'build', name));
  }
  const include = ['web/src/**/*.d.ts', ...folders.map((folder) => `web/src/${folder}`)];
  const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false }; // of tidiness, not of types
  writeFileSync(
    join(path, 'tsconfig.mutate.json'),
    JSON.stringify({ extends: './tsconfig.json', compilerOptions, include }),
  );
  return new Sandbox(root, path);
}

class Sandbox {
  /** @type {Map<string, string>} by file: what it was at first (ws.3) */
  #originals = new Map();

  /**
   * @param {string} root
   * @param {string} path
   */
  constructor(root, path) {
    this.root = root;
    this.path = path;
  }

  /** @param {import('./web_mutants.mjs').Mutant} mutant */
  plant(mutant) {
    writeFileSync(join(this.path, mutant.file), withMutant(this.#original(mutant.file), mutant));
  }

  /** @param {import('./web_mutants.mjs').Mutant} mutant */
  takeBack({ file }) {
    writeFileSync(join(this.path, file), this.#original(file));
  }

  /** @param {string} file */
  #original(file) {
    const content = this.#originals.get(file) ?? readFileSync(join(this.path, file), 'utf8');
    this.#originals.set(file, content);
    return content;
  }

  /**
   * Those that TypeScript takes. One mutant of each file at a time is checked with those of the other files: an error in a file is
   * that of its mutant, and after one in a file without a mutant each of that time is checked alone.
   * @param {readonly import('./web_mutants.mjs').Mutant[]} mutants
   */
  thatBuild(mutants) {
    const faulty = this.#filesWithErrors();
    if (faulty.size > 0) throw new Error(`without a mutant there are errors of types in ${[...faulty].join(', ')}`);
    const built = [];
    for (let left = [...mutants]; left.length > 0; ) {
      const files = new Set();
      const round = left.filter(({ file }) => !files.has(file) && files.add(file));
      left = left.filter((mutant) => !round.includes(mutant));
      built.push(...this.#roundThatBuilds(round));
    }
    return new Set(built);
  }

  /** @param {readonly import('./web_mutants.mjs').Mutant[]} round */
  #roundThatBuilds(round) {
    for (const mutant of round) this.plant(mutant);
    const faulty = this.#filesWithErrors();
    for (const mutant of round) this.takeBack(mutant);
    const clear = round.filter(({ file }) => !faulty.has(file));
    for (const { file } of round) faulty.delete(file);
    return faulty.size === 0 ? clear : clear.filter((mutant) => this.#buildsAlone(mutant));
  }

  /** @param {import('./web_mutants.mjs').Mutant} mutant */
  #buildsAlone(mutant) {
    this.plant(mutant);
    const faulty = this.#filesWithErrors();
    this.takeBack(mutant);
    return faulty.size === 0;
  }

  #filesWithErrors() {
    const tsc = join(this.root, 'node_modules/typescript/bin/tsc');
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.mutate.json', '--pretty', 'false'], {
      cwd: this.path,
      encoding: 'utf8',
    });
    const files = new Set([...stdout.matchAll(/^(\S+?)\(\d+,\d+\): error /gm)].map(([, file]) => file ?? ''));
    if (status !== 0 && files.size === 0) throw new Error(`tsc says nothing of a file: ${stdout}`);
    return files;
  }
}
