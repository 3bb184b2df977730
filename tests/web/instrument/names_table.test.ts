// The names that an instrumented module carries: what is written is read, call by call.

import { expect, test } from 'vitest';
import { type NamesOf, readNames, writeNames } from '../../../web/src/instrument/names_table.ts';

const call = (at: number, original: number) => ({ at, function: at, original });

test('each call has its frames, outermost first; one of which nothing is known has none', () => {
  const known: Record<number, ReturnType<NamesOf>> = {
    1: [{ name: 'draw', at: { file: 'map.cpp', line: 40 } }],
    2: [
      { name: 'main', at: { file: 'map.cpp', line: 300 } },
      { name: 'größer', at: undefined },
    ],
    3: [{ name: 'wasm-function[3]', at: undefined, isNumber: true }],
    4: [{ name: 'wasm-function[4]', at: { file: 'a.ts', line: 5 }, isNumber: true }],
  };
  const calls = [call(10, 1), call(20, 2), call(30, 3), call(40, 4), call(50, -1)];
  const asked: number[] = [];
  const bytes = writeNames(calls, (index, offset) => {
    asked.push(index);
    return known[offset ?? -1] ?? [];
  });
  const framesOf = readNames(bytes ?? new Uint8Array(), calls);
  expect(calls.map(framesOf)).toEqual([
    ['draw@map.cpp:40'],
    ['main@map.cpp:300', 'größer'],
    [],
    ['wasm-function[4]@a.ts:5'],
    [],
  ]);
  expect(asked).toEqual([10, 20, 30, 40]); // not what has no place in the original
});

test('a module that knows no name has no table', () => {
  expect(writeNames([call(10, 1), call(20, -1)], () => [])).toBeUndefined();
});
