// What cannot be meant is refused by its name, in every build; what is refused was not done.

import { describe, expect, test } from 'vitest';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import type { Heap, HeapOptions } from '../../../web/src/heap/heap_types.ts';
import { expectSoundAndEmpty } from './ended.ts';

const badArgument = (message: RegExp) =>
  expect.objectContaining({ code: 'bad_argument', message: expect.stringMatching(message) });

describe('options', () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const sharedMemory = new WebAssembly.Memory({ initial: 1, maximum: 16, shared: true });
  test.each<[unknown, RegExp]>([
    [{ sharedMemory: true }, /no option 'sharedMemory'; it has memory, buffer, start/],
    ['trace', /an object of options, and was given 'trace'/],
    [null, /an object of options, and was given null/],
    [[], /was given an array/],
    [{ trace: 'yes' }, /option trace must be true or false, and is 'yes'/],
    [{ checked: 1 }, /option checked must be true or false, and is 1/],
    [{ start: Number.NaN, memory }, /option start must be a whole number, 0 or more, and is NaN/],
    [{ end: -1, memory }, /option end must be a whole number, 0 or more, and is -1/],
    [{ start: 0.5, memory }, /option start must be a whole number, 0 or more, and is 0.5/],
    [{ start: 10, end: 5, memory }, /end is 5, before start, which is 10/],
    [{ start: 0 }, /neither is given/],
    [{ end: 2 ** 33, memory }, /ends at 4294901760/],
    [{ memory: {} }, /option memory must be a WebAssembly.Memory/],
    [{ buffer: new Uint8Array(8) }, /must be an ArrayBuffer or a SharedArrayBuffer, and is an object \(Uint8Array\)/],
    [{ buffer: new ArrayBuffer(100), end: 200 }, /end is 200, and the buffer has 100/],
    [{ buffer: new ArrayBuffer(100) }, /the smallest heap needs/],
    [{ memory, buffer: new ArrayBuffer(8) }, /memory and buffer exclude each other/],
    [{ memory, maximum: 8 << 20 }, /end says how far/],
    [{ initial: 100 }, /initial is 100: it is in bytes/],
    [{ initial: 1 << 20, maximum: 65_536 }, /more than maximum/],
    [{ align: 24 }, /align must be a power of two from 8 on, and is 24/],
    [{ align: 4 }, /align must be a power of two from 8 on/],
    [{ align: 8192 }, /at most 4096/],
    [{ align: '16' }, /align must be a power of two/],
    [{ shared: 'yes' }, /shared must be true, or what heap.share\(\) gave/],
    [{ shared: true, trace: true }, /neither traced nor checked/],
    [{ shared: true, memory }, /the memory is not shared/],
    [{ shared: false, memory: sharedMemory }, /the memory is shared, and the option shared is false/],
    [{ shared: true, initial: 2 ** 31 }, /more than maximum, which is 1073741824/],
    [{ wasm: 7 }, /option wasm must be/],
  ])('%j is refused with its reason', async (options, message) => {
    await expect(createHeap(options as HeapOptions)).rejects.toEqual(badArgument(message));
  });

  test('undefined stands for an option that is not given', async () => {
    const heap = await createHeap({
      memory: undefined,
      trace: undefined,
      align: undefined,
      shared: false,
    } as HeapOptions);
    expectSoundAndEmpty(heap);
  });
});

