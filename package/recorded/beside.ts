// Which functions of a finished module are its allocator, in the order in which they are tried.
//
//   rec.1  What the caller names; else the module's own names; else what JavaScript beside the module says, first the scripts that name its
//          file. Where two of those say different things, none is believed.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Named } from '../../web/src/instrument/family.ts';
import { saidBy } from './said_names.ts';

export interface Candidate {
  readonly named: Named;
  /** The script that says it. */
  readonly script?: string;
}

const kScript = /\.[cm]?js$/;

/** `file`: where the module lies, if that is known. */
export function candidates(given: Named, bytes: Uint8Array, file: string | undefined): readonly Candidate[] {
  return withSaid(given, file === undefined || given.malloc !== undefined ? undefined : saidBeside(file, bytes));
}

/** `said`: by a script of the module's. */
export function withSaid(given: Named, said: Candidate | undefined): readonly Candidate[] {
  if (given.malloc !== undefined || said === undefined) return [{ named: given }];
  return [{ named: given }, { ...said, named: { ...said.named, ...given } }];
}

function saidBeside(file: string, bytes: Uint8Array): Candidate | undefined {
  return saidBy(
    scriptsBeside(file).map((script) => [basename(script), readFileSync(script, 'utf8')] as const),
    bytes,
    basename(file),
  );
}

function scriptsBeside(file: string): string[] {
  const folder = dirname(file);
  try {
    const found = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile() && kScript.test(one.name));
    return found.map(({ name }) => join(folder, name));
  } catch {
    return []; // a folder that may not be listed
  }
}
