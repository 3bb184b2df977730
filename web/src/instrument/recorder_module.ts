// The recorder of an instrumented module: a wasm module of its own, whose functions the program imports as "heapglass".
//
//   program (its own memory)            recorder (its own memory)                   JavaScript (loader.ts)
//   malloc wrapper ── allocated() ──▶   writes 16-byte records ── full() ──▶        copies the ring out, sets `at` back
//
//   Rec.1  It has a memory of its own, because the program's allocator believes that all of the program's memory is its own.
//   Rec.2  It is one text, made from event_layout.ts, and travels in a custom section of the instrumented module: so the two always fit.
//   Rec.3  Nothing is lost: before a record finds no room, full() takes all of them. It must set `at` back to `begin`.
//   Rec.4  The first operation begins the trace: heap_created of word size 0 (event.P7) and its segment, all of linear memory. Memory
//          that grew since the last operation is recorded inside the next one, before its blocks.
//   Rec.5  An allocation is recorded when it has returned, a free before it is done. Nothing of the family is recorded inside (wrap.ts).
//   Rec.6  With threads each thread has an instance of it, all on one memory that the loader gives: one trace, in the order in which the
//          lock was taken (recorder_state.ts). The records of a call stand together, behind a thread_changed where another thread wrote
//          last. A realloc keeps the lock while it runs: what it frees could else be given to another thread, which records it first.
//   Rec.7  With threads there is no ring but a list of buffers, because who finds the last one full may be a thread that cannot empty
//          them: then there is one more. They are emptied from the first on, and used again. Where memory ends, records are counted as lost.
//   Rec.8  Of a memory of 4 GiB and more the segment has the first 4 GiB, less 8 bytes: a size is a number of 32 bits.

import type binaryen from 'binaryen';
import { EventKind, kEventLayout, kTraceVersion, Op, Status } from '../protocol/event_layout.ts';
import { headOf } from '../trace/trace.ts';
import { bytesOf } from './function_edit.ts';
import { kNamespace, kRingRecords } from './recorder_names.ts';
import { RecorderState } from './recorder_state.ts';
import { kBuffer, kSharedPages } from './shared_layout.ts';
import { kMostRecorded, wideText } from './wide_text.ts';

const kHeap = 1;
const kBegin = 1024;
const kRecords = kRingRecords;
const kPageBytes = 65_536;
const kEnd = kBegin + kRecords * kEventLayout.bytes;
const kPages = Math.ceil(kEnd / kPageBytes);
const kAlignment = 8; // of a heap that says nothing else

const head = (kind: EventKind, detail = 0): string => `(i32.const ${headOf(kind, kHeap, detail)})`;

/** Its parts beside the text below, for passes that need more of it: functions, globals, memory behind `kEnd`. */
export interface RecorderParts {
  /** Of heapglass, satisfied by loader.ts. */
  readonly imports: string;
  readonly text: (state: RecorderState) => string;
  /** Instructions when an instance begins. */
  readonly begin?: string;
  readonly pages: number;
}

/** Where parts that a pass adds may keep data: the first page behind the ring. */
export const kFirstFreePage = kPages;

export interface RecorderKind {
  readonly parts?: readonly RecorderParts[];
  /** With threads. */
  readonly isShared?: boolean;
  /** Of a module whose addresses have 64 bits. */
  readonly isWide?: boolean;
}

/** The recorder as wasm. */
export function makeRecorder(
  lib: typeof binaryen,
  { parts = [], isShared = false, isWide = false }: RecorderKind = {},
): Uint8Array {
  const state = new RecorderState(isShared, isWide);
  state.declare('pages', 'i32', 0);
  if (isWide) state.declare('behind', 'i32', 0);
  if (isWide && !isShared) state.declare('lost', 'i32', 0, 'lost');
  if (isShared) state.declare('acting', 'i32', 1);
  const pages = parts.reduce((sum, part) => sum + part.pages, kPages);
  const ring = isShared ? buffersText(state) : ringText(state, pages);
  const module = lib.parseText(recorderText(state, ring, parts));
  lib.setOptimizeLevel(3);
  const { MVP, MutableGlobals, Atomics: threads } = lib.Features;
  module.setFeatures(isShared ? MVP | MutableGlobals | threads : MVP | MutableGlobals);
  module.optimize();
  const binary = bytesOf(lib, module, false);
  module.dispose();
  return binary;
}