describe('arguments', () => {
  type Call = (heap: Heap, value: never) => unknown;
  const sizes: [string, Call][] = [
    ['allocate', (heap, size) => heap.allocate(size)],
    ['calloc', (heap, size) => heap.calloc(1, size)],
    ['reallocate', (heap, size) => heap.reallocate(0, size)],
    ['allocateAligned', (heap, size) => heap.allocateAligned(8, size)],
    ['expand', (heap, size) => heap.expand(0, { minimum: size })],
    ['command', (heap, size) => heap.command({ allocateNew: true, limit: size, preferred: size })],
    ['mallocAs', (heap, size) => heap.mallocAs('u8', size)],
    ['allocateMany', (heap, size) => heap.allocateMany(size, 3)],
    ['allocateMany, its count', (heap, size) => heap.allocateMany(8, size)],
    ['allocateArrays', (heap, size) => heap.allocateArrays([size], 8)],
    ['allocateIndependent', (heap, size) => heap.allocateIndependent([8, size])],
    ['callocIndependent', (heap, size) => heap.callocIndependent(2, size)],
    ['createPool', (heap, size) => heap.createPool({ nodeSize: size })],
    ['createMemoryPool', (heap, size) => heap.createMemoryPool({ fixedSize: size })],
    ['trim', (heap, size) => heap.trim(size)],
  ];
  const addresses: [string, Call][] = [
    ['deallocate', (heap, address) => heap.deallocate(address)],
    ['reallocate, its block', (heap, address) => heap.reallocate(address, 8)],
    ['usableSize', (heap, address) => heap.usableSize(address)],
    ['expand, its block', (heap, address) => heap.expand(address, { minimum: 8 })],
    ['freeMany', (heap, address) => heap.freeMany([address])],
    ['Pool.deallocate', (heap, address) => heap.createPool({ nodeSize: 8 })?.deallocate(address)],
    ['Pool.freeMany', (heap, address) => heap.createPool({ nodeSize: 8 })?.freeMany([address])],
    [
      'MemoryPool.deallocateFixed',
      (heap, address) => heap.createMemoryPool({ fixedSize: 8 })?.deallocateFixed(address),
    ],
  ];
  const noNumbers = [null, 'x', '8', true, {}, [], 8n, Number.NaN, -1, -0.5];

  for (const options of [{}, { checked: true }, { memory: new WebAssembly.Memory({ initial: 1 }), start: 0 }]) {
    test(`no call takes what is no size or no address for one (${Object.keys(options)})`, async () => {
      const heap = await createHeap(options);
      for (const [name, call] of sizes) {
        for (const value of [...noNumbers, 1.5, 2 ** 32, Number.POSITIVE_INFINITY]) {
          expect(() => call(heap, value as never), `${name} ${String(value)}`).toThrow(badArgument(/must be|at most/));
        }
      }
      for (const [name, call] of addresses) {
        for (const value of [...noNumbers, 8.5, 2 ** 32, Number.POSITIVE_INFINITY]) {
          expect(() => call(heap, value as never), `${name} ${String(value)}`).toThrow(badArgument(/must be|needed/));
        }
      }
      expect(heap.check()).toBeUndefined();
      heap.freeAll();
      expectSoundAndEmpty(heap);
    });
  }

  test.each<[RegExp, Call]>([
    [/no option 'min'; it has minimum/, (heap) => heap.expand(0, { min: 8 } as never)],
    [/preferred is 8, less than minimum, which is 16/, (heap) => heap.expand(0, { minimum: 16, preferred: 8 })],
    [/command has no option 'grow'; it has allocateNew/, (heap) => heap.command({ grow: true } as never)],
    [/expand needs the option minimum/, (heap) => heap.expand(0, {} as never)],
    [/no option 'size'; it has nodeSize/, (heap) => heap.createPool({ nodeSize: 8, size: 8 } as never)],
    [/shape must be one of 'adaptive'/, (heap) => heap.createPool({ nodeSize: 8, shape: 'round' as never })],
    [/fixedSize is at most 2048, and is 4000/, (heap) => heap.createMemoryPool({ fixedSize: 4000 })],
    [/no element type 'f16'; there are u8/, (heap) => heap.mallocAs('f16' as never, 8)],
    [/no event 'shrink'; it has 'grow'/, (heap) => heap.on('shrink' as never, () => {})],
    [/listener must be a function, and is 5/, (heap) => heap.on('grow', 5 as never)],
    [/alignment must be a power of two from 1 on, and is 0/, (heap) => heap.allocateAligned(0, 8)],
    [/sizes must be an array of numbers, and is 8/, (heap) => heap.allocateIndependent(8 as never)],
    [/fill must be a number, and is 'x'/, (heap) => heap.calloc(1, 1, 'x' as never)],
    [/is not shared: createHeap\(\{ shared: true \}\)/, (heap) => heap.share()],
    [/made without fixedSize/, (heap) => heap.createMemoryPool()?.allocateFixed()],
  ])('%s', async (message, call) => {
    const heap = await createHeap();
    expect(() => call(heap, undefined as never)).toThrow(badArgument(message));
    expectSoundAndEmpty(heap);
  });

  test('what cannot be had is no mistake, and has another code', async () => {
    const heap = await createHeap({ throwOnOutOfMemory: true, maximum: 1 << 20 });
    const outOfMemory = expect.objectContaining({ code: 'out_of_memory' });
    for (const call of [
      () => heap.allocate(2 << 20),
      () => heap.calloc(1 << 20, 1 << 20),
      () => heap.allocateMany(1 << 10, 1 << 20),
      () => heap.allocateIndependent([1 << 20, 1 << 20]),
      () => heap.callocIndependent(2 ** 31, 8),
      () => heap.mallocAs('f64', 1 << 20),
      () => heap.expand(heap.allocate(8), { minimum: 1 << 21 }),
    ]) {
      expect(call).toThrow(outOfMemory);
    }
    expect(heap.check()).toBeUndefined();
  });
});

