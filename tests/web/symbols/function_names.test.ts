// What functions are called: the name section, else the export, else the import.

import { expect, test } from 'vitest';
import wabt from 'wabt';
import { functionNames } from '../../../web/src/symbols/function_names.ts';
import { readModule } from '../../../web/src/symbols/index.ts';

const tools = await wabt();
const kText = `(module
  (import "env" "table" (table 1 funcref))
  (import "env" "print" (func $written_print (param i32)))
  (import "env" "memory" (memory 1))
  (import "env" "exit" (func))
  (func $written_main (export "main") (export "also_main"))
  (func $written_inner)
  (func (export "unnamed"))
  (global (export "g") i32 (i32.const 0)))`;

const namesIn = (hasNames: boolean) =>
  functionNames(readModule(tools.parseWat('m.wat', kText).toBinary({ write_debug_names: hasNames }).buffer));

test('a module without names calls functions by what it imports and exports', () => {
  expect([...namesIn(false)]).toEqual([
    [0, 'print'],
    [1, 'exit'],
    [2, 'main'],
    [4, 'unnamed'],
  ]);
});

test('names that are written come before both', () => {
  expect([...namesIn(true)].sort()).toEqual([
    [0, 'written_print'],
    [1, 'exit'],
    [2, 'written_main'],
    [3, 'written_inner'],
    [4, 'unnamed'],
  ]);
});
