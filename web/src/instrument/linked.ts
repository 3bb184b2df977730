// --stacks for a program that is linked with heapglass and records itself: the trace has the structure of its heap, and sites too.
//
//   before   callers ──▶ hg_malloc                          writes its events into the program's ring
//   after    callers ──▶ hg_malloc (the wrapper) ──▶ heapglass.inner.hg_malloc (its code, unchanged)
//                          │   hg_recorder_enter(site) before it, hg_recorder_leave after it (core/src/abi/wasm_recorder.cpp)
//                          └─▶ site = heapglass.site(context): the table of contexts, a module of its own in a custom section
//
//   linked.1  The program's recorder stays the only one. What is added tells it the site before each outermost operation that allocates;
//             what comes between in the trace is decided there, under the trace's lock.
//   linked.2  A function of the allocator that the linker's optimizer has put into its callers cannot be wrapped: its allocations have
//             no site. The functions of malloc are exported by the recorder, so they stay.
//   linked.3  Frees have no site, and are not wrapped.
//   linked.4  Each thread has an instance, hence a context and a table of its own. Numbers of sites are the program's, for all threads.

import type binaryen from 'binaryen';
import { functionNames } from '../symbols/function_names.ts';
import { readModule as readWasm, WasmFileError } from '../symbols/index.ts';
import { addLocal, bytesOf, setBody } from './function_edit.ts';
import { readModule, rewriting } from './instrument.ts';
import { kContextImport, kKnownPages, knownText, kSiteOfText } from './known_table.ts';
import { checkBytes, customSections, ModuleProblem } from './module_problem.ts';
import type { NamesOf } from './names_table.ts';
import { kSiteImport } from './reach.ts';
import { kContextSection, kSitesExports } from './recorder_names.ts';
import { RecorderState } from './recorder_state.ts';
import { addStacks, kContextExport, type Stacked } from './shadow_stack.ts';
import { innerCall, kDepth } from './wrap.ts';

export interface InstrumentedLinked extends Stacked {
  /** Names of the functions before which the site is told. */
  readonly wrapped: readonly string[];
}

const kEnter = 'hg_recorder_enter';
const kLeave = 'hg_recorder_leave';
const kNoLock = '';
const kBegin = 'hg_recorder_begin_sites';
const kNumber = 'hg_recorder_number';
const kPut = 'hg_recorder_put';

/** What allocates, of heapglass's own interface and by libc's names. */
const kAllocates: readonly RegExp[] = [
  /^_?(?:hg_|hg_libc_|__libc_|emscripten_builtin_|emmalloc_)?(?:malloc|calloc|realloc|realloc_in_place|memalign|aligned_alloc|posix_memalign|valloc|pvalloc)$/,
  /^_?(?:hg_heap_)?independent_(?:calloc|comalloc)$/,
  /^_?hg_heap_(?:allocate|allocate_zeroed|allocate_aligned|reallocate|reallocate_in_place|command|burst_nodes|burst_arrays)$/,
  /^_?hg_(?:pool_allocate|pool_burst|small_allocate|small_allocate_slow|small_allocate_class)$/,
];

/** Whether the module is linked with heapglass and records itself: by its exports or, where their names are short, its name section. */
export function isLinked(original: Uint8Array): boolean {
  checkBytes(original);
  try {
    const module = readWasm(original);
    const names = [...module.exports.map(({ name }) => name), ...functionNames(module).values()];
    return names.some((name) => /^_?hg_recorder_take$/.test(name));
  } catch (error) {
    if (error instanceof WasmFileError) return false; // who instruments it says what is wrong with it
    throw error;
  }
}

