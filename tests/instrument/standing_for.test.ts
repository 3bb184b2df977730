// Functions of a finished module that only stand for another one: what that is called has the same role, as compilers call it in their place.

import binaryen from 'binaryen';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { instrument } from '../../web/src/instrument/instrument.ts';

const made = async (text: string): Promise<Uint8Array> =>
  (await wabt()).parseWat('m.wat', text).toBinary({ write_debug_names: false }).buffer;

/** What Emscripten's WebIDL binder exports, not optimized: the argument goes by way of the function's own place on the stack. */
const handing = (body: string, result = '') => `(module
  (memory 1) (global $sp (mut i32) (i32.const 1024))
  (func $real (param i32) (result i32) (i32.add (i32.load (local.get 0)) (i32.const 8)))
  (func $real_free (param i32) (i32.store (local.get 0) (i32.const 0)))
  (func $user (export "main") (result i32) (call $real (i32.const 8)) (call $real_free (i32.const 8)))
  (func (export "webidl_malloc") (param i32) (result i32) (local $frame i32)
    (global.set $sp (local.tee $frame (i32.sub (global.get $sp) (i32.const 16))))
    (i32.store offset=12 (local.get $frame) (local.get 0))
    ${body} ${result}
    (global.set $sp (i32.add (local.get $frame) (i32.const 16))))
  (func (export "webidl_free") (param i32) (local $frame i32)
    (global.set $sp (local.tee $frame (i32.sub (global.get $sp) (i32.const 16))))
    (i32.store offset=12 (local.get $frame) (local.get 0))
    (call $real_free (i32.load offset=12 (local.get $frame)))
    (global.set $sp (i32.add (local.get $frame) (i32.const 16)))))`;
const kKept = '(i32.load offset=12 (local.get $frame))';
const kReal = 0;
const kRealFree = 1;

test('what an unoptimized export only hands its argument to is the allocator that the module itself calls', async () => {
  const { family } = instrument(binaryen, await made(handing(`(call $real ${kKept})`)));
  const found = family.members.map(({ role, index }) => [role.name, index]);
  expect(found).toEqual(
    expect.arrayContaining([
      ['malloc', kReal],
      ['free', kRealFree],
    ]),
  );
  expect(found).toHaveLength(4);
});

test.each([
  ['another argument', `(call $real (i32.add ${kKept} (i32.const 8)))`, ''],
  ['another place on the stack', '(call $real (i32.load offset=8 (local.get $frame)))', ''],
  ['two calls', `(drop (call $real ${kKept})) (call $real ${kKept})`, ''],
  ['a branch', `(if (i32.eqz ${kKept}) (then (call $user) (drop))) (call $real ${kKept})`, ''],
  ['another result', `(call $real ${kKept})`, '(i32.const 16) (i32.add)'],
])('one that does more is not: %s', async (_, body, result) => {
  const { family } = instrument(binaryen, await made(handing(body, result)));
  expect(family.members.map(({ index }) => index)).not.toContain(kReal);
});

/** As emmalloc is left by compilers: malloc is put into its callers, who call what it calls. */
const aligning = (given: string) => `(module (memory 1)
  (func $aligned (param i32 i32) (result i32) (i32.add (i32.load (local.get 0)) (local.get 1)))
  (func $free (export "free") (param i32) (i32.store (local.get 0) (i32.const 0)))
  (func (export "malloc") (param i32) (result i32) (call $aligned ${given}))
  (func $resize (param i32 i32) (result i32) (local i32)
    (local.set 2 (call $aligned ${given.replace('(local.get 0)', '(local.get 1)')})) (call $free (local.get 0)) (local.get 2))
  (func (export "main") (result i32) (call $resize (call $aligned (i32.const 8) (i32.const 9)) (i32.const 9))))`;

test.each([
  ['(i32.const 8) (local.get 0)', 'memalign'],
  ['(i32.const 16) (local.get 0)', 'memalign'],
  ['(local.get 0) (i32.const 8)', 'memalign'],
])(
  'a malloc that only calls another function with its size and an alignment stands for that one: %s',
  async (given, role) => {
    const { family } = instrument(binaryen, await made(aligning(given)));
    expect(family.members.map(({ role: { name }, index }) => [name, index])).toEqual([
      ['free', 1],
      ['malloc', 2],
      [role, 0],
      ['realloc', 3],
    ]);
  },
);

test.each([
  '(i32.const 0) (local.get 0)',
  '(i32.const 8) (i32.add (local.get 0) (i32.const 4))',
  '(i32.const 8) (i32.const 8)',
])('what else malloc may give is no alignment beside its size: %s', async (given) => {
  const { family } = instrument(binaryen, await made(aligning(given)));
  expect(family.members.map(({ index }) => index)).not.toContain(0);
});

/** Rust's, whose allocator takes what it is given in another order: alloc(size, alignment), dealloc(address, size, alignment). */
const kTurned = `(module (memory 1)
  (func $take (param i32 i32) (result i32) (i32.add (i32.load (local.get 0)) (local.get 1)))
  (func $give (param i32 i32 i32) (i32.store (local.get 0) (i32.add (local.get 1) (local.get 2))))
  (func $__rust_alloc (export "__rust_alloc") (param i32 i32) (result i32) (call $take (local.get 1) (local.get 0)))
  (func (export "__rust_dealloc") (param i32 i32 i32) (call $give (local.get 1) (local.get 2) (local.get 0)))
  (func (export "main") (result i32) (call $give (i32.const 8) (i32.const 8) (call $take (i32.const 8) (i32.const 9))) (i32.const 0)))`;

test('what is handed on in another order belongs to the family, too, and its parameters are read where they are', async () => {
  const { family } = instrument(binaryen, await made(kTurned));
  expect(
    family.members.map(({ role: { name, from, size, alignment }, index }) => ({ name, index, from, size, alignment })),
  ).toEqual([
    { name: 'alloc', index: 2, from: undefined, size: [0], alignment: 1 },
    { name: 'free', index: 3, from: 0, size: undefined, alignment: undefined },
    { name: 'alloc', index: 0, from: undefined, size: [1], alignment: 0 },
    { name: 'free', index: 1, from: 2, size: undefined, alignment: undefined },
  ]);
});

test('a function that gets an argument twice is another one', async () => {
  const { family } = instrument(
    binaryen,
    await made(kTurned.replace('(local.get 1) (local.get 0)', '(local.get 0) (local.get 0)')),
  );
  expect(family.members.map(({ index }) => index)).not.toContain(0);
});
