// The scripts of the package in which a file lies: its module and the JavaScript around it may be in different folders.
//
//   pack.1  The package is the nearest folder upward whose package.json has a name; some folders inside have one that only says a type.
//           A file outside of any package has none.
//   pack.2  The folders nearest to the file come first, so that a limit leaves out what is far away. What is installed below
//           (node_modules) and hidden folders are other programs'.
//   pack.3  What is no plain file (a pipe, a device, a link to one) is not read: it may have no end.

import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export interface PackageScripts {
  /** By their path in the package, the nearest first. */
  readonly scripts: readonly (readonly [path: string, text: string])[];
  /** What was left out because there is more than is read; undefined: nothing. */
  readonly limit?: string;
}

const kScript = /\.[cm]?js$/;
const kMostEntries = 5000; // files and folders that are looked at
const kMostScripts = 500;
const kMostBytes = 32 * 1024 * 1024; // of all scripts
const kMostOfOne = 8 * 1024 * 1024; // larger ones are data, or bundles

export function scriptsBeside(file: string): readonly (readonly [name: string, text: string])[] {
  const folder = dirname(file);
  return entriesOf(folder)
    .filter(isScript)
    .map(({ name }) => [name, textOf(join(folder, name))] as const);
}

export function scriptsOfPackage(file: string): PackageScripts {
  const root = packageOf(dirname(file));
  const scripts: (readonly [string, string])[] = [];
  if (root === undefined) return { scripts };
  let entries = 0;
  let bytes = 0;
  for (const folder of foldersFrom(dirname(file), root)) {
    const inside = entriesOf(folder);
    entries += inside.length;
    for (const entry of inside) {
      if (!isScript(entry)) continue;
      const path = join(folder, entry.name);
      const size = sizeOf(path);
      if (size > kMostOfOne) continue;
      bytes += size;
      if (scripts.length >= kMostScripts || bytes > kMostBytes) return { scripts, limit: limitOf(scripts.length) };
      scripts.push([relative(root, path), textOf(path)]);
    }
    if (entries > kMostEntries) return { scripts, limit: limitOf(scripts.length) };
  }
  return { scripts };
}

const limitOf = (count: number): string => `of the scripts of its package only the nearest ${count} were read`;

/** pack.1 */
function packageOf(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (hasName(join(folder, 'package.json'))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function hasName(manifest: string): boolean {
  try {
    if (!isPlainFile(manifest)) return false;
    const { name } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly name?: unknown };
    return typeof name === 'string' && name !== '';
  } catch {
    return false; // none, or no JSON
  }
}

/** pack.2: those below the folder, then those below the one that it is in, and so on up to the root. */
function* foldersFrom(from: string, root: string): Generator<string> {
  let done: string | undefined;
  for (let folder = from; ; folder = dirname(folder)) {
    yield* foldersBelow(folder, done);
    if (folder === root) return;
    done = folder;
  }
}

/** The folder itself, then what is in it, level by level; without `done`, which was seen. */
function* foldersBelow(top: string, done: string | undefined): Generator<string> {
  const waiting = [top];
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    yield folder;
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.') && path !== done)
        waiting.push(path);
    }
  }
}

/** pack.3 */
function isPlainFile(path: string): boolean {
  const stats = statSync(path);
  return stats.isFile() && stats.size <= kMostOfOne;
}

const isScript = (entry: Dirent): boolean => entry.isFile() && kScript.test(entry.name);

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    return []; // a folder that may not be listed
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // a file that may not be read
  }
}
