// What is known of a module before it is read whole: how many memories it has, whatever it imports before them. And why it was refused.

import { expect, test } from 'vitest';
import { ModuleProblem, memoriesIn, problemOf } from '../../../web/src/instrument/module_problem.ts';
import { listOf, nameOf, sectionOf } from '../../../web/src/instrument/sections.ts';
import { joined } from '../../../web/src/trace/trace_writer.ts';

const kMany = [0x90, 0x03]; // 400
const kMemory = [2, 1, 1, ...kMany];
const kImports: readonly (readonly [string, readonly number[]])[] = [
  ['a function of type 400', [0, ...kMany]],
  ['a table', [1, 0x70, 0, 1]],
  ['a table of 400 entries at most', [1, 0x6f, 1, 1, ...kMany]],
  ['a table of typed references', [1, 0x63, ...kMany, 0, 1]],
  ['a global', [3, 0x7f, 0]],
  ['a global that is set', [3, 0x7e, 1]],
  ['a global of a typed reference', [3, 0x64, 0x6f, 0]],
  ['a tag of type 400', [4, 0, ...kMany]],
];

/** A module that imports these, each under the name a.b, and defines so many memories. */
function moduleOf(imports: readonly (readonly number[])[], own: number): Uint8Array {
  const items = imports.map((what) => Uint8Array.of(...nameOf('a'), ...nameOf('b'), ...what));
  const memories = Array.from({ length: own }, () => Uint8Array.of(0, 1));
  const head = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
  return joined([head, sectionOf(2, listOf(items)), ...(own > 0 ? [sectionOf(5, listOf(memories))] : [])]);
}

test.each(kImports)('memories are counted behind %s that is imported', (_, what) => {
  expect(memoriesIn(moduleOf([what, what], 0))).toBe(0);
  expect(memoriesIn(moduleOf([what, kMemory], 0))).toBe(1);
  expect(memoriesIn(moduleOf([kMemory, what], 1))).toBe(2);
});

test('a module is refused with what the engine says against it, else with what Binaryen says, else with what may be the reason', () => {
  const valid = moduleOf([], 1);
  const damaged = valid.subarray(0, valid.length - 1);
  const said = (error: unknown, bytes: Uint8Array) => {
    const { code, message } = problemOf(error, bytes);
    return [code, message];
  };
  expect(said(new Error('any'), damaged)).toEqual([
    'damaged',
    expect.stringMatching(/^it is no valid module: (?!Web)/),
  ]);
  expect(said(new Error(' of 3 reasons '), valid)).toEqual(['damaged', 'Binaryen cannot rewrite it: of 3 reasons']);
  const without = ['too_deep', expect.stringMatching(/^Binaryen cannot read it and gives no reason/)];
  for (const error of [new Error(' '), new RangeError('Maximum call stack size exceeded'), { ptr: 5 }, undefined])
    expect(said(error, valid)).toEqual(without);
  const problem = new ModuleProblem('no_memory', 'it has no memory');
  expect(problemOf(problem, damaged)).toBe(problem);
});
