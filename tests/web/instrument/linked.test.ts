// Sites of a program that records itself: before which functions they are told, and when. The program here is a few functions by the names
// of a linked one.

import binaryen from 'binaryen';
import { beforeAll, expect, test } from 'vitest';
import wabt from 'wabt';
import { instrumentLinked } from '../../../web/src/instrument/linked.ts';
import { ModuleProblem } from '../../../web/src/instrument/module_problem.ts';

let parse: (text: string) => Uint8Array;
beforeAll(async () => {
  const tools = await wabt();
  parse = (text) => tools.parseWat('m.wat', text, { threads: true }).toBinary({ write_debug_names: true }).buffer;
});

const exported = (name: string, type: string, body: string) => `(func $${name} (export "${name}") ${type} ${body})`;
const kTakesOne = '(param i32) (result i32)';
const kRecorder = [
  '(import "host" "said" (func $said (param i32 i32)))',
  exported('hg_recorder_take', '(result i32)', '(i32.const 0)'),
  exported('hg_recorder_enter', kTakesOne, '(call $said (i32.const 1) (local.get 0)) (i32.const 5)'),
  exported('hg_recorder_leave', '(param i32)', '(call $said (i32.const 2) (local.get 0))'),
  exported('hg_recorder_begin_sites', '(result i32)', '(i32.const 64)'),
  exported('hg_recorder_number', kTakesOne, '(i32.const 0)'),
  exported('hg_recorder_put', '(param i32 i32 i32 i32)', ''),
];
const linked = (functions: readonly string[], { memory = '1', without = '' } = {}) =>
  parse(`(module ${kRecorder.filter((line) => without === '' || !line.includes(without)).join('\n')}
    (memory (export "memory") ${memory}) ${functions.join('\n')})`);
const allocating = (name: string) =>
  exported(name, kTakesOne, '(call $said (i32.const 3) (local.get 0)) (i32.const 800)');

const kWrapped = [
  ...[
    'malloc',
    '_malloc',
    'hg_malloc',
    'hg_libc_calloc',
    '__libc_realloc',
    'emscripten_builtin_memalign',
    'emmalloc_malloc',
  ],
  ...['realloc_in_place', 'aligned_alloc', 'posix_memalign', 'valloc', 'pvalloc'],
  ...['independent_calloc', 'hg_heap_independent_comalloc', '_independent_calloc'],
  ...['hg_heap_allocate', '_hg_heap_burst_nodes', 'hg_heap_reallocate_in_place', 'hg_heap_command'],
  ...['hg_pool_allocate', 'hg_pool_burst', 'hg_small_allocate', 'hg_small_allocate_slow', 'hg_small_allocate_class'],
];
const kOthers = [
  ...['my_malloc', 'malloc_usable', 'free', 'hg_free', 'hg_mallocs', 'xcalloc', 'dlmalloc'],
  ...['my_independent_calloc', 'independent_callocs', 'hg_heap_deallocate', 'my_hg_heap_allocate', 'hg_heap_allocated'],
  ...['hg_pool_create', 'an_hg_pool_allocate', 'hg_pool_allocates', 'hg_small_deallocate'],
];

test('sites are told before what allocates, by its whole name, and before nothing else', () => {
  const { wrapped } = instrumentLinked(binaryen, linked([...kWrapped, ...kOthers].map(allocating)));
  expect(wrapped.toSorted()).toEqual(kWrapped.toSorted());
});

test('a function of other parameters or results is left as it is', () => {
  const others = [
    exported('malloc', '(param i64) (result i32)', '(i32.const 0)'),
    exported('calloc', '(param i32) (result i64)', '(i64.const 0)'),
    exported('realloc', '(param i32)', ''),
    exported('valloc', '(param i32 i32 i32) (result i32)', '(i32.const 0)'),
  ];
  expect(instrumentLinked(binaryen, linked(others)).wrapped).toEqual(['valloc']);
});

/** What the program's recorder and its allocator are told, in order, by a call of `name`. */
function saidBy(binary: Uint8Array, name: string, ...more: readonly string[]) {
  const said: (readonly number[])[] = [];
  const module = new WebAssembly.Module(binary as BufferSource);
  const heapglass = Object.fromEntries(
    WebAssembly.Module.imports(module)
      .filter((one) => one.module === 'heapglass')
      .map((one) => [one.name, () => 9]),
  );
  const host = { said: (what: number, value: number) => void said.push([what, value]) };
  const { exports } = new WebAssembly.Instance(module, { host, heapglass });
  const given = [name, ...more].map((one) => (exports[one] as (size: number) => number)(24));
  return { given, said };
}
const calloc = exported('calloc', kTakesOne, '(call $malloc (i32.const 7))');

test('the site of the outermost call alone is told before it', () => {
  const { bytes: binary } = instrumentLinked(binaryen, linked([allocating('malloc'), calloc]));
  expect(saidBy(binary, 'calloc', 'malloc')).toEqual({
    given: [800, 800],
    said: [
      [1, 9],
      [3, 7],
      [1, 9],
      [3, 24],
    ],
  });
});

test('with threads the lock is left behind the call, as it was entered', () => {
  const { bytes: binary } = instrumentLinked(
    binaryen,
    linked([allocating('malloc'), calloc], { memory: '1 2 shared' }),
  );
  expect(saidBy(binary, 'calloc')).toEqual({
    given: [800],
    said: [
      [1, 9],
      [3, 7],
      [2, 5],
    ],
  });
});

test('a program that is linked with another recorder, and one that has its sites, are refused', () => {
  const whole = linked([allocating('malloc')]);
  for (const without of ['hg_recorder_put', 'hg_recorder_number', 'hg_recorder_enter'])
    expect(() => instrumentLinked(binaryen, linked([], { without })), without).toThrow(/link it again/);
  expect(instrumentLinked(binaryen, linked([allocating('malloc')], { without: 'begin_sites' })).wrapped).toEqual([
    'malloc',
  ]);
  expect(() => instrumentLinked(binaryen, linked([], { without: 'begin_sites', memory: '1 2 shared' }))).toThrow(
    /again/,
  );
  const { bytes: binary } = instrumentLinked(binaryen, whole);
  expect(() => instrumentLinked(binaryen, binary)).toThrow(ModuleProblem);
  expect(() => instrumentLinked(binaryen, binary)).toThrow(/instrumented already/);
});
