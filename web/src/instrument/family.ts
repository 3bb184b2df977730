// Finds the functions by which a finished module allocates: its malloc family.
//
//   Fam.1  What the user names comes first, by an export's name, a function's name, or an index. Then nothing else is looked for that has
//          the same role.
//   Fam.2  Then the names of exports and, where there is a name section, of functions (allocator_names.ts). Names that a minifier made
//          say nothing and are not guessed at.
//   Fam.3  Only when nothing was found: wasm-bindgen's __wbindgen_malloc and __wbindgen_free, or the exports that its JavaScript names
//          in their place (bindgen_names.ts). Their bodies are known: they check their
//          arguments and call the allocator's own functions, which are told apart by their types. Rust's realloc is then the only
//          function of four numbers that calls both malloc and memalign, as its source does.
//   Fam.5  A function found so that does nothing but hand its arguments to another of the same type is that one's second name: compilers
//          put it into its callers, who then call the other. So the other belongs to the family with the same role.
//   Fam.4  Functions of one family call each other; only the outermost call counts (wrap.ts).
//   Fam.6  Where that malloc is Rust's alloc(size, alignment), which only chooses between one function for common alignments and one for
//          larger ones, these two belong to the family, and so does the free inside dealloc: alloc_zeroed calls the two and not alloc, and
//          compilers put alloc and dealloc into their callers. The proof that they are the allocator's: realloc calls all three.
//   Fam.7  A Go program is one by its imports as well: its names are usually stripped.

import type binaryen from 'binaryen';
import { collectorOf, kRoles, type Role, type RoleName, roleOfName } from './allocator_names.ts';
import type { BindgenNames } from './bindgen_names.ts';
import { ModuleProblem } from './module_problem.ts';

type Binaryen = typeof binaryen;

export interface Member {
  /** Binaryen's name of the function, which all calls, exports and tables use. */
  readonly func: string;
  readonly role: Role;
  /** Its index in the module, imports counted: what tools print, and what --malloc and its like take. */
  readonly index: number;
  /** The name by which it was found. */
  readonly foundAs: string;
}

export interface Family {
  readonly members: readonly Member[];
  /** What is not seen, in sentences. */
  readonly notes: readonly string[];
}

/** Names of exports or functions, or indices, by role; and the exports around a Rust allocator. */
export type Named = Readonly<Partial<Record<RoleName, string>>> & { readonly bindgen?: BindgenNames };

const kBindgenNames: BindgenNames = {
  malloc: '__wbindgen_malloc',
  free: '__wbindgen_free',
  realloc: '__wbindgen_realloc',
};

interface Func {
  readonly name: string;
  readonly index: number;
  readonly isImport: boolean;
  readonly parameters: number;
  readonly isPlain: boolean; // only i32
  readonly results: number;
  readonly body: number;
}

export function findFamily(lib: Binaryen, module: binaryen.Module, { bindgen, ...named }: Named): Family {
  const index = new FunctionIndex(lib, module);
  const collector = collectorOf([...index.named.keys()], index.importedFrom);
  if (collector !== undefined && Object.keys(named).length === 0 && bindgen === undefined) throw collected(collector);
  const members = new Map<string, Member>();
  const taken = new Set<RoleName>();
  for (const [name, given] of Object.entries(named) as [RoleName, string][]) {
    const func = index.find(given);
    members.set(func.name, member(func, fitting(kRoles[name], func, given), given));
    taken.add(name);
  }
  if (!taken.has('malloc')) addNamed(index, members, taken);
  if (members.size === 0) addBindgens(lib, index, members, bindgen ?? kBindgenNames);
  for (const { func, role, foundAs } of [...members.values()]) {
    const other = index.forwardsTo(lib, func);
    if (other !== undefined && !members.has(other.name)) members.set(other.name, member(other, role, foundAs));
  }
  if (![...members.values()].some(({ role }) => role.size !== undefined)) throw nothingFound(index);
  return { members: [...members.values()], notes: notesOn([...members.values()]) };
}

const member = ({ name, index }: Func, role: Role, foundAs: string): Member => ({ func: name, index, role, foundAs });

function addNamed(index: FunctionIndex, members: Map<string, Member>, taken: ReadonlySet<RoleName>): void {
  for (const [name, func] of index.named) {
    const role = roleOfName(name);
    if (role === undefined || taken.has(role.name) || members.has(func.name) || func.isImport) continue;
    if (fits(role, func)) members.set(func.name, member(func, role, name));
  }
}