describe('blocks', () => {
  test('deallocate says whether it freed', async () => {
    const heap = await createHeap();
    expect(heap.deallocate(heap.allocate(8))).toBe(true);
    expect(heap.deallocate(0)).toBe(false);
    const pool = heap.createPool({ nodeSize: 8 });
    expect([pool?.deallocate(pool.allocate()), pool?.deallocate(0)]).toEqual([true, false]);
    pool?.destroy();
    expectSoundAndEmpty(heap);
  });

  for (const options of [{}, { checked: true }, { buffer: new ArrayBuffer(1 << 20) }]) {
    test(`a typed array is given back once, however its block went (${Object.keys(options)})`, async () => {
      const heap = await createHeap(options);
      const freed = expect.objectContaining({ code: 'freed' });
      const array = () => heap.mallocAs('u32', 10) as Uint32Array;
      const gone: [string, (given: Uint32Array) => void][] = [
        ['by itself', (given) => heap.deallocate(given)],
        ['by its address', (given) => heap.deallocate(given.byteOffset)],
        ['with others', (given) => heap.freeMany([heap.allocate(8), given.byteOffset])],
        ['by another array of its block', (given) => heap.deallocate(heap.reallocArray(given, 12) as Uint32Array)],
        ['by its address, to size 0', (given) => heap.reallocate(given.byteOffset, 0)],
        ['with the heap', () => heap.freeAll()],
      ];
      for (const [, end] of gone) {
        const given = array();
        heap.allocate(8);
        end(given);
        expect(() => heap.deallocate(given)).toThrow(freed);
        expect(() => heap.reallocArray(given, 5)).toThrow(freed);
        expect(() => heap.refresh(given)).toThrow(freed);
        const next = array(); // a new block may lie there: the old array does not stand for it
        expect(() => heap.deallocate(given)).toThrow(freed);
        expect(heap.deallocate(next)).toBe(true);
      }
      heap.freeAll();
      expectSoundAndEmpty(heap);
    });
  }

  test("an array that the heap did not make is refused, though it lies in the heap's memory", async () => {
    const heap = await createHeap();
    const block = heap.allocate(8);
    const stranger = new Uint8Array(heap.memory.buffer, block, 8);
    expect(() => heap.deallocate(stranger)).toThrow(expect.objectContaining({ code: 'not_of_this_heap' }));
    const other = heap.createHeap();
    expect(() => other?.deallocate(heap.mallocAs('u8', 4) ?? 0)).toThrow(/not made by this heap: mallocAs/);
  });

  test('the end of a scope does not hide what killed the module', async () => {
    const heap = await createHeap({ checked: true });
    const pool = heap.createPool({ nodeSize: 8 });
    const block = heap.allocate(100);
    heap.allocate(16);
    heap.deallocate(block);
    expect(() => heap.deallocate(block)).toThrow(/double free/);
    pool?.[Symbol.dispose]();
    heap[Symbol.dispose](); // silent
    expect(() => heap.allocate(8)).toThrow(
      expect.objectContaining({ code: 'dead', message: expect.stringContaining('double free') }),
    );
    expect(() => heap.destroy()).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ code: 'misuse' }) }),
    );
  });
});