const ringText = (state: RecorderState, pages: number): string => {
  state.declare('at', 'i32', kBegin, 'at');
  return `
  (memory (export "memory") ${pages})
  (global $begin (export "begin") i32 (i32.const ${kBegin}))
  (func $room (result i32) ;; for a record; 0: there is none
    (if (i32.eq ${state.get('at')} (i32.const ${kEnd})) (then (call $full)))
    ${state.get('at')})`;
};

/** Of a record that is not written. */
const countLost = (state: RecorderState): string => state.set('lost', `(i32.add ${state.get('lost')} (i32.const 1))`);

/** waits: 1 when this thread may wait. */
const kSharedImports = `
  (import "${kNamespace}" "memory" (memory ${kSharedPages.first} ${kSharedPages.most} shared))
  (import "${kNamespace}" "waits" (global $waits i32))`;

/** Rec.7 */
const buffersText = (state: RecorderState): string => `
  (func $new_buffer (result i32) ;; 0: there is no memory for it
    (local $page i32)
    (local.set $page (memory.grow (i32.const ${kBuffer.pages})))
    (if (i32.eq (local.get $page) (i32.const -1)) (then (return (i32.const 0))))
    (i32.shl (local.get $page) (i32.const 16)))
  (func $use_buffer (param $buffer i32)
    ${state.set('buffer', '(local.get $buffer)')}
    ${state.set('at', `(i32.add (local.get $buffer) (i32.const ${kBuffer.head}))`)})
  (func $is_full (result i32)
    (i32.eq ${state.get('at')} (i32.add ${state.get('buffer')} (i32.const ${kBuffer.bytes}))))
  (func $room (result i32)
    (local $next i32)
    (if (call $is_full) (then (call $full)))
    (if (call $is_full) (then
      (if (i32.eqz (i32.load ${state.get('buffer')}))
        (then (i32.store ${state.get('buffer')} (call $new_buffer))))
      (local.set $next (i32.load ${state.get('buffer')}))
      (if (i32.eqz (local.get $next)) (then
        ${countLost(state)}
        (return (i32.const 0))))
      (call $use_buffer (local.get $next))))
    ${state.get('at')})
  (func $first_buffer
    ${state.set('first', '(call $new_buffer)')}
    (call $use_buffer ${state.get('first')}))
  (func $turn ;; this thread writes from here on
    (local $before i32)
    (local.set $before ${state.get('acting')})
    (if (i32.ne (local.get $before) (global.get $thread))
      (then
        (call $put (i32.const ${headOf(EventKind.threadChanged, 0)}) (global.get $thread) (local.get $before) (i32.const 0))
        ${state.set('acting', '(global.get $thread)')})))`;

