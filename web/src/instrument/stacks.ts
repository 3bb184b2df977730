// --stacks: each allocation of an instrumented module is told with its site.
//
//   malloc (wrapper) ── site(context) ─▶ recorder: known? ─▶ site_entered
//                                          └─ no ─▶ stack() ─▶ JavaScript: Error().stack, site_book.ts ─▶ text, string_defined, site_defined
//
//   stacks.1  Binaryen adds the global, the import and the question; then shadow_stack.ts goes over the bytes.
//   stacks.2  Only what allocates has a site. A free has none.
//   stacks.3  The table of known contexts lies in the recorder's memory behind the ring, 16 bytes each, open addressing; it is copied into
//             one twice as large when three quarters are in use.

import type binaryen from 'binaryen';
import { EventKind } from '../protocol/event_layout.ts';
import { headOf } from '../trace/trace.ts';
import { setBody } from './function_edit.ts';
import { type Instrumented, type InstrumentOptions, type InstrumentPass, instrument } from './instrument.ts';
import { kSiteImport } from './reach.ts';
import { kFirstFreePage, type RecorderParts } from './recorder_module.ts';
import { addStacks, kContextExport } from './shadow_stack.ts';
import { kDepth } from './wrap.ts';

export interface InstrumentedStacks extends Instrumented {
  /** Functions that keep the context, and calls that set it. */
  readonly functions: number;
  readonly calls: number;
}

export function instrumentStacks(
  lib: typeof binaryen,
  original: Uint8Array,
  options: InstrumentOptions = {},
): InstrumentedStacks {
  const passes = [...(options.passes ?? []), askForSites];
  const { binary, ...rest } = instrument(lib, original, { ...options, passes });
  const { bytes, functions, calls } = addStacks(binary, original);
  return { ...rest, binary: bytes, functions, calls };
}

const askForSites: InstrumentPass = ({ lib, module, family, recorder }) => {
  const ask = `${kSiteImport.module}.${kSiteImport.name}`;
  module.addFunctionImport(ask, kSiteImport.module, kSiteImport.name, lib.i64, lib.none);
  module.addGlobal(kContextExport, lib.i64, true, module.i64.const(0n as unknown as number));
  module.addGlobalExport(kContextExport, kContextExport);
  for (const { func, role } of family.members) {
    if (role.size === undefined) continue;
    const wrapper = module.getFunction(func);
    const { body, results } = lib.getFunctionInfo(wrapper);
    const isOutermost = module.i32.eqz(module.global.get(kDepth, lib.i32));
    const question = module.call(ask, [module.global.get(kContextExport, lib.i64)], lib.none);
    setBody(lib, wrapper, module.block(null, [module.if(isOutermost, question), body], results));
  }
  recorder.push(kSiteParts);
};

const kSlots = 4096;
const kPageBytes = 65_536;

const kSiteParts: RecorderParts = {
  pages: (kSlots * 16) / kPageBytes,
  imports: `(import "${kSiteImport.module}" "stack" (func $stack (result i32)))`,
  text: `
  ;; slot: context, 8 bytes | site | 1 when it is in use
  (global $table (mut i32) (i32.const ${kFirstFreePage * kPageBytes}))
  (global $mask (mut i32) (i32.const ${kSlots - 1}))
  (global $known (mut i32) (i32.const 0))
  (func $slot (param $context i64) (result i32)
    (local $at i32) (local $index i32)
    (local.set $index (i32.wrap_i64 (i64.shr_u
      (i64.mul (local.get $context) (i64.const 0x9e3779b97f4a7c15)) (i64.const 32))))
    (loop $next
      (local.set $at (i32.add (global.get $table)
        (i32.shl (i32.and (local.get $index) (global.get $mask)) (i32.const 4))))
      (local.set $index (i32.add (local.get $index) (i32.const 1)))
      (br_if $next (i32.and
        (i32.load offset=12 (local.get $at))
        (i64.ne (i64.load (local.get $at)) (local.get $context)))))
    (local.get $at))
  (func $keep (param $context i64) (param $site i32)
    (local $at i32)
    (i64.store (local.tee $at (call $slot (local.get $context))) (local.get $context))
    (i32.store offset=8 (local.get $at) (local.get $site))
    (i32.store offset=12 (local.get $at) (i32.const 1)))
  (func $double
    (local $at i32) (local $end i32)
    (local.set $at (global.get $table))
    (local.set $end (i32.add (local.get $at)
      (i32.shl (i32.add (global.get $mask) (i32.const 1)) (i32.const 4))))
    (global.set $mask (i32.add (i32.shl (global.get $mask) (i32.const 1)) (i32.const 1)))
    (global.set $table (i32.shl
      (memory.grow (i32.shr_u (i32.add (global.get $mask) (i32.const 1)) (i32.const 12))) (i32.const 16)))
    (loop $next
      (if (i32.load offset=12 (local.get $at))
        (then (call $keep (i64.load (local.get $at)) (i32.load offset=8 (local.get $at)))))
      (br_if $next (i32.ne (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))))
  (func (export "${kSiteImport.name}") (param $context i64)
    (local $at i32) (local $site i32)
    (local.set $at (call $slot (local.get $context)))
    (if (i32.load offset=12 (local.get $at))
      (then (local.set $site (i32.load offset=8 (local.get $at))))
      (else
        (call $keep (local.get $context) (local.tee $site (call $stack)))
        (global.set $known (i32.add (global.get $known) (i32.const 1)))
        (if (i32.gt_u (i32.shl (global.get $known) (i32.const 2)) (i32.mul (global.get $mask) (i32.const 3)))
          (then (call $double)))))
    (if (local.get $site)
      (then (call $put (i32.const ${headOf(EventKind.siteEntered, 0)}) (local.get $site) (i32.const 0) (i32.const 0)))))`,
};
