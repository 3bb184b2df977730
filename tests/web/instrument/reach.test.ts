// From which functions an allocation can be reached: over calls, tables, and imports that may call back.

import { expect, test } from 'vitest';
import wabt from 'wabt';
import { findReach } from '../../../web/src/instrument/reach.ts';
import { functionNames } from '../../../web/src/symbols/function_names.ts';
import { readModule } from '../../../web/src/symbols/index.ts';

const tools = await wabt();

/** The names of the module's own functions from which an allocation is reached. */
function reachedIn(text: string): string[] {
  const module = readModule(tools.parseWat('m.wat', text).toBinary({ write_debug_names: true }).buffer);
  const names = functionNames(module);
  return [...findReach(module).functions]
    .filter((index) => index >= module.imports.length)
    .map((index) => names.get(index) ?? '')
    .sort();
}

test('a function reaches an allocation over its calls, and no import but the recorder is one', () => {
  const text = (exported: string) => `(module
    (import "heapglass" "site" (func $site))
    (import "heapglass" "other" (func $other))
    (import "env" "site" (func $not_ours))
    (import "env" "calls_back" (func $calls_back))
    (func $malloc call $site)
    (func $grow call $malloc)
    (func $main ${exported} call $grow)
    (func $prints call $other)
    (func $asks call $not_ours)
    (func $sorts call $calls_back)
    (func $alone))`;
  expect(reachedIn(text(''))).toEqual(['grow', 'main', 'malloc']);
  expect(reachedIn(text('(export "main")'))).toEqual(['asks', 'grow', 'main', 'malloc', 'sorts']);
});

test('a call through a table reaches what has its type there', () => {
  const text = (element: string) => `(module
    (import "heapglass" "site" (func $site))
    (type $plain (func)) (type $taking (func (param i32)))
    (table 2 funcref) ${element}
    (func $malloc call $site)
    (func $calls (i32.const 0) (call_indirect (type $plain)))
    (func $calls_other (i32.const 0) (i32.const 0) (call_indirect (type $taking))))`;
  expect(reachedIn(text('(elem (i32.const 0) $malloc)'))).toEqual(['calls', 'malloc']);
  expect(reachedIn(text(''))).toEqual(['malloc']);
});

test('of two types that are the same either may be called', () => {
  const text = (called: string) => `(module
    (import "heapglass" "site" (func $site))
    (type $first (func)) (type $again (func)) (type $taking (func (param i32)))
    (table 1 funcref) (elem (i32.const 0) $malloc)
    (func $malloc (type $again) call $site)
    (func $calls (i32.const 0) (i32.const 0) (call_indirect (type ${called})) drop)
    (func $calls_first (i32.const 0) (call_indirect (type $first))))`;
  expect(reachedIn(text('$again'))).toEqual(['calls', 'calls_first', 'malloc']);
});

/** What Emscripten's JavaScript offers: it comes back before anything of the module runs, or it may run a part of it first. */
const kLeaves = [
  ...['emscripten_memcpy_js', '_emscripten_memcpy_js', 'emscripten_memcpy_big', 'emscripten_resize_heap', 'abort'],
  ...['emscripten_memmove', 'emscripten_date_now', 'emscripten_get_now', 'emscripten_get_heap_max', '_abort_js'],
  ...['emscripten_random', 'emscripten_notify_memory_growth', '__syscall_openat', '_gmtime_js', '__assert_fail'],
  ...[
    'emscripten_get_now_res',
    'abortOnCannotGrowMemory',
    'exit',
    'proc_exit',
    'clock_time_get',
    'strftime_l',
    'heapglass_begin',
    'heapglass_take',
    '__cxa_throw',
  ],
];
const kCallers = [
  ...['emscripten_memmove_then', 'on_abort', 'my_emscripten_random', 'emscripten_date_now_please', 'my_exit'],
  ...['emscripten_sleep', 'emscripten_run_script', 'exit_later', 'call__syscall_openat', 'heapglass_begin_all'],
  ...['emscripten_resize_heaps', 'my__abort_js', '_abort_js_later', '__cxa_throw_later', 'not__cxa_throw', 'print'],
];
test.each([
  [kLeaves, false],
  [kCallers, true],
] as const)('an import may call back unless its whole name is known (%#)', (names, mayCallBack) => {
  for (const name of names) {
    const reached = reachedIn(`(module
      (import "heapglass" "site" (func $site))
      (import "env" "${name}" (func $import))
      (func $malloc (export "malloc") call $site)
      (func $caller call $import))`);
    expect(reached.includes('caller'), name).toBe(mayCallBack);
  }
});