function recorderText(state: RecorderState, ring: string, parts: readonly RecorderParts[]): string {
  const texts = parts.map(({ text }) => text(state)).join('\n');
  const out = (name: string) => (state.isWide ? '' : `(export "${name}")`);
  const turn = state.isShared ? '(call $turn)' : '';
  const begin = [state.isShared ? '(call $begin_thread)' : '', ...parts.map(({ begin = '' }) => begin)].join(' ');
  return `(module
  (import "${kNamespace}" "full" (func $full))
  ${state.isShared ? kSharedImports : ''}
  ${parts.map(({ imports }) => imports).join('\n')}
  (global $version (export "version") i32 (i32.const ${kTraceVersion}))
  (global $site (mut i32) (i32.const 0)) ;; of the next allocation
  ${state.definitions(state.isShared ? '(call $first_buffer)' : '')}
  ${ring}
  (func $begin_instance ${begin})
  (start $begin_instance)
  (func $put (export "put") (param $head i32) (param $a i32) (param $b i32) (param $c i32)
    (local $at i32)
    ${state.isWide ? `(if ${state.get('behind')} (then ${countLost(state)} (return)))` : ''}
    (if (i32.eqz (local.tee $at (call $room))) (then (return)))
    (i32.store (local.get $at) (local.get $head))
    (i32.store offset=4 (local.get $at) (local.get $a))
    (i32.store offset=8 (local.get $at) (local.get $b))
    (i32.store offset=12 (local.get $at) (local.get $c))
    ${state.set('at', `(i32.add (local.get $at) (i32.const ${kEventLayout.bytes}))`)})
  (func $bytes (param $pages i32) (result i32) ;; Rec.8
    (if (i32.ge_u (local.get $pages) (i32.const ${Math.ceil(kMostRecorded / kPageBytes)})) (then (return (i32.const ${kMostRecorded}))))
    (i32.shl (local.get $pages) (i32.const 16)))
  (func $start (param $now i32) ;; Rec.4
    (call $put ${head(EventKind.heapCreated)} (i32.const 0) (i32.const ${kAlignment}) (i32.const 0))
    (call $put ${head(EventKind.segmentAdded)} (i32.const 0) (call $bytes (local.get $now)) (i32.const 0))
    ${state.set('pages', '(local.get $now)')})
  (func $grown (param $now i32)
    (call $put ${head(EventKind.memoryGrown, 1)} ${state.get('pages')} (local.get $now)
      (call $bytes (i32.sub (local.get $now) ${state.get('pages')})))
    (if (i32.ne (call $bytes ${state.get('pages')}) (call $bytes (local.get $now)))
      (then (call $put ${head(EventKind.segmentExtended)} (i32.const 0)
        (call $bytes ${state.get('pages')}) (call $bytes (local.get $now)))))
    ${state.set('pages', '(local.get $now)')})
  (func $asked (param $op i32) (param $address i32) (param $request i32) (param $argument i32) (param $now i32)
    ${turn}
    (if (i32.eqz ${state.get('pages')}) (then (call $start (local.get $now))))
    (if (global.get $site) (then
      (call $put (i32.const ${headOf(EventKind.siteEntered, 0)}) (global.get $site) (i32.const 0) (i32.const 0))
      (global.set $site (i32.const 0))))
    (call $put (i32.or (i32.shl (local.get $op) (i32.const 16)) ${head(EventKind.opBegun)})
      (local.get $address) (local.get $request) (local.get $argument))
    (if (i32.lt_u ${state.get('pages')} (local.get $now)) (then (call $grown (local.get $now)))))
  (func $ended (param $op i32) (param $address i32) (param $size i32) (param $status i32)
    (call $put (i32.or (i32.shl (local.get $op) (i32.const 16)) ${head(EventKind.opEnded)})
      (local.get $address) (local.get $size) (local.get $status)))
  (func $given (param $op i32) (param $address i32) (param $size i32) (param $alignment i32)
    (if (local.get $address)
      (then
        (call $put ${head(EventKind.blockAllocated)} (local.get $address) (local.get $size) (local.get $alignment))
        (call $ended (local.get $op) (local.get $address) (local.get $size) (i32.const ${Status.ok})))
      (else
        (call $ended (local.get $op) (i32.const 0) (i32.const 0) (i32.const ${Status.outOfMemory})))))
  (func $allocated ${out('allocated')}
    (param $op i32) (param $request i32) (param $alignment i32) (param $address i32) (param $now i32)
    (call $enter)
    (call $asked (local.get $op) (i32.const 0) (local.get $request) (local.get $alignment) (local.get $now))
    (call $given (local.get $op) (local.get $address) (local.get $request) (local.get $alignment))
    (call $leave))
  (func $freed ${out('freed')} (param $address i32) (param $now i32) ;; free(NULL) leaves no event, as in a linked program
    (if (i32.eqz (local.get $address)) (then (return)))
    (call $enter)
    (call $asked (i32.const ${Op.deallocate}) (local.get $address) (i32.const 0) (i32.const 0) (local.get $now))
    (call $put ${head(EventKind.blockFreed)} (local.get $address) (i32.const 0) (i32.const 0))
    (call $ended (i32.const ${Op.deallocate}) (i32.const 0) (i32.const 0) (i32.const ${Status.ok}))
    (call $leave))
  ;; realloc(p, 0) that gives nothing has freed the block; with a size it has failed and left it
  (func $resized ${out('resized')}
    (param $from i32) (param $request i32) (param $alignment i32) (param $address i32) (param $now i32)
    (call $enter)
    (call $asked (i32.const ${Op.reallocate}) (local.get $from) (local.get $request) (i32.const 0) (local.get $now))
    (if (i32.and (i32.ne (local.get $from) (i32.const 0))
                 (i32.or (i32.ne (local.get $address) (i32.const 0)) (i32.eqz (local.get $request))))
      (then (call $put ${head(EventKind.blockFreed)} (local.get $from) (i32.const 0) (i32.const 0))))
    (if (i32.or (local.get $address) (local.get $request))
      (then (call $given (i32.const ${Op.reallocate}) (local.get $address) (local.get $request) (local.get $alignment)))
      (else (call $ended (i32.const ${Op.reallocate}) (i32.const 0) (i32.const 0) (i32.const ${Status.ok}))))
    (call $leave))
  ${state.isWide ? wideText(state) : ''}
  ${texts}
)`;
}
