// What a module imports, for a trial of its allocator: it can be instantiated with it, whatever kinds of imports it has.

import { expect, test } from 'vitest';
import wabt from 'wabt';
import { importsOf } from '../../package/recorded/trial_imports.ts';

async function moduleOf(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const tools = await wabt();
  const features = { threads: true, mutable_globals: true, reference_types: true };
  return new Uint8Array(tools.parseWat('m.wat', text, features).toBinary({}).buffer);
}

test.each([
  ['nothing', '(module)'],
  ['functions of any type', '(module (import "a" "f" (func (param i64 f32) (result i32))) (import "a" "g" (func)))'],
  ['a memory', '(module (import "env" "memory" (memory 3)))'],
  ['a memory with a limit', '(module (import "env" "memory" (memory 3 300)))'],
  ['a shared memory', '(module (import "env" "memory" (memory 3 300 shared)))'],
  ['a table of functions', '(module (import "env" "t" (table 200 funcref)))'],
  ['a table with a limit', '(module (import "env" "t" (table 0 7 externref)))'],
  [
    'globals of every type',
    `(module (import "g" "a" (global i32)) (import "g" "b" (global (mut i64))) (import "g" "c" (global f32))
       (import "g" "d" (global (mut f64))))`,
  ],
  ['of several modules in turns', '(module (import "a" "f" (func)) (import "b" "f" (func)) (import "a" "g" (func)))'],
])('with %s', async (_, text) => {
  const bytes = await moduleOf(text);
  const { instance } = await WebAssembly.instantiate(bytes, importsOf(bytes));
  expect(instance).toBeInstanceOf(WebAssembly.Instance);
});

test('functions give 0, and each trial has a memory of its own, as large as the module wants it', async () => {
  const bytes = await moduleOf(
    '(module (import "a" "f" (func $f (result i32))) (import "a" "m" (memory 5 9)) (func (export "g") (result i32) call $f))',
  );
  const [one, other] = [importsOf(bytes), importsOf(bytes)];
  const { instance } = await WebAssembly.instantiate(bytes, one);
  expect((instance.exports['g'] as () => number)()).toBe(0);
  const memories = [one, other].map((imports) => imports['a']?.['m'] as WebAssembly.Memory);
  expect(memories[0]).not.toBe(memories[1]);
  expect(memories[0]?.buffer.byteLength).toBe(5 * 65_536);
});
