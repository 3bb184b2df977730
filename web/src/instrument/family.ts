// Finds the functions by which a finished module allocates: its malloc family.
//
//   Fam.1  What the user names comes first, by an export's name, a function's name, or an index. Then nothing else is looked for that has
//          the same role.
//   Fam.2  Then the names of exports and, where there is a name section, of functions (allocator_names.ts). Names that a minifier made
//          say nothing and are not guessed at.
//   Fam.3  Only when nothing was found: wasm-bindgen's __wbindgen_malloc and __wbindgen_free, or the exports that its JavaScript names
//          in their place (bindgen_names.ts). Their bodies are known: they check their
//          arguments and call the allocator's own functions, which are told apart by their types. What malloc's and realloc's
//          both call only checks arguments. Rust's realloc is then the only
//          function of four numbers that calls both malloc and memalign, as its source does.
//   Fam.5  A function found so that does nothing but hand its arguments to another, in any order, is that one's second name: compilers
//          put it into its callers, who then call the other. So the other belongs to the family with the same role. Emscripten's WebIDL binder exports
//          such functions, not optimized; nothing in the module calls them.
//   Fam.10 A malloc that gives its size and the alignment 8 or 16 to another function stands for that one in the same way: as emmalloc's. That
//          one is a memalign, whichever comes first. Compilers put malloc into its callers, as into operator new.
//   Fam.4  Functions of one family call each other; only the outermost call counts (wrap.ts).
//   Fam.6  Where that malloc is Rust's alloc(size, alignment), which only chooses between one function for common alignments and one for
//          larger ones, these two belong to the family, and so does the free inside dealloc: alloc_zeroed calls the two and not alloc, and
//          compilers put alloc and dealloc into their callers. The proof that they are the allocator's: realloc calls all three, or what it
//           calls does. Some compilers leave the allocator's state as a first argument: the same constant in alloc and dealloc.
//   Fam.8  C's realloc is often the module's own secret: JavaScript does not call it, so it has no export. It is the only function of a block
//           and a size that gives the size to malloc and the block to free; in-place or not, that is what resizing is. It is said that
//           it was found by this.
//   Fam.9  C's memalign and posix_memalign are as often secret, and give other addresses than the malloc that they call: without them their
//           blocks are freed unseen. Their bodies differ from one allocator to the next, so what calls malloc is tried
//           (package/recorded/trial.ts), where the caller of this can try it. That is said, too. A function that has one of them in it, with the
//           alignment it wants, is one more malloc.
//   Fam.11 A free can be secret, too: a program that never frees from JavaScript exports malloc alone. What takes back what this malloc gives is
//           found by the same trial: of a layer above, which passes as well, it is what the layer calls.
//           So it is with wasm-bindgen's malloc. Without a free its blocks would seem to live for ever, and the module is refused.
//   Fam.12 A memalign alone is none: Emscripten's glue takes one for its files. So where nothing else was found, nothing was.
//   Fam.7  A Go program is one by its imports as well: its names are usually stripped.

import type binaryen from 'binaryen';
import { collectorOf, kRoles, type Role, type RoleName, roleOfName } from './allocator_names.ts';
import { type BindgenNames, kBindgenNames } from './bindgen_names.ts';
import { collected, fits, fitting, nothingFound } from './fitting.ts';
import { calls, type Forwarded, type Func, FunctionIndex } from './function_index.ts';

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

/** Names of exports or functions, or indices, by role, several with commas between them; and the exports around a Rust allocator. */
export type Named = Readonly<Partial<Record<RoleName, string>>> & { readonly bindgen?: BindgenNames };

/** Functions that give aligned blocks (malloc: that take a size alone), and where free was not known, those that take back, by their indices. */
export type Companions = Readonly<Partial<Record<'memalign' | 'posix_memalign', number>>> & {
  readonly free?: readonly number[];
  readonly malloc?: readonly number[];
};

/** Which functions go with this malloc, and with this free where it is known: Fam.9, Fam.11. */
export type CompanionTrial = (malloc: number, free: number | undefined) => Companions;

