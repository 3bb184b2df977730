// How a program is linked whose memory goes back: as `npx heapglass --ldflags --shrink` has it.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { writeShrink, writeShrinkExterns } from '../../../tools/build_recorder.mjs';
import { root, type Toolchain } from '../toolchain.ts';

const kExports = [
  ...['hg_malloc_trim', 'hg_heap_returnable', 'hg_heap_free_pages', 'hg_memory_free_pages'],
  'hg_malloc_cached_pages',
  ...['hg_memory_end', 'hg_memory_moved', 'hg_memory_scratch'],
];
const kMethods = 'ccall,cwrap,addFunction,removeFunction,wasmMemory';

/** The flags that export what a shrink needs. */
export const exportFlag = (): string => `-Wl,${kExports.map((name) => `--export=${name}`).join(',')}`;

export function shrinkFlags(toolchain: Toolchain): string[] {
  return [
    exportFlag(),
    '--pre-js',
    writeShrink(join(root, 'build/emscripten')),
    `--closure-args=--externs=${writeShrinkExterns(join(root, 'build/emscripten'))}`,
    '-sALLOW_MEMORY_GROWTH',
    '-sALLOW_TABLE_GROWTH',
    '-sINITIAL_MEMORY=16777216',
    '-sMODULARIZE',
    `-sEXPORTED_RUNTIME_METHODS=${kMethods}${toolchain.order < 30_163 ? '' : ',HEAPU8'}`,
  ];
}

/** A build by which Emscripten's JavaScript gets short names: where Emscripten has the compiler for that ($EM_CLOSURE_COMPILER, or on PATH). */
export function closureBuilds(): readonly (readonly ['fast', string])[] {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'closure-compiler'));
  const has = process.env['EM_CLOSURE_COMPILER'] !== undefined || onPath.some((path) => existsSync(path));
  if (!has) console.log('--closure 1 is not tried: there is no closure-compiler');
  return has ? [['fast', '-O2 --closure 1']] : [];
}
