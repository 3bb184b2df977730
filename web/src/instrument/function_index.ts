// The functions of a module, by every name they have, and by what they call.

import type binaryen from 'binaryen';
import { ModuleProblem } from './module_problem.ts';

type Binaryen = typeof binaryen;

export interface Func {
  readonly name: string;
  readonly index: number;
  readonly isImport: boolean;
  readonly parameters: number;
  readonly isPlain: boolean; // only words: i32, or i64 where memory has 64-bit addresses
  /** It takes words and gives a status, which is an i32 whatever a word is. */
  readonly givesStatus: boolean;
  readonly results: number;
  readonly body: number;
}

/** A function that another one only stands for. */
export interface Forwarded {
  readonly func: Func;
  /** Which of its parameters get those of the other one. */
  readonly places: readonly number[];
  /** Which of its parameters always gets an alignment from the other one. */
  readonly alignment: number | undefined;
}

/** All functions, by every name they have. */
export class FunctionIndex {
  readonly named = new Map<string, Func>();
  readonly #all: Func[] = [];
  readonly #byName = new Map<string, Func>();
  readonly #exports = new Map<string, Func>();
  /** The modules that its functions are imported from. */
  readonly importedFrom: ReadonlySet<string>;
  /** What they are called there. */
  readonly imported: ReadonlySet<string>;

