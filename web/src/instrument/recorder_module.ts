// The recorder of an instrumented module: a wasm module of its own, whose functions the program imports as "heapglass".
//
//   program (its own memory)            recorder (its own memory)                   JavaScript (loader.ts)
//   malloc wrapper ── allocated() ──▶   writes 16-byte records ── full() ──▶        copies the ring out, sets `at` back
//
//   Rec.1  It has a memory of its own, because the program's allocator believes that all of the program's memory is its own.
//   Rec.2  It is one text, made from event_layout.ts, and travels in a custom section of the instrumented module: so the two always fit.
//   Rec.3  Nothing is lost: before a record finds no room, full() takes all of them. It must set `at` back to `begin`.
//   Rec.4  The first operation begins the trace: heap_created of word size 0 (event.P7) and its segment, all of linear memory. Memory
//          that grew since the last operation is told inside the next one, before its blocks.
//   Rec.5  An allocation is told when it has returned, a free before it is done. Nothing of the family is told inside (wrap.ts).

import type binaryen from 'binaryen';
import { EventKind, kEventLayout, kTraceVersion, Op, Status } from '../protocol/event_layout.ts';
import { headOf } from '../trace/trace.ts';
import { kNamespace } from './recorder_names.ts';

const kHeap = 1;
const kBegin = 1024;
const kRecords = 16_384;
const kEnd = kBegin + kRecords * kEventLayout.bytes;
const kPages = Math.ceil(kEnd / 65_536);
const kAlignment = 8; // of a heap that says nothing else

const head = (kind: EventKind, detail = 0): string => `(i32.const ${headOf(kind, kHeap, detail)})`;

/** Its parts beside the text below, for passes that need more of it: functions, globals, memory behind `kEnd`. */
export interface RecorderParts {
  /** Of heapglass, satisfied by loader.ts. */
  readonly imports: string;
  readonly text: string;
  readonly pages: number;
}

/** Where parts that a pass adds may keep data: the first page behind the ring. */
export const kFirstFreePage = kPages;

/** The recorder as wasm. */
export function makeRecorder(lib: typeof binaryen, parts: readonly RecorderParts[] = []): Uint8Array {
  const pages = parts.reduce((sum, part) => sum + part.pages, kPages);
  const imports = parts.map((part) => part.imports).join('\n');
  const module = lib.parseText(recorderText(pages, imports, parts.map(({ text }) => text).join('\n')));
  lib.setOptimizeLevel(3);
  module.setFeatures(lib.Features.MVP | lib.Features.MutableGlobals);
  module.optimize();
  const binary = module.emitBinary();
  module.dispose();
  return binary;
}

const recorderText = (pages: number, imports: string, more: string): string => `(module
  (import "${kNamespace}" "full" (func $full))
  ${imports}
  (memory (export "memory") ${pages})
  (global $version (export "version") i32 (i32.const ${kTraceVersion}))
  (global $begin (export "begin") i32 (i32.const ${kBegin}))
  (global $at (export "at") (mut i32) (i32.const ${kBegin}))
  (global $pages (mut i32) (i32.const 0))
  (func $put (export "put") (param $head i32) (param $a i32) (param $b i32) (param $c i32)
    (local $at i32)
    (if (i32.eq (global.get $at) (i32.const ${kEnd})) (then (call $full)))
    (i32.store (local.tee $at (global.get $at)) (local.get $head))
    (i32.store offset=4 (local.get $at) (local.get $a))
    (i32.store offset=8 (local.get $at) (local.get $b))
    (i32.store offset=12 (local.get $at) (local.get $c))
    (global.set $at (i32.add (local.get $at) (i32.const ${kEventLayout.bytes}))))
  (func $start (param $now i32) ;; Rec.4
    (call $put ${head(EventKind.heapCreated)} (i32.const 0) (i32.const ${kAlignment}) (i32.const 0))
    (call $put ${head(EventKind.segmentAdded)} (i32.const 0) (i32.shl (local.get $now) (i32.const 16)) (i32.const 0))
    (global.set $pages (local.get $now)))
  (func $grown (param $now i32)
    (call $put ${head(EventKind.memoryGrown, 1)} (global.get $pages) (local.get $now)
      (i32.shl (i32.sub (local.get $now) (global.get $pages)) (i32.const 16)))
    (call $put ${head(EventKind.segmentExtended)} (i32.const 0)
      (i32.shl (global.get $pages) (i32.const 16)) (i32.shl (local.get $now) (i32.const 16)))
    (global.set $pages (local.get $now)))
  (func $asked (param $op i32) (param $address i32) (param $request i32) (param $argument i32) (param $now i32)
    (if (i32.eqz (global.get $pages)) (then (call $start (local.get $now))))
    (call $put (i32.or (i32.shl (local.get $op) (i32.const 16)) ${head(EventKind.opBegun)})
      (local.get $address) (local.get $request) (local.get $argument))
    (if (i32.ne (global.get $pages) (local.get $now)) (then (call $grown (local.get $now)))))
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
  (func $allocated (export "allocated")
    (param $op i32) (param $request i32) (param $alignment i32) (param $address i32) (param $now i32)
    (call $asked (local.get $op) (i32.const 0) (local.get $request) (local.get $alignment) (local.get $now))
    (call $given (local.get $op) (local.get $address) (local.get $request) (local.get $alignment)))
  (func $freed (export "freed") (param $address i32) (param $now i32) ;; free(NULL) leaves no event, as in a linked program
    (if (i32.eqz (local.get $address)) (then (return)))
    (call $asked (i32.const ${Op.deallocate}) (local.get $address) (i32.const 0) (i32.const 0) (local.get $now))
    (call $put ${head(EventKind.blockFreed)} (local.get $address) (i32.const 0) (i32.const 0))
    (call $ended (i32.const ${Op.deallocate}) (i32.const 0) (i32.const 0) (i32.const ${Status.ok})))
  ;; realloc(p, 0) that gives nothing has freed the block; with a size it has failed and left it
  (func (export "resized")
    (param $from i32) (param $request i32) (param $alignment i32) (param $address i32) (param $now i32)
    (call $asked (i32.const ${Op.reallocate}) (local.get $from) (local.get $request) (i32.const 0) (local.get $now))
    (if (i32.and (i32.ne (local.get $from) (i32.const 0))
                 (i32.or (i32.ne (local.get $address) (i32.const 0)) (i32.eqz (local.get $request))))
      (then (call $put ${head(EventKind.blockFreed)} (local.get $from) (i32.const 0) (i32.const 0))))
    (if (i32.or (local.get $address) (local.get $request))
      (then (call $given (i32.const ${Op.reallocate}) (local.get $address) (local.get $request) (local.get $alignment)))
      (else (call $ended (i32.const ${Op.reallocate}) (i32.const 0) (i32.const 0) (i32.const ${Status.ok})))))
  ${more}
)`;