/** Fam.3 */
function addBindgens(lib: Binaryen, index: FunctionIndex, members: Map<string, Member>, by: BindgenNames): void {
  const add = (func: Func | undefined, role: Role, caller: string) => {
    if (func !== undefined) members.set(func.name, member(func, role, `called by ${caller}`));
  };
  const malloc = index.exported(by.malloc);
  const free = index.exported(by.free);
  if (malloc === undefined || free === undefined) return;
  const one = index.calledBy(lib, malloc, 1, 1);
  const two = index.calledBy(lib, malloc, 2, 1);
  add(one, kRoles.malloc, by.malloc);
  add(two, one === undefined ? kRoles.alloc : kRoles.memalign, by.malloc);
  for (const parameters of [1, 2, 3]) add(index.calledBy(lib, free, parameters, 0), kRoles.free, by.free);
  const realloc = by.realloc === undefined ? undefined : index.exported(by.realloc);
  if (realloc !== undefined) add(index.calledBy(lib, realloc, 4, 1), kRoles.sized_realloc, by.realloc ?? '');
  else if (one !== undefined && two !== undefined) {
    const func = index.callerOfBoth(lib, one.name, two.name, 4, 1);
    if (func !== undefined) members.set(func.name, member(func, kRoles.sized_realloc, 'calls malloc and memalign'));
  }
  if (one === undefined && two !== undefined) addInner(lib, index, members, two);
}

/** Fam.6 */
function addInner(lib: Binaryen, index: FunctionIndex, members: Map<string, Member>, alloc: Func): void {
  const byRole = (name: RoleName) => [...members.values()].find(({ role }) => role.name === name)?.func;
  const [realloc, free] = [index.at(byRole('sized_realloc')), index.at(byRole('free'))];
  if (realloc === undefined || free === undefined || calls(lib, alloc).size !== 2) return;
  const inner = [
    [index.calledBy(lib, alloc, 1, 1), kRoles.malloc, 'called by alloc'],
    [index.calledBy(lib, alloc, 2, 1), kRoles.memalign, 'called by alloc'],
    [index.calledBy(lib, free, 1, 0), kRoles.free, 'called by dealloc'],
  ] as const;
  const ofRealloc = calls(lib, realloc);
  if (!inner.every(([func]) => func !== undefined && ofRealloc.has(func.name))) return;
  for (const [func, role, by] of inner) if (func !== undefined) members.set(func.name, member(func, role, by));
}

const fits = ({ least, most, size, storesAt }: Role, func: Func): boolean =>
  func.isPlain &&
  func.parameters >= least &&
  func.parameters <= most &&
  (func.results === 1 || (size === undefined && storesAt === undefined));

function fitting(role: Role, func: Func, given: string): Role {
  if (func.isImport) {
    throw new ModuleProblem('wrong_type', `"${given}" is imported: instrument the module that has its code`);
  }
  // Rust's allocator takes an alignment behind the size.
  if (role.name === 'malloc' && fits(kRoles.alloc, func)) return kRoles.alloc;
  if (role.name === 'realloc' && fits(kRoles.sized_realloc, func)) return kRoles.sized_realloc;
  if (fits(role, func)) return role;
  const wanted = role.least === role.most ? `${role.least}` : `${role.least} to ${role.most}`;
  const gives = role.size !== undefined || role.storesAt !== undefined ? ' and returns one' : '';
  throw new ModuleProblem(
    'wrong_type',
    `"${given}" is no ${role.name}: that takes ${wanted}${gives}, all numbers of 32 bits; this one takes ${func.parameters} and returns ${func.results === 0 ? 'none' : func.results}${func.isPlain ? '' : ', not all of them of 32 bits'}`,
  );
}

const how = '--malloc and --free name them, by export, function name or index';

const collected = (collector: string): ModuleProblem =>
  new ModuleProblem(
    'garbage_collected',
    `its objects come and go by ${collector}, a garbage collector, so there is no free to see; if you know the functions of a heap below it, ${how}`,
  );

function nothingFound(index: FunctionIndex): ModuleProblem {
  const imported = [...index.imported].find((name) => roleOfName(name)?.name === 'malloc');
  if (imported !== undefined) {
    return new ModuleProblem(
      'no_allocator',
      `it imports ${imported}, as a side module does that is loaded beside a main one: instrument the module that has the code of ${imported}`,
    );
  }
  if (index.isMinified) {
    return new ModuleProblem(
      'no_names',
      `its functions have no names that tell which one is malloc, as a minifier replaced them; --glue app.js reads them from Emscripten's JavaScript beside the module, or ${how}`,
    );
  }
  return new ModuleProblem(
    'no_allocator',
    `it has no function with a name that an allocator's has (malloc, free, ...); ${how}`,
  );
}

function notesOn(members: readonly Member[]): string[] {
  const has = (...names: readonly RoleName[]) => members.some(({ role }) => names.includes(role.name));
  const notes: string[] = [];
  if (!has('free')) notes.push('no free was found: every block seems to live for ever');
  if (!has('realloc', 'sized_realloc')) {
    notes.push('no realloc was found: a block that it resizes in place keeps its first size; --realloc names it');
  }
  if (!has('calloc', 'alloc_zeroed', 'memalign', 'posix_memalign')) {
    notes.push('calloc and memalign were not found: they are seen only as the malloc that they call');
  }
  return notes;
}