/** pre: isLinked. `namesOf`: what calls of the original are called. Throws a ModuleProblem that says why it cannot be done. */
export function instrumentLinked(lib: typeof binaryen, original: Uint8Array, namesOf?: NamesOf): InstrumentedLinked {
  if (customSections(original).has(kContextSection)) {
    throw new ModuleProblem('already_instrumented', 'it is instrumented already: give the module as it was before');
  }
  const module = readModule(lib, original);
  return rewriting(original, module, () => {
    const functions = functionsByName(lib, module);
    const enter = functions.get(kEnter);
    const [begin, leave] = [kBegin, kLeave].map((name) =>
      module.getMemoryInfo().shared ? functions.get(name) : kNoLock,
    );
    const [number, put] = [kNumber, kPut].map((name) => functions.get(name));
    const exports = { begin, end: leave, number, put };
    if (enter === undefined || leave === undefined || Object.values(exports).includes(undefined)) {
      throw new ModuleProblem('unknown_function', `it is linked with a heapglass that has no ${kPut}: link it again`);
    }
    addContext(lib, module);
    for (const [use, name] of Object.entries(kSitesExports)) {
      const func = exports[use as keyof typeof exports];
      if (func !== undefined && func !== kNoLock) module.addFunctionExport(func, name);
    }
    const wrapped = [...functions].filter(
      ([name, func]) => kAllocates.some((known) => known.test(name)) && canWrap(lib, module, func),
    );
    for (const func of new Set(wrapped.map(([, func]) => func))) recordSite(lib, module, { func, enter, leave });
    module.addCustomSection(kContextSection, tableModule(lib));
    module.runPasses(['strip-dwarf']);
    if (!module.validate()) throw new Error('the instrumented module is not valid');
    const binary = bytesOf(lib, module, customSections(original).has('name'));
    return { ...addStacks(binary, original, namesOf), wrapped: wrapped.map(([name]) => name) };
  });
}

/** By names of exports and, where there is a name section, of functions. */
function functionsByName(lib: typeof binaryen, module: binaryen.Module): Map<string, string> {
  const found = new Map<string, string>();
  for (let i = 0; i < module.getNumFunctions(); ++i) {
    const { name } = lib.getFunctionInfo(module.getFunctionByIndex(i));
    found.set(name, name);
  }
  for (let i = 0; i < module.getNumExports(); ++i) {
    const { kind, name, value } = lib.getExportInfo(module.getExportByIndex(i));
    if (kind === lib.ExternalFunction) found.set(name, value);
  }
  return found;
}

function canWrap(lib: typeof binaryen, module: binaryen.Module, func: string): boolean {
  const { module: from, params, results } = lib.getFunctionInfo(module.getFunction(func));
  const isImport = from !== null && from !== '';
  return !isImport && lib.expandType(params).every((type) => type === lib.i32) && results === lib.i32;
}

function addContext(lib: typeof binaryen, module: binaryen.Module): void {
  const zero = module.i64.const(0n as unknown as number);
  module.addFunctionImport(kAsk, kSiteImport.module, kSiteImport.name, lib.i64, lib.i32);
  module.addGlobal(kContextExport, lib.i64, true, zero);
  module.addGlobalExport(kContextExport, kContextExport);
  module.addGlobal(kDepth, lib.i32, true, module.i32.const(0));
}

const kAsk = `${kSiteImport.module}.${kSiteImport.name}`;

interface WrappedFunction {
  readonly func: string;
  readonly enter: string;
  /** kNoLock: the program has one thread, and an optimizer may have removed the function, which does nothing then. */
  readonly leave: string;
}

/** enter comes before the depth is set: what a hook allocates there is an operation of its own. */
function recordSite(lib: typeof binaryen, module: binaryen.Module, { func, enter, leave }: WrappedFunction): void {
  const wrapper = module.getFunction(func);
  const call = innerCall(lib, module, func);
  const { i32, none } = lib;
  const entered = addLocal(lib, wrapper, i32);
  const result = addLocal(lib, wrapper, i32);
  const depth = (value: number) => module.global.set(kDepth, module.i32.const(value));
  const site = module.call(kAsk, [module.global.get(kContextExport, lib.i64)], i32);
  const lines = [
    module.if(module.global.get(kDepth, i32), module.return(call())),
    module.local.set(entered, module.call(enter, [site], i32)),
    depth(1),
    module.local.set(result, call()),
    depth(0),
    leave === kNoLock ? module.nop() : module.call(leave, [module.local.get(entered, i32)], none),
    module.local.get(result, i32),
  ];
  setBody(lib, wrapper, module.block(null, lines, i32));
}

function tableModule(lib: typeof binaryen): Uint8Array {
  const state = new RecorderState(false);
  const table = knownText(state, 0);
  const module = lib.parseText(`(module
  ${kContextImport}
  (memory ${kKnownPages})
  ${state.definitions()}
  ${table}
  ${kSiteOfText}
  (export "${kSiteImport.name}" (func $site_of)))`);
  const binary = bytesOf(lib, module, false);
  module.dispose();
  return binary;
}
