// How many bytes of wasm an allocator costs: ours against Emscripten's dlmalloc and emmalloc.
//
//   node tools/check_size.mjs
//
// One C file (tests/bench/malloc/full_set.c) that does nothing but call the allocator, linked the same way by the same
// emcc; the size of the same file without an allocator is taken off. Fails when ours is not below dlmalloc's.

import { fileURLToPath } from 'node:url';
import { archive, compile, emccVersion, root } from '../tests/bench/harness/compile.mjs';

const kAllocators = {
  heapglass: () => ['-DBENCH_HEAPGLASS', archive('release')],
  dlmalloc: () => ['-sMALLOC=dlmalloc'],
  emmalloc: () => ['-sMALLOC=emmalloc'],
};
const kSets = { 'allocate, free': [], 'with calloc, realloc, memalign, usable size': ['-DBENCH_FULL'] };

function bytes(name, flags) {
  return compile(`check-size-${name}`, [`${root}tests/bench/malloc/full_set.c`], flags).length;
}

/** Bytes by set of functions and allocator. @returns {Record<string, Record<string, number>>} */
export function codeSizes() {
  const nothing = bytes('nothing', ['-DBENCH_NOTHING']);
  const sizesOf = (setFlags) =>
    Object.fromEntries(
      Object.entries(kAllocators).map(([name, flags]) => [name, bytes(name, [...setFlags, ...flags()]) - nothing]),
    );
  return Object.fromEntries(Object.entries(kSets).map(([set, flags]) => [set, sizesOf(flags)]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(emccVersion());
  let below = true;
  for (const [set, sizes] of Object.entries(codeSizes())) {
    const words = Object.entries(sizes).map(([name, size]) => `${name} ${size} bytes`);
    console.log(`${set}: ${words.join(', ')}`);
    below &&= sizes.heapglass < sizes.dlmalloc;
  }
  console.log(below ? 'heapglass is below dlmalloc' : 'FAILED: heapglass is not below dlmalloc');
  process.exitCode = below ? 0 : 1;
}
