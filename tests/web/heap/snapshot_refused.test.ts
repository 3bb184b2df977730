// createHeap({ from }): bytes that are refused, and heaps without a snapshot.

import { describe, expect, test } from 'vitest';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import { heapFailure } from '../../../web/src/heap/heap_snapshot.ts';
import type { HeapOptions } from '../../../web/src/heap/heap_types.ts';
import { createHeap as createPlainHeap } from '../../../web/src/heap/plain_heap.ts';
import { unpackRuns } from '../../../web/src/image/packed_runs.ts';
import { encodeSnapshot } from '../../../web/src/image/snapshot_file.ts';
import { crc32OfWords } from '../../../web/src/trace/crc32.ts';

const kMiB = 1 << 20;

/** Descriptions that nobody wrote, with right checksums. */
const kForged: readonly (readonly [name: string, message: RegExp, change: object])[] = [
  ['no end', /outside of its memory/, { end: undefined }],
  ['an end that is a text', /outside of its memory/, { end: '65536' }],
  ['an end without end', /outside of its memory/, { end: 1e308 }],
  ['an end below its runs', /outside of its memory/, { end: 16 }],
  ['no profile', /heaps and pools are none/, { profile: undefined }],
  ['a profile that is a number', /heaps and pools are none/, { profile: 7 }],
  ['no handles', /heaps and pools are none/, { handles: undefined }],
  ['handles that are none', /heaps and pools are none/, { handles: [null] }],
  ['a heap at no address', /heaps and pools are none/, { handles: [{ heap: 'x', pools: [] }] }],
  ['a heap behind the memory', /heaps and pools are none/, { handles: [{ heap: 2 ** 31, pools: [] }] }],
  ['pools that are no list', /heaps and pools are none/, { handles: [{ heap: 1024, pools: 7 }] }],
  ['another heap than those', /heaps and pools are none/, { asked: 5 }],
  ['a heap with a name of the language', /heaps and pools are none/, { asked: 'length' }],
  ['an alignment that is none', /align must be a power of two/, { align: 'x' }],
  ['a beginning that is none', /profile/, { initial: {} }],
  ['a most that is none', /profile/, { maximum: -1 }],
];

