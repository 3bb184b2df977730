// Compiles one file of C or C++ to an object under build/bench/objects, once per content, flags and compiler. Headers in
// the file's folder count as content, and for files of this bench those that its folders share; headers of downloaded
// sources are pinned with their version.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { callEmcc, emccVersion, root } from '../harness/compile.mjs';

const outFolder = join(root, 'build/bench/objects');
const kHeader = /\.(h|hpp|inc)$/;

export function digest(...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 24);
}

const headersIn = (folder) =>
  readdirSync(folder)
    .filter((name) => kHeader.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name)));

const ownFolder = join(root, 'tests/bench/malloc');
const kShared = [
  ...['programs', 'runtime', 'workloads'].map((name) => join(ownFolder, name)),
  join(root, 'programs/replay'),
];

function headersOf(source) {
  const beside = dirname(source);
  const shared = source.startsWith(ownFolder) ? kShared.filter((folder) => folder !== beside) : [];
  return [beside, ...shared].flatMap(headersIn);
}

const underWay = new Map(); // by object: two builds may want one at the same time

/** The path of the object. */
export async function compileObject(source, flags) {
  mkdirSync(outFolder, { recursive: true });
  const key = digest(emccVersion(), source, ...flags, readFileSync(source), ...headersOf(source));
  const object = join(outFolder, `${basename(source, extname(source))}-${key}.o`);
  if (!existsSync(object) && !underWay.has(object)) underWay.set(object, compileTo(object, source, flags));
  await underWay.get(object);
  return object;
}

async function compileTo(object, source, flags) {
  const unfinished = `${object}.part`;
  await callEmcc(['-c', source, ...flags, '-o', unfinished], source);
  renameSync(unfinished, object);
}
