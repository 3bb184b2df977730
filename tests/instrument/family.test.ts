// Which functions of a finished module are its allocator's, by the shape of what a toolchain writes.

import binaryen from 'binaryen';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { instrument } from '../../web/src/instrument/instrument.ts';

const made = async (text: string): Promise<Uint8Array> =>
  (await wabt()).parseWat('m.wat', text).toBinary({ write_debug_names: false }).buffer;

/** Rust's alloc, dealloc, realloc and alloc_zeroed, stripped of names, behind wasm-bindgen's exports. */
const rust = (reallocCalls: string) => `(module
  (import "env" "log" (func $log (param i32)))
  (memory 1)
  (func $malloc (param i32) (result i32) (i32.load (local.get 0)))
  (func $memalign (param i32 i32) (result i32) (call $malloc (i32.add (local.get 0) (local.get 1))))
  (func $free (param i32) (i32.store (local.get 0) (i32.const 0)))
  (func $alloc (param i32 i32) (result i32)
    (if (result i32) (i32.ge_u (local.get 1) (i32.const 9))
      (then (call $memalign (local.get 1) (local.get 0)))
      (else (call $malloc (local.get 0)))))
  (func $alloc_zeroed (param i32 i32) (result i32)
    (i32.store8 (call $malloc (local.get 0)) (i32.const 0)) (i32.const 8))
  (func $panic (param i32 i32) (unreachable))
  (func $dealloc (param i32 i32 i32)
    (if (i32.eqz (local.get 1)) (then (call $panic (i32.const 1) (i32.const 2))))
    (call $free (local.get 0)))
  (func $realloc (param i32 i32 i32 i32) (result i32)
    ${reallocCalls}
    (i32.const 8))
  (func (export "__wbindgen_malloc") (param i32 i32) (result i32) (call $alloc (local.get 0) (local.get 1)))
  (func (export "__wbindgen_free") (param i32 i32 i32) (call $dealloc (local.get 0) (local.get 1) (local.get 2)))
  (func (export "__wbindgen_realloc") (param i32 i32 i32 i32) (result i32)
    (call $realloc (local.get 0) (local.get 1) (local.get 2) (local.get 3)))
  (func (export "main") (result i32) (call $log (i32.const 1)) (call $alloc_zeroed (i32.const 4) (i32.const 4))))`;

const callsAll = `(drop (call $malloc (i32.const 1))) (drop (call $memalign (i32.const 16) (i32.const 1))) (call $free (i32.const 8))`;

test("Rust's alloc_zeroed, which has no name, is seen by the malloc that it shares with alloc", async () => {
  const { family } = instrument(binaryen, await made(rust(callsAll)));
  // Indices as wasm counts functions: $log, which is imported, is 0.
  expect(family.members.map(({ role, index }) => [role.name, index])).toEqual([
    ['alloc', 4],
    ['free', 7],
    ['sized_realloc', 8],
    ['malloc', 1],
    ['memalign', 2],
    ['free', 3],
  ]);
});

test('what alloc calls is no allocator where realloc does not call it', async () => {
  const { family } = instrument(binaryen, await made(rust('(drop (call $alloc (i32.const 1) (i32.const 4)))')));
  expect(family.members.map(({ role }) => role.name)).toEqual(['alloc', 'free', 'sized_realloc']);
});

test('the index that is printed is the one that --malloc takes', async () => {
  const module = await made(rust(callsAll));
  const malloc = instrument(binaryen, module).family.members.find(({ role }) => role.name === 'malloc');
  const [again] = instrument(binaryen, module, { named: { malloc: `${malloc?.index}` } }).family.members;
  expect(again).toMatchObject({ index: 1, func: malloc?.func });
});
