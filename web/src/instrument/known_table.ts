// The recorder's table of what has a number: a context that has a site, and, with threads, a call that is in the tree of sites and a frame
// that has a string, so that all threads use the same numbers.
//
//   slot: key, 8 bytes | number | 1 when it is in use          open addressing
//
//   known.1  The table is copied into one twice as large when three quarters are in use.
//   known.2  intern(key) gives the number of a key, or, of one that is new, its new number negated. Its keys have the highest bit set, which
//            contexts of few calls have not; others are as probable as any two contexts to be the same.

import { kFirstFreePage } from './recorder_module.ts';
import { kNamespace } from './recorder_names.ts';
import type { RecorderState } from './recorder_state.ts';

const kSlots = 4096;
const kPageBytes = 65_536;

/** Gives the site of the stack on which it is called. */
export const kStackImport = `(import "${kNamespace}" "stack" (func $stack (result i32)))`;

/** The same where the stack has this context. */
export const kContextImport = `(import "${kNamespace}" "stack" (func $stack (param $context i64) (result i32)))`;

export const kKnownPages = (kSlots * 16) / kPageBytes;

export function knownText(state: RecorderState, page = kFirstFreePage): string {
  state.declare('table', 'i32', page * kPageBytes);
  state.declare('mask', 'i32', kSlots - 1);
  state.declare('known', 'i32', 0);
  if (state.isShared) state.declare('numbers', 'i32', 0);
  const { get, set } = { get: state.get.bind(state), set: state.set.bind(state) };
  return `
  (func $slot (param $key i64) (result i32)
    (local $at i32) (local $index i32)
    (local.set $index (i32.wrap_i64 (i64.shr_u
      (i64.mul (local.get $key) (i64.const 0x9e3779b97f4a7c15)) (i64.const 32))))
    (loop $next
      (local.set $at (i32.add ${get('table')} (i32.shl (i32.and (local.get $index) ${get('mask')}) (i32.const 4))))
      (local.set $index (i32.add (local.get $index) (i32.const 1)))
      (br_if $next (i32.and
        (i32.load offset=12 (local.get $at))
        (i64.ne (i64.load (local.get $at)) (local.get $key)))))
    (local.get $at))
  (func $keep (param $key i64) (param $number i32)
    (local $at i32)
    (i64.store (local.tee $at (call $slot (local.get $key))) (local.get $key))
    (i32.store offset=8 (local.get $at) (local.get $number))
    (i32.store offset=12 (local.get $at) (i32.const 1)))
  (func $double
    (local $at i32) (local $end i32)
    (local.set $at ${get('table')})
    (local.set $end (i32.add (local.get $at) (i32.shl (i32.add ${get('mask')} (i32.const 1)) (i32.const 4))))
    ${set('mask', `(i32.add (i32.shl ${get('mask')} (i32.const 1)) (i32.const 1))`)}
    ${set('table', `(i32.shl (memory.grow (i32.shr_u (i32.add ${get('mask')} (i32.const 1)) (i32.const 12))) (i32.const 16))`)}
    (loop $next
      (if (i32.load offset=12 (local.get $at))
        (then (call $keep (i64.load (local.get $at)) (i32.load offset=8 (local.get $at)))))
      (br_if $next (i32.ne (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))))
  (func $keep_new (param $key i64) (param $number i32)
    (call $keep (local.get $key) (local.get $number))
    ${set('known', `(i32.add ${get('known')} (i32.const 1))`)}
    (if (i32.gt_u (i32.shl ${get('known')} (i32.const 2)) (i32.mul ${get('mask')} (i32.const 3)))
      (then (call $double))))
  ${state.isShared ? internText(state) : ''}`;
}

const internText = (state: RecorderState): string => `
  (func (export "intern") (param $key i64) (result i32)
    (local $at i32) (local $number i32)
    (if (i32.load offset=12 (local.tee $at (call $slot (local.get $key))))
      (then (return (i32.load offset=8 (local.get $at)))))
    (local.set $number (i32.add ${state.get('numbers')} (i32.const 1)))
    ${state.set('numbers', '(local.get $number)')}
    (call $keep_new (local.get $key) (local.get $number))
    (i32.sub (i32.const 0) (local.get $number)))`;

/** Behind the functions of knownText. */
export const kSiteOfText = `
  (func $site_of (param $context i64) (result i32)
    (local $at i32) (local $site i32)
    (local.set $at (call $slot (local.get $context)))
    (if (i32.load offset=12 (local.get $at))
      (then (return (i32.load offset=8 (local.get $at)))))
    (call $keep_new (local.get $context) (local.tee $site (call $stack (local.get $context))))
    (local.get $site))`;
