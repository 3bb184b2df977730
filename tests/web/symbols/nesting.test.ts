// How deeply blocks stand in each other in a module, looked at only where a function is large enough.

import { beforeAll, expect, test } from 'vitest';
import wabt from 'wabt';
import { deepestNesting } from '../../../web/src/symbols/index.ts';

let parse: (text: string) => Uint8Array = () => new Uint8Array();
beforeAll(async () => {
  const tools = await wabt();
  parse = (text) => tools.parseWat('m.wat', text).toBinary({}).buffer;
});

const nested = (depth: number): string => `(func ${'(block '.repeat(depth)}${')'.repeat(depth)})`;

test('the most blocks in each other of all functions count', () => {
  const bytes = parse(`(module ${[3, 40, 7, 0].map(nested).join('\n')})`);
  expect(deepestNesting(bytes, 0)).toBe(40);
  expect(deepestNesting(parse(`(module (func ${'(block)'.repeat(50)}))`), 0)).toBe(1);
  expect(deepestNesting(parse('(module (func))'), 0)).toBe(0);
});

test('functions that are too small to have more than so many are not read', () => {
  const bytes = parse(`(module ${nested(20)} ${nested(100)})`);
  for (const most of [99, 30, 10]) expect(deepestNesting(bytes, most)).toBe(100);
  expect(deepestNesting(bytes, 1000)).toBe(0);
});

test('of what cannot be read none is deep', () => {
  const bytes = parse(`(module ${nested(40)})`);
  expect(deepestNesting(bytes.subarray(0, bytes.length - 20), 0)).toBe(0);
  expect(deepestNesting(Uint8Array.of(1, 2, 3), 0)).toBe(0);
  expect(deepestNesting(parse('(module (memory 1))'), 0)).toBe(0);
});
