// Which functions of a module may be tried as an allocator: by their types, those first that most functions call.

import { expect, test } from 'vitest';
import wabt from 'wabt';
import { trialModule, trialName } from '../../../web/src/instrument/trial_module.ts';
import { readModule } from '../../../web/src/symbols/index.ts';

const kText = `(module
  (import "env" "log" (func $log (param i32)))
  (memory 1) (global $top (mut i32) (i32.const 64)) (global $fixed i32 (i32.const 3))
  (func $malloc (param i32) (result i32) (global.set $top (i32.add (global.get $top) (local.get 0))) (global.get $top))
  (func $free (param i32) (call $log (local.get 0)))
  (func $twice (param i32) (result i32) (drop (call $malloc (local.get 0))) (call $malloc (local.get 0)))
  (func $pair (param i32 i32) (result i32) (call $twice (local.get 0)))
  (func $triple (param i32 i32 i32) (result i32) (call $pair (local.get 0) (local.get 1)))
  (func $wide (param i64) (result i32) (i32.const 1))
  (func $none)
  (func $start (call $free (call $malloc (i32.const 8))))
  (start $start))`;

test('functions are found by their types, and imported ones never', async () => {
  const original = (await wabt()).parseWat('m.wat', kText).toBinary({}).buffer;
  const { functions, exporting } = trialModule(readModule(original));
  const indices = Object.fromEntries(
    Object.entries(functions).map(([type, all]) => [type, all.map(({ index }) => index)]),
  );
  expect(indices).toEqual({ malloc: [1, 3], free: [2], pair: [4], triple: [5] });
  expect(functions.malloc.map(({ callers }) => callers)).toEqual([2, 1]); // functions, not calls
  const [triple] = functions.triple;
  expect([1, 2, 3, 4].map((index) => triple?.reaches(index))).toEqual([true, false, true, true]);

  const module = new WebAssembly.Module(Uint8Array.from(exporting([...functions.malloc, ...functions.free])));
  const logged: number[] = [];
  const { exports } = new WebAssembly.Instance(module, { env: { log: (value: number) => logged.push(value) } });
  expect(Object.keys(exports).sort()).toEqual(['f1', 'f2', 'f3', 'g0', 'memory']);
  const call = (nth: number, value: number) =>
    (
      exports[trialName({ ...functions.malloc[nth], index: functions.malloc[nth]?.index ?? 0 } as never)] as (
        size: number,
      ) => number
    )(value);
  expect(logged).toEqual([]); // what runs at the start is left out
  expect([call(0, 8), call(1, 8)]).toEqual([72, 88]);
});
