// What a sampling recorder has beside the ring: the countdown, and the addresses of the sampled blocks that live.
//
//   behind the ring:  table, one word a slot, open addressing, 0: empty | counters, one for each bit of the filter
//
//   sampled.T1  The table is copied into one twice as large when half of it is in use; one that goes out moves those behind it, so that
//               every address is found from its own place on without a gap.
//   sampled.T2  A bit of the filter is set exactly while its counter is not 0.
//   sampled.T3  With threads the countdown is each thread's own; table and filter are everybody's, as a block may be freed by another
//               thread. The filter is read without the lock: who frees a block was given it after its bit was set.
//   sampled.T4  With threads a realloc of a block whose bit is set keeps the lock from before it runs (`hold`) until it was told.

import { knownText, kStackImport } from './known_table.ts';
import { kFirstFreePage, type RecorderParts } from './recorder_module.ts';
import { kNamespace } from './recorder_names.ts';
import type { RecorderState } from './recorder_state.ts';
import { wideSampleText } from './wide_text.ts';

/** Of an address: its upper six bits, of 32, are a bit's number in the filter. */
export const kHashFactor = 0x9e3779b1 | 0;
export const kBitShift = 26;

const kPageBytes = 65_536;
const kTable = kFirstFreePage * kPageBytes;
const kTableBytes = 32_768;
const kCounters = kTable + kTableBytes;
const kSlotShift = 7;

export const sampleParts = (mean: number): RecorderParts => ({
  pages: 1,
  imports: `${kStackImport}
  (import "${kNamespace}" "distance" (func $distance (param f64) (result f64)))`,
  begin: '(call $draw)',
  text: (state) => sampleText(state, mean),
});

function sampleText(state: RecorderState, mean: number): string {
  state.declare('filter', 'i64', 0n, 'filter');
  state.declare('samples', 'i32', kTable);
  state.declare('samples_mask', 'i32', kTableBytes - 4); // of a slot's offset
  state.declare('samples_known', 'i32', 0);
  const { get, set } = { get: state.get.bind(state), set: state.set.bind(state) };
  const out = (name: string) => (state.isWide ? '' : `(export "${name}")`);
  return `
  ${state.isShared ? knownText(state, kFirstFreePage + 1) + holdText(state) : ''}
  (global (export "mean") i32 (i32.const ${mean}))
  (global $countdown (export "countdown") (mut i64) (i64.const 0))
  (func $draw (global.set $countdown (i64.trunc_f64_u (call $distance (f64.const ${mean})))))
  (func $hash (param $address i32) (result i32) (i32.mul (local.get $address) (i32.const ${kHashFactor})))
  (func $bit (param $address i32) (result i64)
    (i64.shl (i64.const 1) (i64.extend_i32_u (i32.shr_u (call $hash (local.get $address)) (i32.const ${kBitShift})))))
  (func $counter (param $address i32) (result i32)
    (i32.add (i32.const ${kCounters})
      (i32.shl (i32.shr_u (call $hash (local.get $address)) (i32.const ${kBitShift})) (i32.const 2))))
  ${slotsText(state)}
  (func $remember (param $address i32)
    (local $counter i32)
    (i32.store (call $find (local.get $address)) (local.get $address))
    (local.set $counter (call $counter (local.get $address)))
    (i32.store (local.get $counter) (i32.add (i32.load (local.get $counter)) (i32.const 1)))
    ${set('filter', `(i64.or ${get('filter')} (call $bit (local.get $address)))`)}
    ${set('samples_known', `(i32.add ${get('samples_known')} (i32.const 1))`)}
    (if (i32.gt_u (i32.shl ${get('samples_known')} (i32.const 3)) ${get('samples_mask')}) (then (call $double_samples))))
  (func $takeOut (param $at i32) (param $address i32)
    (local $counter i32) (local $offset i32)
    (local.set $counter (call $counter (local.get $address)))
    (i32.store (local.get $counter) (i32.sub (i32.load (local.get $counter)) (i32.const 1)))
    (if (i32.eqz (i32.load (local.get $counter)))
      (then ${set('filter', `(i64.and ${get('filter')} (i64.xor (call $bit (local.get $address)) (i64.const -1)))`)}))
    ${set('samples_known', `(i32.sub ${get('samples_known')} (i32.const 1))`)}
    (i32.store (local.get $at) (i32.const 0))
    (local.set $offset (i32.sub (local.get $at) ${get('samples')}))
    (loop $next ;; T1
      (local.set $offset (i32.and (i32.add (local.get $offset) (i32.const 4)) ${get('samples_mask')}))
      (local.set $at (i32.add ${get('samples')} (local.get $offset)))
      (if (i32.load (local.get $at)) (then (call $move (local.get $at)) (br $next)))))
  (func $forget ${out('forget')} (param $address i32) (param $now i32)
    (local $at i32)
    (if (i32.eqz (local.get $address)) (then (return)))
    ${state.isShared ? '(if (i32.eqz (call $may_be_sampled (local.get $address))) (then (return)))' : ''}
    (call $enter)
    (if (i32.load (local.tee $at (call $find (local.get $address))))
      (then
        (call $takeOut (local.get $at) (local.get $address))
        (call $freed (local.get $address) (local.get $now))))
    (call $leave))
  (func $sampled ${out('sampled')}
    (param $op i32) (param $request i32) (param $alignment i32) (param $address i32) (param $now i32)
    (call $draw)
    (if (i32.eqz (local.get $address)) (then (return)))
    (call $enter)
    (call $forget (local.get $address) (local.get $now)) ;; a free that was not seen
    (global.set $site (call $stack))
    (call $allocated (local.get $op) (local.get $request) (local.get $alignment) (local.get $address) (local.get $now))
    (call $remember (local.get $address))
    (call $leave))
  ${state.isWide ? wideSampleText(state.isShared) : ''}`;
}

