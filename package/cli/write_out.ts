// A file that a command writes: whole under its name, or not at all.
//
//   W1  The content goes to a new file beside it, to the disk, and only then under the name. Where anything fails the new file is
//       removed, and what the name held before is as it was.
//   W2  A link leads to the file that is replaced; a device or a pipe is written as it is.
//   W3  An output that is one of the inputs, by whatever name, is refused before anything is read or written.

import {
  type BigIntStats,
  chmodSync,
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { pathOf } from './paths.ts';
import { fileProblem, Problem } from './problem.ts';

type Path = string | Buffer;
const kModeBits = 0o777;

export function writeOut(name: string, content: string | Uint8Array, exitCode: number): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  try {
    const path = pathOf(name);
    const before = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (before === undefined || before.isFile()) replace(before === undefined ? path : realOf(path), bytes, before);
    else writeTo(openSync(path, 'w'), bytes); // W2
  } catch (error) {
    throw fileProblem(error, name, exitCode);
  }
}

/** W1 */
function replace(path: Path, bytes: Uint8Array, before: BigIntStats | undefined): void {
  const beside = withEnding(path, `.${process.pid}.tmp`);
  const file = openSync(beside, 'wx');
  try {
    writeTo(file, bytes, true);
    if (before !== undefined) chmodSync(beside, Number(before.mode) & kModeBits);
    renameSync(beside, path);
  } catch (error) {
    removeQuietly(beside);
    throw error;
  }
}

/** Closes it, however it ends. */
function writeTo(file: number, bytes: Uint8Array, toDisk = false): void {
  let failed = true;
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    if (toDisk) fsyncSync(file);
    failed = false;
  } finally {
    if (failed) closeQuietly(file);
    else closeSync(file); // a disk may say only here that it is full
  }
}

function closeQuietly(file: number): void {
  try {
    closeSync(file);
  } catch {
    // the first failure is the one to name
  }
}

function removeQuietly(path: Path): void {
  try {
    unlinkSync(path);
  } catch {
    // the first failure is the one to name
  }
}

// The native one: the other makes text of its path.
const realOf = (path: Path): Path =>
  typeof path === 'string' ? realpathSync.native(path) : realpathSync.native(path, 'buffer');
const withEnding = (path: Path, ending: string): Path =>
  typeof path === 'string' ? path + ending : Buffer.concat([path, Buffer.from(ending)]);

/** W3; undefined names are options that were not given. `answers`: standard output is one of the outputs. */
export function refuseOnto(
  inputs: readonly (string | undefined)[],
  outputs: readonly (string | undefined)[],
  exitCode: number,
  { answers = false }: { readonly answers?: boolean } = {},
): void {
  const place = (name: string | undefined) => (name === undefined ? [] : placeOf(name, exitCode));
  const read = new Map(inputs.flatMap(place));
  const given = outputs.flatMap(place);
  const standard = answers ? placeOfStandardOutput(exitCode) : [];
  for (const [at, name] of [...given, ...standard]) {
    const input = read.get(at);
    if (input === undefined) continue;
    const same = input === name ? 'the input' : `the same file as the input "${input}"`;
    throw new Problem(`"${name}" is ${same}: it would be overwritten; name another file for the output`, exitCode);
  }
  const named = outputs.filter((name) => name !== undefined);
  const twice = named.find((name, nth) => named.indexOf(name) !== nth);
  if (twice !== undefined) throw new Problem(`"${twice}" is named for two outputs`, exitCode);
}

type Placed = readonly [place: string, name: string];

/** A file's device and number; nothing where there is no regular file. */
function placeOf(name: string, exitCode: number): Placed[] {
  try {
    const stats = statSync(pathOf(name), { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? [] : placed(stats, name);
  } catch (error) {
    throw fileProblem(error, name, exitCode);
  }
}

function placeOfStandardOutput(exitCode: number): Placed[] {
  try {
    return placed(fstatSync(1, { bigint: true }), 'standard output');
  } catch (error) {
    throw fileProblem(error, 'standard output', exitCode);
  }
}

const placed = (stats: BigIntStats, shown: string): Placed[] =>
  stats.isFile() ? [[`${stats.dev}:${stats.ino}`, shown]] : [];
