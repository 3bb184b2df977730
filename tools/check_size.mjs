// How many bytes of wasm an allocator costs: ours against Emscripten's dlmalloc and emmalloc.
//
//   node tools/check_size.mjs
//
// One C file (tests/bench/malloc/full_set.c) that does nothing but call the allocator, linked the same way by the same
// emcc; the size of the same file without an allocator is taken off. Fails when ours is not below dlmalloc's.

import { archive, compile, emccVersion, root } from '../tests/bench/harness/compile.mjs';

const kAllocators = {
  heapglass: ['-DBENCH_HEAPGLASS', archive('release')],
  dlmalloc: ['-sMALLOC=dlmalloc'],
  emmalloc: ['-sMALLOC=emmalloc'],
};
const kSets = { 'allocate, free': [], 'with calloc, realloc, memalign, usable size': ['-DBENCH_FULL'] };

function bytes(name, flags) {
  return compile(`check-size-${name}`, [`${root}tests/bench/malloc/full_set.c`], flags).length;
}

console.log(emccVersion());
const nothing = bytes('nothing', ['-DBENCH_NOTHING']);
let below = true;
for (const [set, setFlags] of Object.entries(kSets)) {
  const sizes = Object.fromEntries(
    Object.entries(kAllocators).map(([name, flags]) => [name, bytes(name, [...setFlags, ...flags]) - nothing]),
  );
  console.log(
    `${set}: ${Object.entries(sizes)
      .map(([name, size]) => `${name} ${size} bytes`)
      .join(', ')}`,
  );
  below &&= sizes.heapglass < sizes.dlmalloc;
}
console.log(below ? 'heapglass is below dlmalloc' : 'FAILED: heapglass is not below dlmalloc');
process.exitCode = below ? 0 : 1;