/** isWide: its memory has 64-bit addresses. */
export function findFamily(
  lib: Binaryen,
  module: binaryen.Module,
  { bindgen, ...named }: Named,
  isWide: boolean,
  trial?: CompanionTrial,
): Family {
  const index = new FunctionIndex(lib, module, isWide);
  const collector = collectorOf([...index.named.keys()], index.importedFrom);
  if (collector !== undefined && Object.keys(named).length === 0 && bindgen === undefined) throw collected(collector);
  const members = new Map<string, Member>();
  const taken = new Set<RoleName>();
  for (const [name, given] of Object.entries(named) as [RoleName, string][]) {
    for (const one of given.split(',')) {
      const func = index.find(one);
      members.set(func.name, member(func, fitting(kRoles[name], func, one, isWide), one));
    }
    taken.add(name);
  }
  if (!taken.has('malloc')) addNamed(index, members, taken);
  if (isLoneAligner(members)) members.clear();
  const isBindgens = members.size === 0;
  if (isBindgens) addBindgens(lib, index, members, bindgen ?? kBindgenNames);
  for (const { func, role, foundAs } of members.values()) {
    const other = index.forwardsTo(lib, func); // it comes behind, so its turn does, too
    const same = other === undefined ? undefined : roleBehind(role, other);
    if (other !== undefined && same !== undefined && !members.has(other.func.name))
      members.set(other.func.name, member(other.func, same, foundAs));
  }
  if (![...members.values()].some(({ role }) => role.size !== undefined)) throw nothingFound(index);
  const tried = trial === undefined || isWide ? {} : companionsOf(members, trial);
  for (const nth of tried.free ?? []) addTried(index, members, 'free', nth); // Fam.11
  for (const nth of tried.malloc ?? []) addTried(index, members, 'malloc', nth); // Fam.9
  if (isBindgens && ![...members.values()].some(({ role }) => role.name === 'free')) throw nothingFound(index);
  addResizer(lib, index, members);
  addAligners(index, members, tried);
  return { members: [...members.values()], notes: notesOn([...members.values()]) };
}

/** Fam.12 */
const isLoneAligner = (members: ReadonlyMap<string, Member>): boolean =>
  [...members.values()].every(({ role }) => role.name === 'memalign' || role.name === 'posix_memalign');

const member = ({ name, index }: Func, role: Role, foundAs: string): Member => ({ func: name, index, role, foundAs });

function addNamed(index: FunctionIndex, members: Map<string, Member>, taken: ReadonlySet<RoleName>): void {
  for (const [name, func] of index.named) {
    const role = roleOfName(name);
    if (role === undefined || taken.has(role.name) || members.has(func.name) || func.isImport) continue;
    if (fits(role, func)) members.set(func.name, member(func, role, name));
  }
}

/** Fam.5, Fam.10: the role of a function that one of this role only stands for. */
function roleBehind(role: Role, { places, alignment }: Forwarded): Role | undefined {
  if (alignment !== undefined)
    return role.name === 'malloc' ? moved(kRoles.memalign, [alignment, ...places]) : undefined;
  return moved(role, places);
}

/** The role of a function whose parameters stand elsewhere: the nth is at `places[nth]`. */
function moved({ from, size, alignment, storesAt, ...role }: Role, places: readonly number[]): Role {
  const to = (at: number) => places[at] ?? at;
  return {
    ...role,
    ...(from === undefined ? {} : { from: to(from) }),
    ...(size === undefined ? {} : { size: size.map(to) }),
    ...(alignment === undefined ? {} : { alignment: to(alignment) }),
    ...(storesAt === undefined ? {} : { storesAt: to(storesAt) }),
    least: places.length,
    most: places.length,
  };
}

/** Fam.8 */
function addResizer(lib: Binaryen, index: FunctionIndex, members: Map<string, Member>): void {
  const all = [...members.values()];
  const of = (name: RoleName) => all.filter(({ role }) => role.name === name).map(({ func }) => func);
  if (of('malloc').length === 0 || of('realloc').length + of('sized_realloc').length > 0) return;
  const func = index.resizer(lib, [...of('malloc'), ...of('memalign'), ...of('alloc')], of('free'));
  if (func !== undefined && !members.has(func.name)) members.set(func.name, member(func, kRoles.realloc, kByShape));
}

const kByShape = 'by what it calls';

