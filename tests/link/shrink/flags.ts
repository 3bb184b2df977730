// How a program is linked whose memory goes back: as `npx heapglass --ldflags --shrink` has it.

import { join } from 'node:path';
import { writeShrink } from '../../../tools/build_recorder.mjs';
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
    '-sALLOW_MEMORY_GROWTH',
    '-sALLOW_TABLE_GROWTH',
    '-sINITIAL_MEMORY=16777216',
    '-sMODULARIZE',
    `-sEXPORTED_RUNTIME_METHODS=${kMethods}${toolchain.order < 30_163 ? '' : ',HEAPU8'}`,
  ];
}
