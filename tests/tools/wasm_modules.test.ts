// What the built modules ask for and give: exactly the headers' functions, and no second allocator.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exportedFunctions, traceFunctions } from '../../tools/gen_exports.mjs';

const kNotify = 'env.emscripten_notify_memory_growth';
const kDrain = 'heapglass.drain';
const kGrow = 'heapglass.grow';
const kPlaced = ['indirect_function_table', 'memory_base', 'stack_pointer', 'table_base']
  .map((name) => `env.__${name}`)
  .concat('env.memory');

function moduleOf(name: string): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(new URL(`../../build/wasm/${name}.wasm`, import.meta.url)));
}

function importsOf(name: string): string[] {
  return WebAssembly.Module.imports(moduleOf(name))
    .map((one) => `${one.module}.${one.name}`)
    .sort();
}

function functionsOf(name: string): string[] {
  return WebAssembly.Module.exports(moduleOf(name))
    .filter((one) => one.kind === 'function')
    .map((one) => one.name);
}

test.each([
  ['heapglass-release', [kNotify]],
  ['heapglass-trace', [kNotify, kDrain]],
  ['heapglass-checked', [kNotify, kDrain]],
  ['word_index', [kNotify, kDrain]],
  ['heapglass-placed', [...kPlaced, kGrow]],
  ['heapglass-placed-trace', [...kPlaced, kDrain, kGrow]],
  ['heapglass-placed-checked', [...kPlaced, kDrain, kGrow]],
  ['heapglass-shared', [...kPlaced, kGrow, 'heapglass.may_wait']],
])('%s imports %j and nothing else', (name, imports) => {
  expect(importsOf(name)).toEqual(imports);
});

test.each(['release', 'trace', 'checked', 'placed', 'placed-trace', 'placed-checked', 'shared'] as const)(
  'the %s module exports every function of the headers',
  (variant) => {
    const functions = functionsOf(`heapglass-${variant}`);
    expect(functions).toEqual(expect.arrayContaining(exportedFunctions(variant)));
    expect(functions).not.toContain('malloc');
  },
);

test('the release module leaves out what only C programs and the glass use', () => {
  expect(functionsOf('heapglass-trace')).toContain('hg_small_allocate');
  expect(functionsOf('heapglass-release').filter((name) => /^hg_(small|owned)_/.test(name))).toEqual([]);
});

test('the release module has no tracing functions', () => {
  expect(traceFunctions()).toContain('hg_trace_start');
  for (const name of traceFunctions()) expect(functionsOf('heapglass-release')).not.toContain(name);
});
