// Puts a wrapper before each function of the family: it calls the function and tells the recorder.
//
//   before   callers, exports, tables ──▶ malloc
//   after    callers, exports, tables ──▶ malloc (the wrapper) ──▶ heapglass.inner.malloc (its code, unchanged)
//                                              └─▶ recorder: allocated(op, request, alignment, address, pages of memory)
//
//   Wrap.1  The wrapper takes the function's name, so whoever named it gets the wrapper, and nothing else of the module changes.
//   Wrap.2  Only the outermost call of the family is told: a global counts how deep one is. A trap inside leaves it set, and then nothing
//           more is told; an instance that trapped inside its allocator is not used again.
//   Wrap.3  The wrapper gives exactly what the function gives. A block is told when it is there, a free before it is done.
//   Wrap.5  With threads the depth is each thread's own, as globals are. While a page's main thread waits for a lock inside malloc,
//           Emscripten may run what other threads asked it for: allocations of that count as inside, and are not told.
//   Wrap.4  The functions of the module stay in their order, and what is added comes behind: site_table.ts finds them again by it.

import type binaryen from 'binaryen';
import type { Role } from './allocator_names.ts';
import type { Member } from './family.ts';
import { addLocal, setBody } from './function_edit.ts';
import type { InstrumentContext } from './instrument.ts';
import { kNamespace } from './recorder_names.ts';
import type { Words } from './words.ts';

/** 0: not inside the family. */
export const kDepth = 'heapglass.depth';

/** With threads: the recorder's lock, around a realloc (recorder_module.ts: Rec.6). */
export const kLeave = `${kNamespace}.leave`;
const kEnter = `${kNamespace}.enter`;

/** Parameters of the recorder's functions: words, and before them the operation, an i32. */
const kRecorded = { allocated: ['op', 4], freed: [2], resized: [5] } as const;

export function wrapFamily(context: InstrumentContext): void {
  const { lib, module, family, isShared, words } = context;
  for (const [name, parameters] of Object.entries(kRecorded)) {
    const params = lib.createType(
      parameters.flatMap((it) => (it === 'op' ? [lib.i32] : new Array<number>(it).fill(words.type))),
    );
    module.addFunctionImport(`${kNamespace}.${name}`, kNamespace, name, params, lib.none);
  }
  if (isShared) for (const name of ['enter', 'leave']) addLock(lib, module, name);
  module.addGlobal(kDepth, lib.i32, true, module.i32.const(0));
  for (const member of family.members) wrap(context, member);
}

const addLock = ({ none }: typeof binaryen, module: binaryen.Module, name: string): void =>
  module.addFunctionImport(`${kNamespace}.${name}`, kNamespace, name, none, none);

function wrap({ lib, module, isShared, words }: InstrumentContext, { func, role }: Member): void {
  const wrapped = module.getFunction(func);
  const { results } = lib.getFunctionInfo(wrapped);
  const call = innerCall(lib, module, func);
  const { i32, none } = lib;
  const gives = results !== none;
  const result = gives ? addLocal(lib, wrapped, results) : 0;
  const argument = (index: number) => module.local.get(index, words.type);
  const given = () => module.local.get(result, results);
  const depth = (value: number) => module.global.set(kDepth, module.i32.const(value));
  const record = (name: keyof typeof kRecorded, values: readonly number[]) =>
    module.call(`${kNamespace}.${name}`, [...values, words.pages()], none);

  const isInner = module.global.get(kDepth, i32);
  const pass = gives ? module.return(call()) : module.block(null, [call(), module.return()]);
  const run = gives ? module.local.set(result, call()) : call();
  const lines = [module.if(isInner, pass)];
  if (role.size === undefined) lines.push(record('freed', [argument(role.from ?? 0)]), depth(1), run, depth(0));
  else {
    const recordIt = recordResult(module, words, role, argument, given, record);
    const lock = (name: string) => (isShared && role.from !== undefined ? [module.call(name, [], none)] : []);
    lines.push(...lock(kEnter), depth(1), run, depth(0), recordIt, ...lock(kLeave));
  }
  if (gives) lines.push(given());
  setBody(lib, wrapped, module.block(null, lines, results));
}

/** Gives the function's code to one of another name; what is given back calls it with the arguments of the first. */
export function innerCall(lib: typeof binaryen, module: binaryen.Module, func: string): () => number {
  const { params, results, vars, body } = lib.getFunctionInfo(module.getFunction(func));
  const inner = `${kNamespace}.inner.${func}`;
  module.addFunction(inner, params, results, vars, module.copyExpression(body));
  const types = lib.expandType(params);
  return () =>
    module.call(
      inner,
      types.map((type, i) => module.local.get(i, type)),
      results,
    );
}

function recordResult(
  module: binaryen.Module,
  words: Words,
  role: Role,
  argument: (index: number) => number,
  result: () => number,
  record: (name: 'allocated' | 'resized', values: readonly number[]) => number,
): number {
  const request = requestOf(words, role, argument);
  const alignment = alignmentOf(words, role, argument);
  if (role.from !== undefined) return record('resized', [argument(role.from), request, alignment, result()]);
  return record('allocated', [
    module.i32.const(role.op),
    request,
    alignment,
    addressOf(module, words, role, argument, result),
  ]);
}

/** A value of the wrapper, made anew for each use. */
type Value = (index: number) => number;

export function requestOf(words: Words, role: Role, argument: Value): number {
  const [first = 0, second] = role.size ?? [];
  return second === undefined ? argument(first) : words.multiply(argument(first), argument(second));
}

export const alignmentOf = (words: Words, { alignment }: Role, argument: Value): number =>
  alignment === undefined ? words.zero() : argument(alignment);

/** The block's address, 0 when there is none. */
export function addressOf(
  module: binaryen.Module,
  words: Words,
  { storesAt }: Role,
  argument: Value,
  result: () => number,
): number {
  if (storesAt === undefined) return result();
  return module.if(result(), words.zero(), words.load(argument(storesAt)));
}
