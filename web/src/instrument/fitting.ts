// Whether a function can have a role in a malloc family, and what is said of a module in which none has.

import { kRoles, type Role, roleOfName } from './allocator_names.ts';
import type { Func, FunctionIndex } from './function_index.ts';
import { ModuleProblem } from './module_problem.ts';

/** Whether a function takes and gives what the role does. */
export const fits = ({ least, most, size, storesAt }: Role, func: Func): boolean =>
  (storesAt === undefined ? func.isPlain : func.givesStatus) &&
  func.parameters >= least &&
  func.parameters <= most &&
  (func.results === 1 || (size === undefined && storesAt === undefined));

/** The role, or a wider one of its name, of a function that the user named. */
export function fitting(role: Role, func: Func, given: string, isWide: boolean): Role {
  if (func.isImport) {
    throw new ModuleProblem('wrong_type', `"${given}" is imported: instrument the module that has its code`);
  }
  // Rust's allocator takes an alignment behind the size.
  if (role.name === 'malloc' && fits(kRoles.alloc, func)) return kRoles.alloc;
  if (role.name === 'realloc' && fits(kRoles.sized_realloc, func)) return kRoles.sized_realloc;
  if (fits(role, func)) return role;
  const wanted = role.least === role.most ? `${role.least}` : `${role.least} to ${role.most}`;
  const bits = isWide ? 64 : 32;
  const gives = role.size !== undefined || role.storesAt !== undefined ? ' and returns one' : '';
  throw new ModuleProblem(
    'wrong_type',
    `"${given}" is no ${role.name}: that takes ${wanted}${gives}, all numbers of ${bits} bits; this one takes ${func.parameters} and returns ${func.results === 0 ? 'none' : func.results}${func.isPlain ? '' : `, not all of them of ${bits} bits`}`,
  );
}

const how = '--malloc and --free name them, by export, function name or index';

export const collected = (collector: string): ModuleProblem =>
  new ModuleProblem(
    'garbage_collected',
    `its objects come and go by ${collector}, a garbage collector, so there is no free to see; if you know the functions of a heap below it, ${how}`,
  );

export function nothingFound(index: FunctionIndex): ModuleProblem {
  const imported = [...index.imported].find((name) => roleOfName(name)?.name === 'malloc');
  if (imported !== undefined) {
    return new ModuleProblem(
      'no_allocator',
      `it imports ${imported}, as a side module does that is loaded beside a main one: instrument the module that has the code of ${imported}`,
    );
  }
  if (index.named.has('__wasm_apply_data_relocs')) {
    return new ModuleProblem(
      'no_allocator',
      'it is a side module, loaded beside a main one, and calls no malloc: instrument the main module',
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
    `it has no function with a name that an allocator's has (malloc, free, ...); ${mayBe(index) ?? how}`,
  );
}

/** Exports that sound like one and take what it takes: they may be a layer above it, so they are only proposed. */
function mayBe(index: FunctionIndex): string | undefined {
  const like = (word: RegExp, role: Role) =>
    [...index.named]
      .filter(([name, func]) => word.test(name) && !func.isImport && fits(role, func))
      .map(([name]) => name);
  const [[malloc, other], [free, another]] = [like(/alloc/i, kRoles.malloc), like(/free/i, kRoles.free)];
  if (malloc === undefined || free === undefined || other !== undefined || another !== undefined) return undefined;
  return `"${malloc}" and "${free}" may be one or lead to it: --malloc ${malloc} --free ${free}`;
}
