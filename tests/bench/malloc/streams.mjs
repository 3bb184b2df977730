// Streams: what real programs ask of malloc and kin, recorded once and kept in build/bench/streams.
//
//   <name>.stream       the operations (programs/replay/stream.h)
//   <name>.stream.json  what it was made of, and its figures
//
//   T1  A stream is recorded by the counted build of its program with dlmalloc (runtime/record.c), and made again when
//       that module or the arguments change: sources, flags and compiler are in the module's name.
//   T2  The program's output has to be the known one while it is recorded.
//   T3  A program that makes more than five million calls, or has more than a million blocks live, is recorded up to
//       there.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../harness/compile.mjs';
import { kCounting } from './allocators.mjs';
import { buildModule } from './build.mjs';
import { execute } from './execute.mjs';

const folder = join(root, 'build/bench/streams');

/**
 * The path of a program's stream, recorded when it is not there.
 * @param {{ name: string, module: object, args: string[], expected: string }} program of group real
 */
export async function recordedStream({ name, module, args, expected }) {
  const wasm = await buildModule(module, kCounting, { counted: true });
  const made = JSON.stringify([basename(wasm), args]);
  const path = join(folder, `${name}.stream`);
  if (existsSync(path) && readFacts(path)?.made === made) return path;
  const { checksum, recorded, peak } = await execute(readFileSync(wasm), { mode: 'recorded', kind: module.kind, args });
  if (checksum !== expected) throw new Error(`output ${checksum}, not ${expected}`);
  const { operations, ...facts } = recorded;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, operations);
  writeFileSync(`${path}.json`, `${JSON.stringify({ made, ...facts, peak })}\n`);
  return path;
}

/** What is known of a stream; undefined when it was not finished. */
function readFacts(path) {
  const file = `${path}.json`;
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
