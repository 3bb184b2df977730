// The recorder's functions for a module whose memory has 64-bit addresses: they take i64 and call those of 32 bits.
//
//   allocated(op, request, alignment, address, pages)   all i64 but op
//      ├─ the block ends below 4 GiB ─▶ the same in 32 bits
//      └─ it does not ─▶ a mark that says so; from here on records are counted and not written
//
//   wide.1  Addresses and sizes in a trace have 32 bits. So a trace ends for its reader at the first block behind 4 GiB: what was recorded
//           before stays whole, and events_lost says how much is missing (event.P6, docs/decisions/0033).
//   wide.2  A request that was refused, or an alignment, may be larger than 32 bits: it is written as the largest.
//   wide.3  A block behind the end that is freed was allocated unseen, or recording has ended; either way it counts as behind.

import { EventKind } from '../protocol/event_layout.ts';
import { kBehindText } from '../trace/address_end.ts';
import { MarkCode, textRecords } from '../trace/texts.ts';
import { headOf, kEventWords } from '../trace/trace.ts';
import type { RecorderState } from './recorder_state.ts';

/** How much of a memory fits into a trace: the segment of a foreign heap is 8 bytes less than 4 GiB at most. */
export const kMostRecorded = 2 ** 32 - 8;

export function wideText(state: RecorderState): string {
  return `
  (func $word (param $value i64) (result i32) ;; wide.2
    (if (i64.gt_u (local.get $value) (i64.const 0xffffffff)) (then (return (i32.const -1))))
    (i32.wrap_i64 (local.get $value)))
  (func $ends_behind (param $address i64) (param $size i64) (result i32) ;; 1: it is the first that does
    (if ${state.get('behind')} (then (return (i32.const 0))))
    (if (i64.le_u (local.get $address) (i64.const ${kMostRecorded})) (then
      (if (i64.le_u (local.get $size) (i64.sub (i64.const ${kMostRecorded}) (local.get $address)))
        (then (return (i32.const 0))))))
    ${markText(kBehindText)}
    ${state.set('behind', '(i32.const 1)')}
    (i32.const 1))
  (func $given_behind (param $address i64) (param $request i64) (result i32)
    (if (i64.eqz (local.get $address)) (then (return (i32.const 0)))) ;; refused
    (call $ends_behind (local.get $address) (local.get $request)))
  ${wide('allocated', ['$op', ...kGiven], '(call $given_behind (local.get $address) (local.get $request))')}
  ${wide('freed', kFreed, '(call $ends_behind (local.get $address) (i64.const 0))')}
  ${wide('resized', ['$from', ...kGiven], '(i32.or (call $ends_behind (local.get $from) (i64.const 0)) (call $given_behind (local.get $address) (local.get $request)))')}`;
}

const kGiven = ['$request', '$alignment', '$address', '$now'];
const kFreed = ['$address', '$now'];

/** The same of what a sampling recorder has beside them (sample_table.ts). A block behind the end is in no table of samples. */
export const wideSampleText = (isShared: boolean): string => `
  ${wide('sampled', ['$op', ...kGiven], '(call $given_behind (local.get $address) (local.get $request))')}
  (func (export "forget") (param $address i64) (param $now i64)
    (if (i64.gt_u (local.get $address) (i64.const ${kMostRecorded})) (then (return)))
    (call $forget (i32.wrap_i64 (local.get $address)) (call $word (local.get $now))))
  ${isShared ? kWideHold : ''}`;

const kWideHold = `
  (func (export "hold") (param $address i64) (result i32)
    (if (i64.gt_u (local.get $address) (i64.const ${kMostRecorded})) (then (return (i32.const 0))))
    (call $hold (i32.wrap_i64 (local.get $address))))`;

/** The export `name`, which calls $name; `behind`: whether this call ends the recording. */
function wide(name: string, parameters: readonly string[], behind: string): string {
  const typeOf = (it: string) => (it === '$op' ? 'i32' : 'i64');
  const words = parameters.map((it) => (it === '$op' ? `(local.get ${it})` : `(call $word (local.get ${it}))`));
  return `
  (func (export "${name}") ${parameters.map((it) => `(param ${it} ${typeOf(it)})`).join(' ')}
    (local $first i32)
    (call $enter)
    (local.set $first ${behind})
    (call $${name} ${words.join(' ')})
    (call $leave)
    (if (local.get $first) (then (call $full))))`; // who waits for events hears of it now
}

const markText = (text: string): string => {
  const lines: string[] = [];
  const put = (words: Uint32Array) =>
    lines.push(`(call $put ${[...words].map((word) => `(i32.const ${word})`).join(' ')})`);
  const records = textRecords(text);
  for (let at = 0; at < records.length; at += kEventWords) put(records.subarray(at, at + kEventWords));
  put(Uint32Array.of(headOf(EventKind.mark, 1, MarkCode.named), 0, 0, 0));
  return lines.join('\n    ');
};