describe('bytes that are refused say why, and nothing is made', () => {
  const change = (bytes: Uint8Array, at: number, by = 1): Uint8Array => {
    const changed = bytes.slice();
    changed[at] = (changed[at] ?? 0) + by;
    return changed;
  };
  /** With its checksum made right again. */
  const sealed = (bytes: Uint8Array): Uint8Array => {
    const words = new Uint32Array(bytes.slice().buffer);
    words[words.length - 1] = crc32OfWords(words.subarray(0, -1));
    return new Uint8Array(words.buffer);
  };
  const described = (bytes: Uint8Array, change: (description: Record<string, unknown>) => void): Uint8Array => {
    const words = new Uint32Array(bytes.slice().buffer);
    const [textBytes = 0, runs = 0] = words.subarray(4);
    const description = JSON.parse(new TextDecoder().decode(bytes.slice(28, 28 + textBytes)));
    change(description);
    const at = 7 + Math.ceil(textBytes / 4);
    const contents = bytes.subarray(4 * (at + runs), -4);
    const put = (place: Uint8Array): void => place.set(contents);
    return encodeSnapshot(description, unpackRuns(words.subarray(at, at + runs)), new Uint32Array(0), put, heapFailure);
  };
  test.each<[string, RegExp, (bytes: Uint8Array) => Uint8Array]>([
    ['empty', /no snapshot/, () => new Uint8Array(0)],
    ['something else', /no snapshot/, () => new TextEncoder().encode('a text of some length that is no snapshot')],
    ['another version', /has version 3, and this heapglass reads version 2/, (bytes) => sealed(change(bytes, 4))],
    ['cut off in its head', /cut off/, (bytes) => bytes.subarray(0, 20)],
    ['cut off', /cut off: it has \d+ of \d+ bytes/, (bytes) => bytes.subarray(0, -1000)],
    ['too long', /has \d+ bytes, and \d+ were given/, (bytes) => Uint8Array.from([...bytes, 0])],
    ['a flipped bit', /damaged: its checksum/, (bytes) => change(bytes, bytes.length >>> 1)],
    ['a wrong checksum', /damaged: its checksum/, (bytes) => change(bytes, bytes.length - 1)],
    ['parts that do not fill it', /parts do not fill it/, (bytes) => sealed(change(bytes, 20))],
    ['another build', /another build/, (bytes) => described(bytes, (each) => Object.assign(each, { mark: 1 }))],
    ['another profile', /profile/, (bytes) => described(bytes, (each) => Object.assign(each, { profile: 'shared' }))],
    [
      'a program',
      /of a program, and a heap/,
      (bytes) => described(bytes, (each) => Object.assign(each, { of: 'program' })),
    ],
    [
      'data of another profile',
      /another build/,
      (bytes) => described(bytes, (each) => Object.assign(each, { profile: 'checked' })),
    ],
    ['a text that is no JSON', /parts do not fill it/, (bytes) => sealed(change(bytes, 28))],
    ...kForged.map(([name, message, forged]): [string, RegExp, (bytes: Uint8Array) => Uint8Array] => [
      name,
      message,
      (bytes) => described(bytes, (each) => Object.assign(each, forged)),
    ]),
  ])('%s', async (_, message, spoil) => {
    const heap = await createHeap();
    heap.u8.fill(3, heap.allocate(5000), 4000);
    const bytes = heap.snapshot();
    await expect(createHeap({ from: spoil(bytes) })).rejects.toMatchObject({
      name: 'HeapError',
      code: 'bad_snapshot',
      message: expect.stringMatching(message),
    });
    expect((await createHeap({ from: bytes })).check()).toBeUndefined();
  });

  test('every byte of a small one, flipped', async () => {
    const bytes = (await createHeap()).snapshot();
    for (let at = 0; at < bytes.length; at += 499) {
      await expect(createHeap({ from: change(bytes, at, 0x80) })).rejects.toMatchObject({ code: 'bad_snapshot' });
    }
  });

  test("the profile of another entry, and options that are not the snapshot's", async () => {
    const traced = (await createHeap({ trace: true })).snapshot();
    const refused = (message: RegExp) => ({ code: 'bad_snapshot', message: expect.stringMatching(message) });
    await expect(createPlainHeap({ from: traced })).rejects.toMatchObject({
      code: 'no_module',
      message: expect.stringMatching(/heap-trace\.wasm.*'heapglass\/full'/),
    });
    await expect(createHeap({ from: traced, trace: false })).rejects.toMatchObject(refused(/trace true/));
    await expect(createHeap({ from: traced, align: 64 })).rejects.toMatchObject(refused(/align 8/));
    await expect(createHeap({ from: traced, shared: true })).rejects.toMatchObject({ code: 'bad_argument' });
    await expect(createHeap({ from: 'bytes' as never })).rejects.toMatchObject({ code: 'bad_argument' });
    const unaligned = new Uint8Array(traced.length + 1);
    unaligned.set(traced, 1);
    expect((await createHeap({ from: unaligned.subarray(1) })).check()).toBeUndefined();
  });

  test('memory keeps the limit that it had, and no other is taken', async () => {
    const snapshot = (await createHeap({ initial: kMiB, maximum: 2 * kMiB })).snapshot();
    const heap = await createHeap({ from: snapshot });
    expect(heap.allocate(3 * kMiB)).toBe(0);
    expect(heap.allocate(kMiB)).toBeGreaterThan(0);
    await expect(createHeap({ from: snapshot, maximum: 4 * kMiB })).rejects.toMatchObject({
      code: 'bad_snapshot',
      message: expect.stringMatching(/a heap with maximum 2097152 .* 4194304 is asked for/),
    });
  });

  test.each<[RegExp, HeapOptions]>([
    [/the heap is shared/, { shared: true, maximum: 16 * kMiB }],
    [/the memory is yours/, { memory: new WebAssembly.Memory({ initial: 4 }) }],
    [/the buffer is yours/, { buffer: new ArrayBuffer(kMiB) }],
  ])('a heap without a snapshot: %s', async (message, options) => {
    const heap = await createHeap(options);
    const why = expect.objectContaining({ code: 'bad_argument', message: expect.stringMatching(message) });
    expect(() => heap.snapshot()).toThrow(why);
    expect(() => heap.checkpoint()).toThrow(why);
    heap.destroy();
    expect(() => heap.snapshot()).toThrow(expect.objectContaining({ code: 'dead' }));
  });
});
