// Frees that an instrumented module's trace cannot explain: a hidden realloc is named as the cause, and a double free as one.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import binaryen from 'binaryen';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildForTests, type CommandLine } from './command_line.ts';

/** `resize` gives a new block and frees the old one; nothing says that it does. */
const kModule = `(module (memory (export "memory") 1) (global $top (mut i32) (i32.const 1024))
  (func $take (param $bytes i32) (result i32) (local $at i32)
    (local.set $at (global.get $top))
    (global.set $top (i32.add (global.get $top) (local.get $bytes)))
    (local.get $at))
  (func $give (param i32))
  (func $resize (param i32) (param $bytes i32) (result i32) (local $at i32)
    (local.set $at (global.get $top))
    (global.set $top (i32.add (global.get $top) (local.get $bytes)))
    (local.get $at))
  (export "malloc" (func $take)) (export "free" (func $give)) (export "resize" (func $resize)))`;

let cli: CommandLine;
beforeAll(async () => {
  cli = await buildForTests();
  const module = binaryen.parseText(kModule);
  writeFileSync(join(cli.folder, 'app.wasm'), module.emitBinary());
});
afterAll(() => cli?.dispose());

function noticesOf(work: string, ...options: readonly string[]): readonly string[] {
  cli.run('instrument', 'app.wasm', '-o', 'recorded.wasm', ...options);
  const load = `const { instance } = await WebAssembly.instantiate(readFileSync('recorded.wasm'));`;
  const script = `import { readFileSync } from 'node:fs'; ${load} const { malloc, free, resize } = instance.exports; ${work}`;
  writeFileSync(join(cli.folder, 'work.mjs'), script);
  cli.run('run', '-o', 'work.hgtrace', 'work.mjs');
  return (JSON.parse(cli.run('report', 'work.hgtrace', '--json').stdout) as { notices: string[] }).notices;
}

const kResizes = 'for (let nth = 0; nth < 12; ++nth) free(resize(malloc(16), 32));';

test('a realloc that has no known name is the cause, and the remedy is one', () => {
  expect(noticesOf(kResizes)).toEqual([
    expect.stringMatching(
      /^12 frees are of blocks whose allocation is not in this trace \(the first is 0x0000_[0-9a-f]{4} at event \d+\): the module allocates by a function that was not found; name it: heapglass instrument --realloc, --calloc or --memalign; or they were in the module's data before it began, as of a program that Wizer has run$/,
    ),
  ]);
  expect(noticesOf(kResizes, '--malloc', 'malloc', '--free', 'free', '--realloc', 'resize')).toEqual([]);
});

test('a block that is freed twice is called so, with both events', () => {
  expect(noticesOf('const block = malloc(16); free(block); malloc(8); free(block);')).toEqual([
    expect.stringMatching(
      /^1 free is of a block freed already \(the first is 0x0000_0400 at event \d+, freed at event \d+\): a double free, or blocks of a function that was not found; name it: heapglass instrument --realloc, --calloc or --memalign$/,
    ),
  ]);
});
