// Whether a module is linked with heapglass and records itself: by a name that it exports or, where exports are short, by its name section.

import { beforeAll, expect, test } from 'vitest';
import wabt from 'wabt';
import { isLinked } from '../../../web/src/instrument/linked.ts';

let parse: (text: string) => Uint8Array;
beforeAll(async () => {
  const tools = await wabt();
  parse = (text) => tools.parseWat('m.wat', text).toBinary({ write_debug_names: true }).buffer;
});

test.each([
  ['by an export among others', '(func $a) (export "other" (func $a)) (export "hg_recorder_take" (func $a))', true],
  ['by an export that Emscripten named', '(func $a) (export "_hg_recorder_take" (func $a))', true],
  ['by a name section alone', '(func $hg_recorder_take) (func $b) (export "b" (func $b))', true],
  ['not by a name that only begins so', '(func $hg_recorder_take_all) (export "hg_recorder" (func 0))', false],
  ['not without any name', '(func)', false],
])('%s', (_, text, expected) => {
  expect(isLinked(parse(`(module ${text})`))).toBe(expected);
});

test('what is damaged is not linked: who instruments it says what is wrong with it', () => {
  const whole = parse('(module (func $a) (export "hg_recorder_take" (func $a)))');
  expect(isLinked(whole.subarray(0, whole.length - 20))).toBe(false);
});
