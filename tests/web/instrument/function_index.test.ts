// Which function another one calls, of those with the parameters and results that are asked for. And what a function gives.

import binaryen from 'binaryen';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { FunctionIndex } from '../../../web/src/instrument/function_index.ts';

const kText = `(module
  (import "env" "imported" (func $imported (param i32) (result i32)))
  (memory 1)
  (func $one (param i32) (result i32) (i32.load (local.get 0)))
  (func $other (param i32) (result i32) (i32.load8_u (local.get 0)))
  (func $wide (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))
  (func (export "calls_one") (result i32)
    (call $wide (call $one (i32.const 1)) (call $imported (i32.const 1))))
  (func (export "calls_both") (result i32) (i32.add (call $one (i32.const 1)) (call $other (i32.const 1))))
  (func (export "calls_none") (result i32) (i32.const 1)))`;

test('the only function that is called is found, though another one calls it too; of several, the only one that it does not call', async () => {
  const bytes = (await wabt()).parseWat('m.wat', kText).toBinary({ write_debug_names: true }).buffer;
  const module = binaryen.readBinary(Uint8Array.from(bytes));
  const index = new FunctionIndex(binaryen, module, false);
  const called = (by: string, parameters: number, beside?: string) =>
    index.calledBy(binaryen, index.find(by), parameters, 1, beside === undefined ? undefined : index.find(beside))
      ?.name;
  expect(called('calls_one', 1)).toBe('one');
  for (const beside of ['calls_one', 'calls_both', 'calls_none']) {
    expect(called('calls_one', 1, beside), beside).toBe('one');
    expect(called('calls_one', 2, beside), beside).toBe('wide');
    expect(called('calls_none', 1, beside), beside).toBeUndefined();
  }
  expect(called('calls_both', 1)).toBeUndefined();
  expect(called('calls_both', 1, 'calls_one')).toBe('other');
  expect(called('calls_both', 1, 'calls_both')).toBeUndefined();
  expect(called('calls_both', 1, 'calls_none')).toBeUndefined();
  module.dispose();
});

test.each([
  [false, 'i32', 'i64'],
  [true, 'i64', 'i32'],
])(
  'a function gives a status that takes words alone and has one result, an i32; words are wide: %s',
  (isWide, word, other) => {
    const text = `(module
    (func (export "status") (param ${word} ${word}) (result i32) (i32.const 0))
    (func (export "wide_result") (param ${word} ${word}) (result i64) (i64.const 0))
    (func (export "no_result") (param ${word} ${word}))
    (func (export "two_results") (param ${word}) (result i32 i32) (i32.const 0) (i32.const 0))
    (func (export "no_word") (param ${word} ${other}) (result i32) (i32.const 0)))`;
    const module = binaryen.parseText(text);
    const index = new FunctionIndex(binaryen, module, isWide);
    const names = ['status', 'wide_result', 'no_result', 'two_results', 'no_word'];
    expect(names.filter((name) => index.exported(name)?.givesStatus)).toEqual(['status']);
    module.dispose();
  },
);