/** sampled.T1: where an address is in the table, or would be. */
const slotsText = (state: RecorderState): string => `
  (func $find (param $address i32) (result i32) ;; its slot, or the empty one where it would be
    (local $at i32) (local $offset i32) (local $held i32)
    (local.set $offset (i32.shr_u (call $hash (local.get $address)) (i32.const ${kSlotShift})))
    (loop $next
      (local.set $at (i32.add ${state.get('samples')} (i32.and (local.get $offset) ${state.get('samples_mask')})))
      (local.set $offset (i32.add (local.get $offset) (i32.const 4)))
      (local.set $held (i32.load (local.get $at)))
      (br_if $next (i32.and
        (i32.ne (local.get $held) (i32.const 0)) (i32.ne (local.get $held) (local.get $address)))))
    (local.get $at))
  (func $move (param $from i32) ;; to where it is found
    (local $address i32)
    (local.set $address (i32.load (local.get $from)))
    (i32.store (local.get $from) (i32.const 0))
    (i32.store (call $find (local.get $address)) (local.get $address)))
  (func $double_samples
    (local $at i32) (local $end i32)
    (local.set $at ${state.get('samples')})
    (local.set $end (i32.add (i32.add (local.get $at) ${state.get('samples_mask')}) (i32.const 4)))
    ${state.set('samples_mask', `(i32.add (i32.shl ${state.get('samples_mask')} (i32.const 1)) (i32.const 4))`)}
    ${state.set('samples', `(i32.shl (memory.grow (i32.shr_u (i32.add ${state.get('samples_mask')} (i32.const 4)) (i32.const 16))) (i32.const 16))`)}
    (loop $next
      (if (i32.load (local.get $at)) (then (call $move (local.get $at))))
      (br_if $next (i32.ne (local.tee $at (i32.add (local.get $at) (i32.const 4))) (local.get $end)))))`;

/** sampled.T3, sampled.T4: hold gives 1 when the lock was taken; release is to follow then. */
const holdText = (state: RecorderState): string => `
  (func $may_be_sampled (param $address i32) (result i32)
    (i64.ne (i64.const 0) (i64.and ${state.get('filter')} (call $bit (local.get $address)))))
  (func $hold ${state.isWide ? '' : '(export "hold")'} (param $address i32) (result i32)
    (if (i32.eqz (local.get $address)) (then (return (i32.const 0))))
    (if (i32.eqz (call $may_be_sampled (local.get $address))) (then (return (i32.const 0))))
    (call $enter)
    (i32.const 1))`;
