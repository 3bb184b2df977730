// Modules that cannot be instrumented, each with its own sentence.

import binaryen from 'binaryen';
import { describe, expect, test } from 'vitest';
import wabt from 'wabt';
import type { Named } from '../../web/src/instrument/family.ts';
import { instrument } from '../../web/src/instrument/instrument.ts';
import { ModuleProblem } from '../../web/src/instrument/module_problem.ts';

describe('a module that cannot be instrumented is told apart', () => {
  const refused = (bytes: Uint8Array, named: Named = {}): string => {
    try {
      instrument(binaryen, bytes, { named });
    } catch (error) {
      if (error instanceof ModuleProblem) return error.message;
      throw error;
    }
    return 'it was instrumented';
  };
  const made = async (text: string): Promise<Uint8Array> => {
    const features = { threads: true, memory64: true, multi_memory: true };
    const module = (await wabt()).parseWat('m.wat', text, features);
    return module.toBinary({ write_debug_names: true }).buffer;
  };
  const malloc = '(func $m (export "malloc") (param i32) (result i32) (i32.const 8))';

  test.each<[string, Uint8Array, RegExp]>([
    ['no wasm', new TextEncoder().encode('<!doctype html>'), /is not a wasm file/],
    ['an empty file', new Uint8Array(0), /is not a wasm file/],
    ['a component', Uint8Array.of(0, 0x61, 0x73, 0x6d, 13, 0, 1, 0), /is a component/],
    ['a later version', Uint8Array.of(0, 0x61, 0x73, 0x6d, 2, 0, 0, 0), /version 2/],
    ['wasm GC', Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x5f, 1, 0x7f, 0), /wasm GC/],
    ['a cut module', Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1), /ends in the middle/],
  ])('%s', (_, bytes, sentence) => {
    expect(refused(bytes)).toMatch(sentence);
  });

  test.each<[string, string, RegExp]>([
    ['no memory', `(module ${malloc})`, /has no memory/],
    ['a malloc of 32 bits beside 64-bit memory', `(module (memory i64 1) ${malloc})`, /no function with a name/],
    ['no allocator', '(module (memory 1) (func (export "main")))', /no function with a name that an allocator's has/],
    [
      "a memalign that Emscripten's glue takes for its files, alone",
      '(module (memory 1) (func (export "emscripten_builtin_memalign") (param i32 i32) (result i32) (i32.const 8)))',
      /no function with a name that an allocator's has/,
    ],
    ['minified names', '(module (memory 1) (func (export "b")) (func (export "c")))', /a minifier replaced them/],
    ['two memories', `(module (memory 1) (memory 1) ${malloc})`, /several memories/],
    [
      'a memory beside one that is imported behind other things',
      `(module (import "a" "f" (func)) (import "a" "t" (table 1 2 funcref)) (import "a" "g" (global i32))
        (import "a" "u" (table 1 funcref)) (import "a" "m" (memory 1 2)) (memory 1) ${malloc})`,
      /several memories/,
    ],
    [
      'two imported memories',
      `(module (import "a" "m" (memory 1)) (import "a" "n" (memory 1 2)) ${malloc})`,
      /several memories/,
    ],
    ["Go's names", '(module (memory 1) (func $runtime.mallocgc (export "run")))', /Go's runtime, a garbage collector/],
    [
      'a Go program without names',
      '(module (import "gojs" "f" (func)) (memory 1))',
      /Go's runtime, a garbage collector/,
    ],
    [
      "AssemblyScript's names",
      '(module (memory 1) (func $~lib/rt/itcms/__new) (func (export "__new")))',
      /AssemblyScript/,
    ],
  ])('%s', async (_, text, sentence) => {
    expect(refused(await made(text))).toMatch(sentence);
  });

  test('an instrumented module', async () => {
    const { binary, family } = instrument(binaryen, await made(`(module (memory 1) ${malloc})`));
    expect(family.notes[0]).toMatch(/no free was found/);
    expect(refused(binary)).toMatch(/instrumented already/);
  });

  test('a function that is not there, or is no malloc', async () => {
    const module = await made(
      `(module (memory 1) ${malloc} (func (export "two") (param i32 i64)) (func (export "unset") (param i32)))`,
    );
    expect(refused(module, { malloc: 'nothing' })).toMatch(/no function "nothing"/);
    expect(refused(module, { malloc: 'two' })).toMatch(
      /"two" is no malloc: .*takes 2 and returns none, not all of them/,
    );
    const wide = await made(`(module (memory i64 1) ${malloc})`);
    expect(refused(wide, { malloc: 'malloc' })).toMatch(
      /all numbers of 64 bits; .*takes 1 and returns 1, not all of them of 64 bits$/,
    );
    expect(refused(module, { malloc: 'unset' })).toMatch(/that takes 1 and returns one, .*takes 1 and returns none$/);
  });
});
