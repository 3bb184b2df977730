// What the modules of experiments ask for and give: memory is shared where there are threads, and only there.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exportedFunctions } from '../../tools/gen_exports.mjs';

const kProgram = ['experiment_describe', 'experiment_begin', 'experiment_thread', 'experiment_end'];

function moduleOf(name: string): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(new URL(`../../build/wasm/${name}.wasm`, import.meta.url)));
}
const importsOf = (name: string): string[] =>
  WebAssembly.Module.imports(moduleOf(name)).map((one) => `${one.module}.${one.name}`);
const exportsOf = (name: string): string[] => WebAssembly.Module.exports(moduleOf(name)).map((one) => one.name);

// libc's malloc and abort are linked: whatever they name of the system ends the row when called.
const kKnown = /^(experiment\.(now|figure)|env\.(emscripten_notify_memory_growth|memory)|heapglass\.drain|wasi_.*)$/;

test.each([
  ['experiments', 'release'],
  ['experiments-threads', 'threads'],
  ['experiments-trace', 'trace'],
] as const)('%s has the functions of a program and of the %s heap', (name, variant) => {
  expect(exportsOf(name)).toEqual(expect.arrayContaining([...kProgram, ...exportedFunctions(variant)]));
  for (const one of importsOf(name)) expect(one).toMatch(kKnown);
});

test('only the module with threads imports its memory, and lets an instance have its own stack and variables', () => {
  expect(importsOf('experiments-threads')).toContain('env.memory');
  expect(exportsOf('experiments-threads')).toEqual(
    expect.arrayContaining(['__stack_pointer', '__tls_size', '__tls_align', '__wasm_init_tls']),
  );
  for (const name of ['experiments', 'experiments-trace']) {
    expect(importsOf(name)).not.toContain('env.memory');
    expect(exportsOf(name)).toContain('memory');
  }
});

test('with real threads none can be played, and without probes there is no ring', () => {
  expect(exportedFunctions('trace')).toEqual(expect.arrayContaining(['hg_small_play_thread', 'hg_trace_start']));
  for (const name of ['hg_small_play_thread', 'hg_trace_start']) {
    expect(exportedFunctions('threads')).not.toContain(name);
    expect(exportsOf('experiments-threads')).not.toContain(name);
  }
});
