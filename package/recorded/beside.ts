// Which functions of a finished module are its allocator, in the order in which they are tried.
//
//   rec.1  What the caller names; else the module's own names; else what JavaScript beside the module says, first the scripts that name its
//          file; else what the other scripts of its package say that name its file: short names of exports are the same in many modules.
//          Where two say different things, none is believed, and the two are named.
//          In a page whose modules lie nowhere, the scripts that it has loaded take the place of those beside the module.
//   rec.3  Who said it is said, and why that one.

import { basename } from 'node:path';
import { roleOfName } from '../../web/src/instrument/allocator_names.ts';
import type { Named } from '../../web/src/instrument/family.ts';
import { ModuleProblem } from '../../web/src/instrument/module_problem.ts';
import { kExported, readModule, WasmFileError } from '../../web/src/symbols/index.ts';
import { scriptsBeside, scriptsOfPackage } from './package_scripts.ts';
import { allSaidBy, type Said, type Script } from './said_names.ts';

export interface Candidate {
  readonly named: Named;
  /** The script that says it, and why it was chosen. */
  readonly by?: string;
}

export interface Candidates {
  readonly tried: readonly Candidate[];
  /** What else there is to say if none of them will do. */
  readonly doubt?: string;
}

/** `file`: where the module lies, if that is known. mayMean: whether what this script says may be of that module. */
export function candidates(
  given: Named,
  bytes: Uint8Array,
  file: string | undefined,
  mayMean: (script: string) => boolean = () => true,
): Candidates {
  if (file === undefined || given.malloc !== undefined) return { tried: [{ named: given }] };
  const name = basename(file);
  const ofIts = (scripts: readonly Script[]) => scripts.filter(([, text]) => mayMean(text));
  const beside = allSaidBy(ofIts(scriptsBeside(file)), bytes, name);
  if (beside.length > 0) return from(given, beside, (script) => `${script} beside the module`);
  if (namesItself(bytes)) return { tried: [{ named: given }] };
  const { scripts, limit } = scriptsOfPackage(file);
  const found = allSaidBy(ofIts(scripts), bytes, name).filter(({ namesFile }) => namesFile);
  if (found.length > 0) return from(given, found, (script) => `${script} of its package, which names ${name}`);
  return { tried: [{ named: given }], ...(limit === undefined ? {} : { doubt: limit }) };
}

/** `scripts`: those of the page that loads the module; they are asked for only where the module needs them. */
export async function candidatesInPage(
  given: Named,
  bytes: Uint8Array,
  name: string,
  scripts: () => Promise<readonly Script[]>,
): Promise<Candidates> {
  if (given.malloc !== undefined || namesItself(bytes)) return { tried: [{ named: given }] };
  return from(given, allSaidBy(await scripts(), bytes, name), (script) => `${script} in the page`);
}

/** `said`: by the script in which the module stands. */
export const withSaid = (given: Named, said: Said | undefined): Candidates =>
  given.malloc !== undefined || said === undefined ? { tried: [{ named: given }] } : from(given, [said], undefined);

/** The result of the first candidate that will do. Throws why the module's own names do not. */
export function firstOf<T>(
  { tried, doubt }: Candidates,
  attempt: (named: Named) => T,
): { readonly made: T; readonly by?: string } {
  let why: ModuleProblem | undefined;
  for (const { named, by } of tried) {
    try {
      return { made: attempt(named), ...(by === undefined ? {} : { by }) };
    } catch (error) {
      if (!(error instanceof ModuleProblem)) throw error;
      why ??= error;
    }
  }
  if (why === undefined || doubt === undefined || !kNothingFound.includes(why.code)) throw why;
  throw new ModuleProblem(why.code, `${why.message}; ${doubt}`);
}

const kNothingFound: readonly string[] = ['no_names', 'no_allocator'];

/** rec.1, rec.3 */
function from(given: Named, said: readonly Said[], why: ((script: string) => string) | undefined): Candidates {
  const [only, other] = said;
  const own = { named: given };
  if (only === undefined) return { tried: [own] };
  if (other !== undefined) {
    const which = `${only.script} and ${other.script} say different functions`;
    return { tried: [own], doubt: `${which}: --glue names the one that loads it` };
  }
  const named = { ...only.named, ...given };
  return { tried: [own, { named, ...(why === undefined ? {} : { by: why(only.script) }) }] };
}

/** Whether an export is called as an allocator's functions are, so that no script needs to be read. */
function namesItself(bytes: Uint8Array): boolean {
  try {
    const functions = readModule(bytes).exports.filter(({ kind }) => kind === kExported.function);
    return functions.some(({ name }) => roleOfName(name) !== undefined || name === '__wbindgen_malloc');
  } catch (error) {
    if (error instanceof WasmFileError) return true; // it is damaged, which is said elsewhere
    throw error;
  }
}