/** Of a malloc of C. */
function companionsOf(members: ReadonlyMap<string, Member>, trial: CompanionTrial): Companions {
  const of = (name: RoleName) => [...members.values()].findLast(({ role }) => role.name === name); // what others stand for comes behind them
  const malloc = of('malloc');
  return malloc === undefined ? {} : trial(malloc.index, of('free')?.index);
}

/** Fam.9 */
function addAligners(index: FunctionIndex, members: Map<string, Member>, tried: Companions): void {
  const known = new Set([...members.values()].map(({ role }) => role.name));
  for (const name of ['memalign', 'posix_memalign'] as const) {
    if (!known.has(name)) addTried(index, members, name, tried[name]);
  }
}

function addTried(index: FunctionIndex, members: Map<string, Member>, name: RoleName, nth: number | undefined): void {
  const func = nth === undefined ? undefined : index.numbered(nth);
  if (func !== undefined && !members.has(func.name)) members.set(func.name, member(func, kRoles[name], kByTrial));
}

const kByTrial = 'by a trial';

/** Fam.3 */
function addBindgens(lib: Binaryen, index: FunctionIndex, members: Map<string, Member>, by: BindgenNames): void {
  const add = (func: Func | undefined, role: Role, caller: string) => {
    if (func !== undefined) members.set(func.name, member(func, role, `called by ${caller}`));
  };
  const malloc = index.exported(by.malloc);
  if (malloc === undefined) return;
  const free = by.free === undefined ? undefined : index.exported(by.free);
  const realloc = by.realloc === undefined ? undefined : index.exported(by.realloc);
  const one = index.calledBy(lib, malloc, 1, 1, realloc);
  const two = index.calledBy(lib, malloc, 2, 1, realloc);
  if (one === undefined && two === undefined) return; // without malloc the rest would be frees of blocks that nobody knows
  add(one, kRoles.malloc, by.malloc);
  add(two, one === undefined ? kRoles.alloc : kRoles.memalign, by.malloc);
  for (const parameters of [1, 2, 3])
    if (free !== undefined) add(index.calledBy(lib, free, parameters, 0), kRoles.free, by.free ?? '');
  if (realloc !== undefined) add(index.calledBy(lib, realloc, 4, 1), kRoles.sized_realloc, by.realloc ?? '');
  else if (one !== undefined && two !== undefined) {
    const func = index.callerOfBoth(lib, one.name, two.name, 4, 1);
    if (func !== undefined) members.set(func.name, member(func, kRoles.sized_realloc, 'calls malloc and memalign'));
  }
  if (one !== undefined || two === undefined) return;
  if (free === undefined) {
    const alloc = index.forwardsTo(lib, two.name)?.func ?? two; // Fam.5
    add(index.calledBy(lib, alloc, 1, 1), kRoles.malloc, 'alloc');
    add(index.calledBy(lib, alloc, 2, 1), kRoles.memalign, 'alloc');
  } else addInner(lib, index, members, two);
}

/** Fam.6 */
function addInner(lib: Binaryen, index: FunctionIndex, members: Map<string, Member>, alloc: Func): void {
  const byRole = (name: RoleName) => [...members.values()].find(({ role }) => role.name === name)?.func;
  const [realloc, free] = [index.at(byRole('sized_realloc')), index.at(byRole('free'))];
  if (realloc === undefined || free === undefined) return;
  const state = index.sharedState(lib, alloc, free);
  if (state.length === 0 && calls(lib, alloc).size !== 2) return;
  const of = (role: Role): Role => {
    const parameters = role.least + state.length;
    const behind = Array.from({ length: role.least }, (_, nth) => nth + state.length);
    return { ...moved(role, behind), least: parameters, most: parameters };
  };
  const inner = [
    [index.calledBy(lib, alloc, 1 + state.length, 1), of(kRoles.malloc), 'called by alloc'],
    [index.calledBy(lib, alloc, 2 + state.length, 1), of(kRoles.memalign), 'called by alloc'],
    [index.calledBy(lib, free, 1 + state.length, 0), of(kRoles.free), 'called by dealloc'],
  ] as const;
  const ofRealloc = index.reachedBy(lib, realloc);
  if (!inner.every(([func]) => func !== undefined && ofRealloc.has(func.name))) return;
  for (const [func, role, by] of inner) if (func !== undefined) members.set(func.name, member(func, role, by));
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
