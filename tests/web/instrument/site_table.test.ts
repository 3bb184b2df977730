// Where calls of an instrumented module stand in the original, what they call there, and the section that says it.

import { beforeAll, expect, test } from 'vitest';
import wabt from 'wabt';
import {
  folded,
  matchCalls,
  readSiteTable,
  type StackedCall,
  unfolded,
  writeSiteTable,
} from '../../../web/src/instrument/site_table.ts';
import { kOp, readModule, type WasmModule } from '../../../web/src/symbols/index.ts';

let read: (text: string) => WasmModule = () => readModule(new Uint8Array());
beforeAll(async () => {
  const tools = await wabt();
  read = (text) => readModule(tools.parseWat('m.wat', text).toBinary({}).buffer);
});

/** All that set the context, as the pass has them. */
const stackedOf = (module: WasmModule): StackedCall[] =>
  module.bodies.flatMap(({ calls }, body) =>
    calls
      .filter(({ reached }) => reached)
      .map(({ at, op, target }) => ({
        function: module.imports.length + body,
        at,
        target: op === kOp.call ? target : -1,
      })),
  );

const kOriginal = `(module (type $plain (func)) (import "env" "log" (func $log)) (table 1 funcref)
  (func $f (call $g) (call $log) (call $h) (return) (call $g))
  (func $g (call $h))
  (func $h (call_indirect (type $plain) (i32.const 0)))`;

test('calls are those of the original in their order, whatever tools put around them', () => {
  const original = read(`${kOriginal})`);
  const module = read(`(module (type $plain (func)) (import "heapglass" "site" (func $site))
    (import "env" "log" (func $log)) (import "heapglass" "take" (func $taken)) (table 1 funcref)
    (func $f (call $site) (nop) (call $g) (call $log) (call $taken) (call $h) (return))
    (func $g (nop) (call $h) (call $added))
    (func $h (call_indirect (type $plain) (i32.const 0)) (call $site))
    (func $added (call $f)))`);
  const [f, g, h] = [1, 2, 3];
  const stacked = stackedOf(module).filter(({ target }) => target !== 0 && target !== 2); // not the recorder's
  const [inF, , inH] = original.bodies.map(({ calls }) => calls.map(({ at }) => at)) as [number[], number[], number[]];
  expect(matchCalls(module, original, stacked)).toEqual([
    { at: 0, function: f, original: inF[0], target: g },
    { at: 0, function: f, original: inF[1], target: -1 }, // an import
    { at: 0, function: f, original: inF[2], target: h },
    { at: 0, function: g, original: -1, target: h }, // it has one more call than there
    { at: 0, function: g, original: -1, target: -1 }, // of a function that the original has not
    { at: 0, function: h, original: inH[0], target: -1 },
    { at: 0, function: -1, original: -1, target: f },
  ]);
});

test('a call that the original does not reach is none of its calls', () => {
  const original = read(`${kOriginal} (func (unreachable) (call $g)))`);
  const module = read(`${kOriginal} (func (call $g)))`);
  const [last] = matchCalls(module, original, stackedOf(module)).slice(-1);
  expect(last).toEqual({ at: 0, function: 4, original: -1, target: 2 });
});

test('the section gives back what was written, the calls numbered from 1', () => {
  const calls = [
    { at: 5, function: 3, original: 40 },
    { at: 300, function: 3, original: 39 },
    { at: 301, function: 70_000, original: -1 },
    { at: 90_000, function: -1, original: -1 },
    { at: 90_001, function: 0, original: 2 ** 31 },
    { at: 2 ** 31, function: 1, original: 0 },
  ];
  expect(readSiteTable(writeSiteTable(calls))).toEqual(calls.map((call, nth) => ({ ...call, number: nth + 1 })));
  expect(readSiteTable(writeSiteTable([]))).toEqual([]);
  expect(writeSiteTable(calls.slice(0, 1))).toEqual(Uint8Array.of(1, 5, 6, 80)); // near numbers take a byte each
});

test('numbers that may be negative are written as small ones that are not', () => {
  const numbers = [0, -1, 1, -2, 2, -(2 ** 31), 2 ** 31];
  expect(numbers.slice(0, 5).map(folded)).toEqual([0, 1, 2, 3, 4]);
  expect(numbers.map(folded).map(unfolded)).toEqual(numbers);
});
