// The allocators that are set side by side, each over bytes of its own, behind one interface:
//
//   take(size)  an address, 0: none      give(address)      resize(address, size)      takeMany(size, count)  addresses
//   giveMany(addresses)                  clear()  everything is free again

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemPool } from '@thi.ng/malloc';
import { importBundled } from '../harness/bundle.mjs';
import { root } from '../harness/compile.mjs';

const { createHeap } = await importBundled('javascript_heap/create_heap');
const wasmOf = (variant) => readFileSync(join(root, `build/wasm/heapglass-${variant}.wasm`));

/** Names and makers: `bytes` is all that each may use. */
export const kAllocators = {
  '@thi.ng/malloc': (bytes, align = 8) => ofMemPool(new MemPool({ buf: new ArrayBuffer(bytes), align })),
  heapglass: async (bytes, align = 8) => {
    const memory = new WebAssembly.Memory({ initial: bytes / 65_536, maximum: bytes / 65_536 });
    return ofHeap(await createHeap({ memory, align, wasm: wasmOf('placed') }));
  },
  'heapglass over a buffer': async (bytes, align = 8) =>
    ofHeap(await createHeap({ buffer: new ArrayBuffer(bytes), align, wasm: wasmOf('placed') })),
};

function ofMemPool(pool) {
  return {
    take: (size) => pool.malloc(size),
    give: (address) => pool.free(address),
    resize: (address, size) => pool.realloc(address, size),
    takeMany: (size, count) => Array.from({ length: count }, () => pool.malloc(size)),
    giveMany: (addresses) => {
      for (const address of addresses) pool.free(address);
    },
    takeArray: (length) => pool.mallocAs('f32', length),
    giveArray: (array) => pool.free(array),
    clear: () => pool.freeAll(),
  };
}

function ofHeap(heap) {
  return {
    take: (size) => heap.allocate(size),
    give: (address) => heap.deallocate(address),
    resize: (address, size) => heap.reallocate(address, size),
    takeMany: (size, count) => heap.allocateMany(size, count) ?? [],
    giveMany: (addresses) => heap.freeMany(addresses),
    takeArray: (length) => heap.mallocAs('f32', length),
    giveArray: (array) => heap.deallocate(array),
    clear: () => heap.freeAll(),
  };
}