  constructor(lib: Binaryen, module: binaryen.Module, isWide: boolean) {
    const word = isWide ? lib.i64 : lib.i32;
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
        isPlain: [...types, ...given].every((type) => type === word),
        givesStatus: types.every((type) => type === word) && given.length === 1 && given[0] === lib.i32,
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

  numbered(index: number): Func | undefined {
    return this.#all[index];
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

  /** Fam.5, Fam.10: the function that this one only stands for. */
  forwardsTo(lib: Binaryen, name: string): Forwarded | undefined {
    const func = this.#byName.get(name);
    if (func === undefined) return undefined;
    const text = lib
      .emitText(func.body)
      .replaceAll(/[\s"]+/g, ' ')
      .trim();
    const handed = handedTo(text, func.parameters, func.results > 0);
    const other = handed === undefined ? undefined : this.#byName.get(handed.target);
    if (handed === undefined || other === undefined || !isOf(other, handed.parameters, func.results)) return undefined;
    return { func: other, places: handed.places, alignment: handed.alignment };
  }

  /**
   * The only function with that many parameters and results that this one calls; itself a function with code. Of several the only one
   * that `beside` does not call.
   */
  calledBy(lib: Binaryen, func: Func, parameters: number, results: number, beside?: Func): Func | undefined {
    const found = [...calls(lib, func)]
      .map((name) => this.#byName.get(name))
      .filter((other) => other !== undefined && isOf(other, parameters, results));
    if (found.length < 2 || beside === undefined) return found.length === 1 ? found[0] : undefined;
    const shared = calls(lib, beside);
    const own = found.filter((other) => other !== undefined && !shared.has(other.name));
    return own.length === 1 ? own[0] : undefined;
  }

  /**
   * Fam.8: the only function of an address and a size that gives the size to one of these mallocs, which may have an alignment before
   * it, and the address to one of these frees.
   */
  resizer(lib: Binaryen, mallocs: readonly string[], frees: readonly string[]): Func | undefined {
    const found = this.#all.filter((func) => {
      if (!isOf(func, 2, 1) || mallocs.includes(func.name)) return false;
      const text = lib.emitText(func.body).replaceAll(/[\s"]+/g, ' ');
      const passes = (names: readonly string[], parameter: number) =>
        names.some((name) =>
          ['', '(i32.const 8) ', '(i32.const 16) '].some((before) =>
            text.includes(`(call $${name} ${before}(local.get $${parameter})`),
          ),
        );
      return passes(mallocs, 1) && passes(frees, 0);
    });
    return found.length === 1 ? found[0] : undefined;
  }

  /** What it calls, and what that calls. */
  reachedBy(lib: Binaryen, func: Func): ReadonlySet<string> {
    const direct = [...calls(lib, func)];
    const others = direct
      .map((name) => this.#byName.get(name))
      .filter((other) => other !== undefined && !other.isImport);
    return new Set([...direct, ...others.flatMap((other) => (other === undefined ? [] : [...calls(lib, other)]))]);
  }

  /** Fam.6: the constant that all allocating calls of the one and the freeing one of the other have as their first argument; empty: there is none. */
  sharedState(lib: Binaryen, alloc: Func, free: Func): readonly string[] {
    const given = (func: Func, parameters: number, results: number): string[] =>
      firstConstants(lib, func).flatMap(([name, constant]) => {
        const other = this.#byName.get(name);
        return other !== undefined && isOf(other, parameters, results) ? [constant] : [];
      });
    const all = [...given(alloc, 2, 1), ...given(alloc, 3, 1), ...given(free, 2, 0)];
    return all.length === 3 && new Set(all).size === 1 ? all.slice(0, 1) : [];
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
export const calls = (lib: Binaryen, { body }: Func): Set<string> =>
  new Set([...lib.emitText(body).matchAll(/\(call \$("?)([^\s")]+)\1/g)].map(([, , name]) => name ?? ''));

/** The functions that it calls with a constant as first argument, and that constant. */
const firstConstants = (lib: Binaryen, { body }: Func): [name: string, constant: string][] =>
  [...lib.emitText(body).matchAll(/\(call \$("?)([^\s")]+)\1\s+\((?:i32|i64)\.const (-?\d+)\)/g)].map(
    ([, , name, constant]) => [name ?? '', constant ?? ''],
  );

/** What a body only calls. */
interface Handed {
  readonly target: string;
  readonly parameters: number;
  readonly places: readonly number[];
  readonly alignment: number | undefined;
}

/**
 * The function that a body only hands its arguments to, in any order, and gives back what that gives: by itself, or as compilers write it that do not optimize,
 * by way of the body's own place on the stack in memory. Beside them there may be a malloc's alignment, before or behind.
 */
function handedTo(body: string, parameters: number, hasResult: boolean): Handed | undefined {
  const text = body.replaceAll(' )', ')');
  if (kMayDoMore.test(text) || text.split('(call ').length !== 2) return undefined;
  const [, target = '', given = ''] = /\(call \$(\S+)((?: \((?:[^()]|\([^()]*\))*\))*)\)/.exec(text) ?? [];
  const values = given.match(/\((?:[^()]|\([^()]*\))*\)/g) ?? [];
  const isHanded = (value: string, nth: number) => {
    const itself = `(local.get $${nth})`;
    const [, kept] = /^\(i(?:32|64)\.load (.*)\)$/.exec(value) ?? [];
    return value === itself || (kept !== undefined && text.includes(`.store ${kept} ${itself})`));
  };
  const alignment = values.length === parameters + 1 ? values.findIndex((value) => kAlignment.test(value)) : -1;
  const places = Array.from({ length: parameters }, (_, nth) => values.findIndex((value) => isHanded(value, nth)));
  const filled = new Set([...places, ...(alignment < 0 ? [] : [alignment])]);
  if (filled.has(-1) || filled.size !== values.length) return undefined;
  const handed = { target, parameters: values.length, places, alignment: alignment < 0 ? undefined : alignment };
  if (!hasResult || text.startsWith('(call ')) return handed;
  const [, result] = /\(local\.set \$(\d+) \(call /.exec(text) ?? [];
  return text.endsWith(` (local.get $${result}))`) ? handed : undefined;
}

/** What a malloc aligns its blocks to. */
const kAlignment = /^\(i(?:32|64)\.const (?:8|16)\)$/;

const kMayDoMore =
  /\((if|loop|br|br_if|br_table|call_indirect|call_ref|return|unreachable|select|memory\.\w+|i(32|64)\.atomic\S*) /;
