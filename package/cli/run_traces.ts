// The files of a program's traces, and which of them it has written: heapglass run, and the process that outlives it (run_watch.ts).

import { type BigIntStats, readdirSync, statSync } from 'node:fs';
import { join, parse } from 'node:path';

const kNumbered = /^(?:-\d+)?(?:-thread\d+)?$/;

/** A file as it was: when it was written last, and its bytes. */
export interface FileThen {
  readonly path: string;
  readonly mtimeNs: string;
  readonly size: string;
}

/** Files that a program may have written whose first trace is called `output`. */
export function tracesAt(output: string): ReadonlyMap<string, BigIntStats> {
  const { dir, name, ext } = parse(output);
  const found = new Map<string, BigIntStats>();
  for (const file of filesIn(dir)) {
    const isOne =
      file.startsWith(name) && file.endsWith(ext) && kNumbered.test(file.slice(name.length, file.length - ext.length));
    const stats = isOne ? statSync(join(dir, file), { bigint: true, throwIfNoEntry: false }) : undefined;
    if (stats !== undefined) found.set(join(dir, file), stats);
  }
  return found;
}

/** What a process that begins now can be given, to ask writtenSince. */
export const filesNow = (output: string): readonly FileThen[] =>
  [...tracesAt(output)].map(([path, { mtimeNs, size }]) => ({ path, mtimeNs: `${mtimeNs}`, size: `${size}` }));

export function writtenSince(before: readonly FileThen[], output: string): readonly (readonly [string, BigIntStats])[] {
  return [...tracesAt(output)].filter(
    ([path, { mtimeNs, size }]) =>
      !before.some((old) => old.path === path && old.mtimeNs === `${mtimeNs}` && old.size === `${size}`),
  );
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
  } catch {
    return []; // nothing can be written there
  }
}
