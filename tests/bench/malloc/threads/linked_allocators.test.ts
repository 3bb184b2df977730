// The linker's map tells which allocator is in a program. Lines as wasm-ld writes them.

import { expect, test } from 'vitest';
import { linkedAllocators } from './linked_allocators.mjs';

const line = (path: string): string => `       -     dadc     102e         ${path}:(emscripten_builtin_malloc)`;

test('an allocator is known by the archive its code came from', () => {
  expect(linkedAllocators(line('/sysroot/lib/libdlmalloc-mt.a(dlmalloc.o)'))).toEqual(['dlmalloc']);
  expect(linkedAllocators(line('build/wasm/libheapglass-malloc-fast-threads.a(one.o)'))).toEqual(['heapglass']);
  expect(linkedAllocators(line('build/bench/threads/row-d-threads.o'))).toEqual(['row-d']);
});

test('a second allocator in the program is seen', () => {
  const map = [line('lib/libdlmalloc-mt.a(dlmalloc.o)'), line('out/libheapglass-malloc-fast.a(one.o)')].join('\n');
  expect(linkedAllocators(map)).toEqual(['dlmalloc', 'heapglass']);
});

test('a heap without malloc names, and libc with its sbrk, are no allocators', () => {
  const map = [line('lib/libc-mt.a(sbrk.o)'), line('build/wasm/libheapglass-threads.a(heapglass-threads.o)')].join(
    '\n',
  );
  expect(linkedAllocators(map)).toEqual([]);
});
