// A number that is no block of the heap is refused before anything is written; what leads the module out of memory all the same
// is a HeapError that names the call, and ends the heap.

import { describe, expect, test } from 'vitest';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import { HeapError } from '../../../web/src/heap/heap_error.ts';
import type { Heap, HeapOptions } from '../../../web/src/heap/heap_types.ts';
import { expectSoundAndEmpty } from './ended.ts';

const kKinds: readonly [string, () => HeapOptions][] = [
  ['plain', () => ({})],
  ['traced', () => ({ trace: true })],
  ['in a given memory', () => ({ memory: new WebAssembly.Memory({ initial: 1 }) })],
  ['over a buffer', () => ({ buffer: new ArrayBuffer(1 << 20) })],
  ['aligned', () => ({ align: 64 })],
  ['shared', () => ({ shared: true })],
];

const kCalls: readonly [string, (heap: Heap, address: number, block: number) => unknown][] = [
  ['deallocate', (heap, address) => heap.deallocate(address)],
  ['reallocate', (heap, address) => heap.reallocate(address, 50)],
  ['reallocate to 0', (heap, address) => heap.reallocate(address, 0)],
  ['usableSize', (heap, address) => heap.usableSize(address)],
  ['expand', (heap, address) => heap.expand(address, { minimum: 200, move: true })],
  ['command', (heap, address) => heap.command({ expandForward: true, limit: 9, preferred: 9, reuse: address })],
  ['freeMany', (heap, address, block) => heap.freeMany([block, address])],
];

describe.each(kKinds)('a heap %s', (_, options) => {
  test('refuses an address where no block in use begins, and is unchanged', async () => {
    const heap = await createHeap(options());
    const block = heap.allocate(100);
    heap.u8.fill(0, block, block + 100);
    const freed = heap.allocate(100);
    heap.allocate(100);
    heap.deallocate(freed);
    const strangers = [
      4,
      8,
      4096,
      12345,
      12344,
      65_536,
      2 ** 31,
      2 ** 32 - 8,
      2 ** 32 - 1,
      block + 4,
      block + 8,
      freed,
    ];
    const before = heap.stats();
    for (const [name, call] of kCalls) {
      for (const address of strangers) {
        const refused = {
          code: 'bad_argument',
          message: expect.stringContaining(`is ${address}, and no block in use`),
        };
        expect(() => call(heap, address, block), `${name} ${address}`).toThrow(expect.objectContaining(refused));
      }
      expect(heap.stats(), name).toEqual(before);
    }
    expect(heap.check()).toBeUndefined();
    expect(heap.deallocate(block)).toBe(true);
    heap.destroy();
  });

  test('takes every block that it gave, however it was made, and after memory grew', async () => {
    const heap = await createHeap(options());
    const blocks: number[] = [];
    for (let i = 0; i < 200; ++i) blocks.push(heap.allocate(i * 7), heap.allocateAligned(8 << (i % 9), i));
    blocks.push(...(heap.allocateMany(24, 100) ?? []), ...(heap.allocateArrays([1, 20, 300], 8) ?? []));
    blocks.push(...(heap.allocateIndependent([8, 80, 800]) ?? []), ...(heap.callocIndependent(5, 40) ?? []));
    if (!('buffer' in options())) blocks.push(heap.allocate(3 << 20)); // grows
    for (const block of blocks) if (block % 3 === 0) heap.expand(block, { minimum: 1 });
    for (const block of blocks) expect(heap.usableSize(block)).toBeGreaterThan(0);
    const half = blocks.length >>> 1;
    for (const block of blocks.slice(0, half)) expect(heap.deallocate(block)).toBe(true);
    heap.freeMany(blocks.slice(half));
    expectSoundAndEmpty(heap);
  });

  test.each<[string, (heap: Heap) => () => unknown]>([
    [
      'hg_pool_deallocate',
      (heap) => {
        const pool = heap.createPool({ nodeSize: 8 });
        pool?.allocate();
        return () => pool?.deallocate(2 ** 32 - 8);
      },
    ],
    [
      'hg_memory_pool_deallocate_fixed',
      (heap) => {
        const pool = heap.createMemoryPool({ fixedSize: 8 });
        return () => pool?.deallocateFixed(2 ** 32 - 8);
      },
    ],
  ])('ends with a HeapError where %s traps, and says so from then on', async (name, prepare) => {
    const heap = await createHeap(options());
    const call = prepare(heap);
    const trap = {
      code: 'trap',
      message: expect.stringMatching(new RegExp(`^${name}\\(.*4294967288\\) trapped: .*dead$`)),
    };
    expect(call).toThrow(expect.objectContaining(trap));
    const dead = expect.objectContaining({ code: 'dead', cause: expect.any(HeapError) });
    for (const after of [call, () => heap.allocate(8), () => heap.check(), () => heap.destroy()])
      expect(after).toThrow(dead);
    heap[Symbol.dispose](); // silent
  });
});
