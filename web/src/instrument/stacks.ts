// --stacks: each allocation of an instrumented module is told with its site.
//
//   malloc (wrapper) ── site(context) ─▶ recorder: known? ─▶ site_entered
//                                          └─ no ─▶ stack() ─▶ JavaScript: Error().stack, site_book.ts ─▶ text, string_defined, site_defined
//
//   stacks.1  Binaryen adds the global, the import and the question; then shadow_stack.ts goes over the bytes.
//   stacks.2  Only what allocates has a site. A free has none.
//   stacks.3  What is known of contexts lies in the recorder's memory (known_table.ts). With threads it is everybody's.

import type binaryen from 'binaryen';
import { kCalledName, kCallerImport } from './callers.ts';
import { setBody } from './function_edit.ts';
import { type Instrumented, type InstrumentOptions, type InstrumentPass, instrument } from './instrument.ts';
import { kContextImport, kKnownPages, knownText, kSiteOfText } from './known_table.ts';
import type { NamesOf } from './names_table.ts';
import { kSiteImport } from './reach.ts';
import type { RecorderParts } from './recorder_module.ts';
import { addStacks, kContextExport } from './shadow_stack.ts';
import { kDepth } from './wrap.ts';

export interface InstrumentedStacks extends Instrumented {
  /** Functions that keep the context, and calls that set it. */
  readonly functions: number;
  readonly calls: number;
}

export interface StackOptions extends InstrumentOptions {
  /** Stacks go on to the JavaScript that called: callers.ts. */
  readonly callers?: boolean;
  /** What calls of the original are called, so that the recorder can say it. */
  readonly namesOf?: NamesOf | undefined;
}

export function instrumentStacks(
  lib: typeof binaryen,
  original: Uint8Array,
  { callers = false, namesOf, ...options }: StackOptions = {},
): InstrumentedStacks {
  const passes = [...(options.passes ?? []), askForSites(callers)];
  const { binary, ...rest } = instrument(lib, original, { ...options, passes });
  const { bytes, functions, calls } = addStacks(binary, original, namesOf);
  return { ...rest, binary: bytes, functions, calls };
}

const askForSites =
  (callers: boolean): InstrumentPass =>
  ({ lib, module, family, recorder }) => {
    const ask = `${kSiteImport.module}.${kSiteImport.name}`;
    module.addFunctionImport(ask, kSiteImport.module, kSiteImport.name, lib.i64, lib.none);
    module.addGlobal(kContextExport, lib.i64, true, module.i64.const(0n as unknown as number));
    module.addGlobalExport(kContextExport, kContextExport);
    const called = `${kSiteImport.module}.${kCalledName}`;
    if (callers) module.addFunctionImport(called, kSiteImport.module, kCalledName, lib.none, lib.i64);
    const context = () => module.global.get(kContextExport, lib.i64);
    const contextHere = () =>
      callers ? module.if(module.i64.eqz(context()), module.call(called, [], lib.i64), context()) : context();
    for (const { func, role } of family.members) {
      if (role.size === undefined) continue;
      const wrapper = module.getFunction(func);
      const { body, results } = lib.getFunctionInfo(wrapper);
      const isOutermost = module.i32.eqz(module.global.get(kDepth, lib.i32));
      const question = module.call(ask, [contextHere()], lib.none);
      setBody(lib, wrapper, module.block(null, [module.if(isOutermost, question), body], results));
    }
    recorder.push(siteParts(callers));
  };

const siteParts = (callers: boolean): RecorderParts => ({
  pages: kKnownPages,
  imports: callers ? `${kContextImport} ${kCallerImport}` : kContextImport,
  text: (state) => `
  ${knownText(state)}
  ${kSiteOfText}
  (func (export "${kSiteImport.name}") (param $context i64)
    (call $enter)
    (global.set $site (call $site_of (local.get $context)))
    (call $leave))
  ${callers ? kCalledText : ''}`,
});

const kCalledText = `
  (func (export "${kCalledName}") (result i64)
    (local $context i64)
    (call $enter)
    (local.set $context (call $caller))
    (call $leave)
    (local.get $context))`;
