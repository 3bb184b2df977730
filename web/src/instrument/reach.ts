// From which functions an allocation can be reached, and by which of their calls.
//
//   seed: the imports that are asked at every allocation (heapglass.site)
//   f is reached  when it has a call  ─▶ of a reached function
//                                     ─▶ through a table or a reference, by a type that a reached function there has
//                                     ─▶ of an import that may call back into the module
//
//  R1  What is in a table: element segments and references in code and globals; and, where JavaScript has the table, every export.
//  R2  An import may call back unless its name says that it cannot (kLeaves). A function that calls one is reached only if anything that
//      JavaScript can call is.
//  R3  Entries are what runs with nothing of the module below it: what JavaScript can call, which are exports and what is in a table, and the
//      function that runs as an instance is made.
//
//  The set grows to its least fixed point by a work list: each call is looked at once.

import { type CallSite, kExported, kOp, type WasmModule } from '../symbols/index.ts';

export interface Reach {
  /** Has a call from which an allocation can be reached. By function number. */
  readonly functions: ReadonlySet<number>;
  readonly entries: ReadonlySet<number>;
  isReached(call: CallSite): boolean;
}

export const kSiteImport = { module: 'heapglass', name: 'site' } as const;

/** Imports that come back before anything of the module runs. Emscripten's by their names, if these are whole. */
const kLeaves: readonly RegExp[] = [
  /^(_?emscripten_(memcpy\w*|memmove|resize_heap|date_now|get_now\w*|get_heap_\w+|random|notify_memory_growth)|abort\w*|_abort_js)$/,
  /^(__syscall_\w+|_?_?(gettimeofday|localtime|gmtime|mktime|tzset|clock_time_get)\w*|__assert_fail|exit|proc_exit|strftime\w*)$/,
  /^heapglass_(begin|take)$/, // the recorder of a linked program (record/linked)
  /^(llvm_eh_typeid_for|getTempRet0|setTempRet0|__resumeException|__cxa_throw|_emscripten_throw_longjmp|__throw_exception_with_stack_trace)$/,
];
const kLeafModules = /^(wasi_|heapglass$)/;

export function findReach(module: WasmModule): Reach {
  const imported = module.imports.length;
  const inTable = new Set(module.referenced);
  for (const body of module.bodies) for (const index of body.references) inTable.add(index);
  const exported = module.exports.filter(({ kind }) => kind === kExported.function).map(({ index }) => index);
  const isTableShared = module.importsTable || module.exports.some(({ kind }) => kind === kExported.table);
  if (isTableShared) for (const index of exported) inTable.add(index);
  const started = module.start === undefined ? [] : [module.start];
  const entries = new Set([...inTable, ...exported, ...started]);

  const functions = new Set<number>();
  const types = new Set<number>(); // of reached functions in a table
  const callbacks = new Set<number>();
  module.imports.forEach(({ module: from, name }, index) => {
    if (from === kSiteImport.module && name === kSiteImport.name) functions.add(index);
    else if (!kLeafModules.test(from) && !kLeaves.some((leaf) => leaf.test(name))) callbacks.add(index);
  });

  // Who calls a function, a type, or an import that may call back.
  const callers = new Map<string, number[]>();
  const note = (what: string, caller: number) => {
    const list = callers.get(what);
    if (list === undefined) callers.set(what, [caller]);
    else list.push(caller);
  };
  const sameType = sameTypes(module);
  module.bodies.forEach((body, at) => {
    for (const call of body.calls) {
      if (!call.reached) continue;
      if (!isDirect(call)) note(`type ${sameType(call.target)}`, at + imported);
      else if (callbacks.has(call.target)) note('callback', at + imported);
      else note(`function ${call.target}`, at + imported);
    }
  });

  let callsBack = false;
  const work = [...functions];
  const reachAll = (what: string) => {
    for (const caller of callers.get(what) ?? []) {
      if (functions.has(caller)) continue;
      functions.add(caller);
      work.push(caller);
    }
  };
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    reachAll(`function ${next}`);
    const type = sameType(module.functionTypes[next] ?? 0);
    if (inTable.has(next) && !types.has(type)) {
      types.add(type);
      reachAll(`type ${type}`);
    }
    if (entries.has(next) && !callsBack) {
      callsBack = true;
      reachAll('callback');
    }
  }

  const isReached = (call: CallSite): boolean => {
    if (!call.reached) return false;
    if (!isDirect(call)) return types.has(sameType(call.target));
    return call.target < imported ? callsBack && callbacks.has(call.target) : functions.has(call.target);
  };
  return { functions, entries, isReached };
}

export const isDirect = ({ op }: CallSite): boolean => op === kOp.call || op === kOp.returnCall;

/** Types are compared by what they are: a module may hold the same one twice. */
function sameTypes(module: WasmModule): (type: number) => number {
  const first = new Map<string, number>();
  const same = module.types.map(({ key }, index) => {
    const known = first.get(key);
    if (known !== undefined) return known;
    first.set(key, index);
    return index;
  });
  return (type) => same[type] ?? type;
}
