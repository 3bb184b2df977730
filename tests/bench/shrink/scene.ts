// One program that holds much and keeps little, the same in Node and in a page: a linked one, or the heap for JavaScript.
// shrink_check.mjs calls these functions one after the other, and reads the memory of the process between them.

import { createHeap } from '../../../web/src/heap/create_heap.ts';
import type { Heap } from '../../../web/src/heap/heap_types.ts';
import { shrink } from '../../../web/src/shrink/shrink.ts';
import type { Shrunk } from '../../../web/src/shrink/shrunk.ts';
import { askRunning } from '../../web/shrink/running_calls.ts';

interface Held {
  hold(bytes: number): number;
  letGo(address: number): void;
  sum(address: number, bytes: number): number;
  shrink(): Promise<Shrunk>;
}

interface Linked {
  _hold(bytes: number): number;
  _let_go(address: number): void;
  _sum(address: number, bytes: number): number;
}

const kBlock = 100_000;
const kValue = 0x5a;
const kWasmPage = 65_536;
const kMebibyte = 1 << 20;
let held: Held;
let blocks: number[] = [];

function overHeap(heap: Heap): Held {
  return {
    hold: (bytes) => {
      const at = heap.allocate(bytes);
      heap.u8.fill(kValue, at, at + bytes);
      return at;
    },
    letGo: (address) => heap.deallocate(address),
    sum: (address, bytes) => heap.u8.subarray(address, address + bytes).reduce((sum, byte) => sum + byte, 0),
    shrink: () => heap.shrink(),
  };
}

function overProgram(program: Linked): Held {
  return {
    hold: (bytes) => program._hold(bytes) >>> 0,
    letGo: (address) => program._let_go(address),
    sum: (address, bytes) => program._sum(address, bytes) >>> 0,
    shrink: () => shrink(program),
  };
}

const scene = {
  async start(
    kind: 'linked' | 'heap',
    make: () => Promise<Linked>,
    wasm: string | Uint8Array<ArrayBuffer>,
  ): Promise<void> {
    held = kind === 'heap' ? overHeap(await createHeap({ wasm })) : overProgram(await make());
  },
  hold(bytes: number): void {
    blocks = Array.from({ length: bytes / kBlock }, () => held.hold(kBlock));
  },
  /** One block in `of` stays. Where they lie: all over the memory, or at its beginning. */
  keep(spread: boolean, of: number): void {
    const most = blocks.length / of;
    const stays = (i: number): boolean => (spread ? i % of === 0 : i < most);
    for (const [i, block] of blocks.entries()) if (!stays(i)) held.letGo(block);
    blocks = blocks.filter((_, i) => stays(i));
  },
  async shrink(): Promise<Shrunk & { readonly ms: number }> {
    const began = performance.now();
    const shrunk = await held.shrink();
    return { ...shrunk, ms: performance.now() - began };
  },
  /** Milliseconds for each MiB that is written for the first time in a fresh memory: what no copy can be below. */
  touch(bytes: number): number {
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / kWasmPage) });
    const began = performance.now();
    new Uint8Array(memory.buffer).fill(kValue);
    return (performance.now() - began) / (bytes / kMebibyte);
  },
  /** Whether the engine's stack says that a call into a program has not returned. */
  running: askRunning,
  /** Whether all that was kept is what it was. */
  proves: (): boolean => blocks.every((block) => held.sum(block, kBlock) === kBlock * kValue),
};

export type Scene = typeof scene;
(globalThis as { heldScene?: Scene }).heldScene = scene;
