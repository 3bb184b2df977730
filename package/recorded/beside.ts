// Which functions of a finished module are its allocator, in the order in which they are tried.
//
//   rec.1  What the caller names; else the module's own names; else what JavaScript beside the module says, first the scripts that name its
//          file; else what the other scripts of its package say that name its file: short names of exports are the same in many modules.
//          Where several things are said, that is believed which alone behaves like malloc and free in this module (trial.ts); if none does, or two
//          do, nothing is, and the scripts are named.
//          In a page whose modules lie nowhere, the scripts that it has loaded take the place of those beside the module.
//   rec.3  Who said it is said, and why that one.

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { roleOfName } from '../../web/src/instrument/allocator_names.ts';
import type { Named } from '../../web/src/instrument/family.ts';
import { ModuleProblem } from '../../web/src/instrument/module_problem.ts';
import { kExported, readModule, WasmFileError } from '../../web/src/symbols/index.ts';
import { scriptsBeside, scriptsOfPackage } from './package_scripts.ts';
import { allSaidBy, type Said, type Script } from './said_names.ts';
import { behaving } from './trial.ts';

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
  if (beside.length > 0) return from(given, bytes, beside, (script) => `${script} beside the module`);
  if (namesItself(bytes)) return { tried: [{ named: given }] };
  const { scripts, limit } = scriptsOfPackage(file);
  const found = allSaidBy(ofIts(scripts), bytes, name).filter(({ namesFile }) => namesFile);
  if (found.length > 0) return from(given, bytes, found, (script) => `${script} of its package, which names ${name}`);
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
  return from(given, bytes, allSaidBy(await scripts(), bytes, name), (script) => `${script} in the page`);
}

/** `said`: by the script in which the module stands; what is to be said of several things is another script's. */
export const withSaid = (given: Named, bytes: Uint8Array, said: readonly Said[]): Candidates =>
  given.malloc === undefined ? from(given, bytes, said, undefined) : { tried: [{ named: given }] };

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
function from(
  given: Named,
  bytes: Uint8Array,
  said: readonly Said[],
  why: ((script: string) => string) | undefined,
): Candidates {
  const own = { named: given };
  const [first, second] = said;
  if (first === undefined) return { tried: [own] };
  const only = second === undefined ? first : onlyBehaving(said, bytes);
  if (only === undefined) {
    return { tried: [own], doubt: doubtOf([...new Set(said.map(({ script }) => script))]) };
  }
  const by = why?.(only.script);
  const alone = second === undefined ? '' : `, of ${said.length} pairs that scripts say the one that behaves so`;
  return { tried: [own, { named: { ...only.named, ...given }, ...(by === undefined ? {} : { by: `${by}${alone}` }) }] };
}

const doubtOf = ([one, other]: readonly (string | undefined)[]): string =>
  other === undefined
    ? `${one} says different functions, as a bundle of several modules does: --malloc and --free name them`
    : `${one} and ${other} say different functions: --glue names the one that loads it`;

const tried = new Map<string, Said | undefined>();

/** rec.1: a trial takes a second for a large module, and a page may load it again and again. */
function onlyBehaving(said: readonly Said[], bytes: Uint8Array): Said | undefined {
  const key = createHash('sha256').update(JSON.stringify(said)).update(bytes).digest('hex');
  if (!tried.has(key)) {
    const module = readModule(bytes);
    const indices = new Map(module.exports.map(({ name, index }) => [name, index]));
    const indexOf = (name = '') => indices.get(name) ?? -1;
    const behaves = behaving(
      module,
      said.map(({ named }) => [indexOf(named.malloc), indexOf(named.free)]),
    );
    const passing = said.filter((_, nth) => behaves[nth]);
    tried.set(key, passing.length === 1 ? passing[0] : undefined);
  }
  return tried.get(key);
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