/** All functions, by every name they have. */
class FunctionIndex {
  readonly named = new Map<string, Func>();
  readonly #all: Func[] = [];
  readonly #byName = new Map<string, Func>();
  readonly #exports = new Map<string, Func>();
  /** The modules that its functions are imported from. */
  readonly importedFrom: ReadonlySet<string>;
  /** What they are called there. */
  readonly imported: ReadonlySet<string>;

  constructor(lib: Binaryen, module: binaryen.Module) {
    const importedFrom = new Set<string>();
    const imported = new Set<string>();
    for (let i = 0; i < module.getNumFunctions(); ++i) {
      const { name, module: from, base, params, results, body } = lib.getFunctionInfo(module.getFunctionByIndex(i));
      const types = lib.expandType(params);
      const given = lib.expandType(results);
      const func: Func = {
        name,
        index: i,
        isImport: from !== null && from !== '',
        parameters: types.length,
        isPlain: [...types, ...given].every((type) => type === lib.i32),
        results: given.length,
        body,
      };
      if (from !== null && from !== '') importedFrom.add(from);
      if (func.isImport) imported.add(base ?? '');
      this.#all.push(func);
      this.#byName.set(name, func);
      if (!/^\d+$/.test(name)) this.named.set(name, func);
    }
    this.importedFrom = importedFrom;
    this.imported = imported;
    for (let i = 0; i < module.getNumExports(); ++i) {
      const { kind, name, value } = lib.getExportInfo(module.getExportByIndex(i));
      const func = kind === lib.ExternalFunction ? this.#byName.get(value) : undefined;
      if (func === undefined) continue;
      this.#exports.set(name, func);
      this.named.set(name, func);
    }
  }

  /** Most of what it exports has a name that nobody chose. */
  get isMinified(): boolean {
    const names = [...this.#exports.keys()];
    return names.filter((name) => name.length <= 2).length * 2 >= names.length;
  }

  at(name: string | undefined): Func | undefined {
    return name === undefined ? undefined : this.#byName.get(name);
  }

  exported(name: string): Func | undefined {
    return this.#exports.get(name);
  }

  /** By the name of an export or a function, or by an index. */
  find(given: string): Func {
    const found =
      this.named.get(given) ??
      this.named.get(`_${given}`) ??
      (/^\d+$/.test(given) ? this.#all[Number(given)] : undefined);
    if (found !== undefined) return found;
    throw new ModuleProblem(
      'unknown_function',
      `it has no function "${given}", neither exported nor named nor as an index below ${this.#all.length}`,
    );
  }

  /** Fam.5: the function that this one only stands for. */
  forwardsTo(lib: Binaryen, name: string): Func | undefined {
    const func = this.#byName.get(name);
    if (func === undefined) return undefined;
    const text = lib
      .emitText(func.body)
      .replaceAll(/[\s"]+/g, ' ')
      .trim();
    const given = Array.from({ length: func.parameters }, (_, i) => `\\(local\\.get \\$${i} ?\\) ?`).join('');
    const target = new RegExp(`^\\(call \\$(\\S+) ${given}\\)$`).exec(text)?.[1];
    const other = target === undefined ? undefined : this.#byName.get(target);
    const isSame = other?.parameters === func.parameters && other.results === func.results;
    return isSame && other.isPlain && !other.isImport ? other : undefined;
  }

  /** The only function with that many parameters and results that this one calls; itself a function with code. */
  calledBy(lib: Binaryen, func: Func, parameters: number, results: number): Func | undefined {
    const found = [...calls(lib, func)]
      .map((name) => this.#byName.get(name))
      .filter((other) => other !== undefined && isOf(other, parameters, results));
    return found.length === 1 ? found[0] : undefined;
  }

  /** The only function with that many parameters and results that calls these two. */
  callerOfBoth(lib: Binaryen, one: string, other: string, parameters: number, results: number): Func | undefined {
    const found = this.#all.filter((func) => {
      if (!isOf(func, parameters, results)) return false;
      const names = calls(lib, func);
      return names.has(one) && names.has(other);
    });
    return found.length === 1 ? found[0] : undefined;
  }
}

const isOf = (func: Func, parameters: number, results: number): boolean =>
  func.parameters === parameters && func.results === results && func.isPlain && !func.isImport;

/** The functions that one calls by name. */
const calls = (lib: Binaryen, { body }: Func): Set<string> =>
  new Set([...lib.emitText(body).matchAll(/\(call \$("?)([^\s")]+)\1/g)].map(([, , name]) => name ?? ''));
