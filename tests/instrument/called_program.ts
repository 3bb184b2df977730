// A module that is entered in every way that there is, instrumented with stacks and instantiated here: so this script is its glue.

import binaryen from 'binaryen';
import type { InstrumentedRecorder } from '../../web/src/instrument/instrumented_recorder.ts';
import { install } from '../../web/src/instrument/loader.ts';
import { instrumentStacks } from '../../web/src/instrument/stacks.ts';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { sitesOf } from '../web/instrument/sites_of.ts';

/** Ways in: malloc itself, an export, one that calls it, one through the table, one that lets JavaScript call back, two that fail. */
const kProgram = `(module (import "env" "back" (func $back)) (import "env" "__cxa_throw" (func $throw))
  (memory (export "memory") 1) (global $top (mut i32) (i32.const 1024))
  (table (export "table") 1 funcref) (elem (i32.const 0) $made)
  (func $take (param $bytes i32) (result i32) (global.get $top))
  (func $give (param i32))
  (func $behind_malloc (drop (call $take (i32.const 8)))) ;; no stack has it: that of $made is not to be found by where malloc stands
  (func $made (drop (call $take (i32.const 8))))
  (func (export "one") (call $made))
  (func (export "two") (call $made) (call $made))
  (func (export "calls_back") (call $back) (call $made))
  (func (export "fails") (call $made) (call $throw))
  (func (export "traps") (call $made) (unreachable))
  (export "malloc" (func $take)) (export "free" (func $give)))`;

export type Called = ReturnType<typeof startCalled>;

export function startCalled(callers: boolean) {
  const bytes = instrumentStacks(binaryen, binaryen.parseText(kProgram).emitBinary(), { callers }).binary;
  let recorder: InstrumentedRecorder | undefined;
  const end = install({
    onRecorder(one) {
      recorder = one;
    },
  });
  const made = { back: () => {} };
  const thrown = new Error('up to JavaScript');
  const fail = () => {
    throw thrown;
  };
  const module = new WebAssembly.Module(Uint8Array.from(bytes));
  const { exports } = new WebAssembly.Instance(module, { env: { back: () => made.back(), __cxa_throw: fail } });
  return {
    end,
    thrown,
    ...(exports as Record<'one' | 'two' | 'calls_back' | 'fails' | 'traps', () => void>),
    malloc: exports['malloc'] as (size: number) => number,
    inTable: () => ((exports['table'] as WebAssembly.Table).get(0) as () => void)(),
    onBack(back: () => void) {
      made.back = back;
    },
    /** Of each allocation, the functions of the test on its stack and how many frames are the module's and the glue's. */
    paths() {
      const decoded = decodeTraceFile(recorder?.trace() ?? new Uint8Array());
      if (!decoded.ok) throw new Error(decoded.error.message);
      const { entered, pathOf } = sitesOf(decoded.value.trace);
      return entered.map((site) => {
        const frames = pathOf(site);
        return {
          glue: frames.filter((frame) => frame.startsWith('(glue) ')).length,
          module: frames.filter((frame) => frame.startsWith('wasm-function[')).length,
          here: frames
            .filter((frame) => frame.includes('callers.test.ts'))
            .map((frame) => frame.slice(0, frame.indexOf('@')).replace(/^.*\./, '')),
        };
      });
    },
  };
}
