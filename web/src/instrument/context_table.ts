// The table of known contexts: which site a context is, as a part of a wasm module in its own memory.
//
//   slot, 16 bytes:  context, 8 bytes | site | 1 when it is in use         open addressing; copied into one twice as large when three
//                                                                          quarters are in use
//
//   $siteOf(context)   known: its site;   not known: asks heapglass.stack, which looks at the engine's stack (site_book.ts)

import { kNamespace } from './recorder_names.ts';

const kSlots = 4096;
const kPageBytes = 65_536;

/** Pages of memory that it begins with. */
export const kContextPages = (kSlots * 16) / kPageBytes;

/** Gives the site of the stack on which it is called. */
export const kStackImport = `(import "${kNamespace}" "stack" (func $stack (result i32)))`;

/** Its text; the memory grows behind what the module began with. */
export const contextTable = (firstPage: number): string => `
  (global $table (mut i32) (i32.const ${firstPage * kPageBytes}))
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
  (func $siteOf (param $context i64) (result i32)
    (local $at i32) (local $site i32)
    (local.set $at (call $slot (local.get $context)))
    (if (i32.load offset=12 (local.get $at))
      (then (return (i32.load offset=8 (local.get $at)))))
    (call $keep (local.get $context) (local.tee $site (call $stack)))
    (global.set $known (i32.add (global.get $known) (i32.const 1)))
    (if (i32.gt_u (i32.shl (global.get $known) (i32.const 2)) (i32.mul (global.get $mask) (i32.const 3)))
      (then (call $double)))
    (local.get $site))`;
