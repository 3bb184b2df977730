// One of the workers of shared.test.ts: random blocks of the heap it was given, each marked with the worker's byte.

import { parentPort, workerData } from 'node:worker_threads';
import { createHeap } from '../../../web/src/heap/create_heap.ts';
import type { HeapShare } from '../../../web/src/heap/heap_types.ts';

const { share, rounds, byte } = workerData as { share: HeapShare; rounds: number; byte: number };
const heap = await createHeap({ shared: share });
const blocks: number[] = [];
let wrong = 0;
let seed = byte * 7919;
const random = (below: number): number => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return (seed >>> 8) % below;
};

for (let i = 0; i < rounds; ++i) {
  if (blocks.length > 0 && random(100) < 48) {
    const [block = 0] = blocks.splice(random(blocks.length), 1);
    const kept = heap.u8.subarray(block + 4, block + 20);
    if (kept.length !== 16 || !kept.every((found) => found === byte)) ++wrong;
    heap.deallocate(block);
    continue;
  }
  const taken = i % 50 === 0 ? [...(heap.allocateMany(24, 20) ?? [])] : [heap.allocate(20 + random(4000))];
  for (const block of taken) heap.u8.fill(byte, block + 4, block + 20);
  if (taken.includes(0)) ++wrong;
  blocks.push(...taken);
}
const pool = heap.createPool({ nodeSize: 16 });
pool?.freeMany(pool.allocateMany(500) ?? []);
pool?.destroy();
heap[Symbol.dispose]();
parentPort?.postMessage({ wrong, blocks });
