// A traced heap driven at random, and what the driver itself counted meanwhile: what a report of the trace must say.

import { createRandom } from '../../../web/src/base/random.ts';
import { createHeap } from '../../../web/src/heap/create_heap.ts';

import type { HeapStats, Pool, TracedHeap } from '../../../web/src/heap/heap_types.ts';

import { decodeTraceFile, type TraceFile } from '../../../web/src/trace/trace_file.ts';

export class Counted {
  allocations = 0;
  allocatedBytes = 0;
  frees = 0;
  freedBytes = 0;
  resizes = 0;
  liveBytes = 0;
  peakBytes = 0;
  readonly live = new Map<number, number>(); // address: request

  got(address: number, request: number): void {
    this.allocations += 1;
    this.allocatedBytes += request;
    this.live.set(address, request);
    this.#change(request);
  }
  gone(address: number): void {
    const request = this.live.get(address) ?? 0;
    this.frees += 1;
    this.freedBytes += request;
    this.live.delete(address);
    this.liveBytes -= request;
  }
  resized(from: number, to: number, request: number): void {
    const old = this.live.get(from) ?? 0;
    this.resizes += 1;
    this.live.delete(from);
    this.live.set(to, request);
    this.#change(request - old);
  }
  #change(bytes: number): void {
    this.liveBytes += bytes;
    this.peakBytes = Math.max(this.peakBytes, this.liveBytes);
  }
}

/** `steps` random calls of every kind; some blocks stay. */
export async function playCounted(
  seed: number,
  steps: number,
): Promise<{ file: TraceFile; counted: Counted; stats: HeapStats }> {
  const heap = await createHeap({ trace: true });
  const counted = new Counted();
  const pool = heap.createPool({ nodeSize: 24 });
  if (pool === undefined) throw new Error(heap.status);
  const player = new Player(heap, pool, counted, seed);
  for (let i = 0; i < steps; ++i) player.step();
  pool.destroy();
  for (const node of player.nodes) counted.gone(node);
  endWhole(heap, counted);
  heap.checkpoint();
  return { file: traceOf(heap), counted, stats: heap.stats() };
}

export function traceOf(heap: TracedHeap): TraceFile {
  const decoded = decodeTraceFile(heap.trace());
  if (!decoded.ok) throw new Error(decoded.error.message);
  return decoded.value;
}

/** A heap that ends with what is in it, a pool among it. */
function endWhole(beside: TracedHeap, counted: Counted): void {
  const heap = beside.createHeap();
  const pool = heap?.createPool({ nodeSize: 40 });
  if (heap === undefined || pool === undefined) throw new Error(beside.status);
  const blocks = [...(heap.allocateArrays([1, 2, 3, 50], 8) ?? [])];
  [8, 16, 24, 400].forEach((request, i) => {
    counted.got(blocks[i] ?? 0, request);
  });
  const nodes = [...(pool.allocateMany(300) ?? [])];
  for (const node of nodes) counted.got(node, 40);
  heap.destroy();
  for (const address of [...blocks, ...nodes]) counted.gone(address);
}

class Player {
  readonly nodes: number[] = [];
  readonly #heap: TracedHeap;
  readonly #pool: Pool;
  readonly #counted: Counted;
  readonly #random;
  readonly #blocks: number[] = [];

  constructor(heap: TracedHeap, pool: Pool, counted: Counted, seed: number) {
    this.#heap = heap;
    this.#pool = pool;
    this.#counted = counted;
    this.#random = createRandom(seed);
  }

  step(): void {
    const kinds = [this.#allocate, this.#allocate, this.#free, this.#free, this.#resize, this.#burst, this.#expand];
    const kind = [...kinds, this.#takeNode, this.#takeNode, this.#returnNode][this.#random.below(10)];
    kind?.call(this);
  }

  #size(): number {
    return 1 + this.#random.below(this.#random.below(10) === 0 ? 20_000 : 300);
  }
  #took(address: number, request: number): void {
    this.#blocks.push(address);
    this.#counted.got(address, request);
  }
  #pick(from: number[]): number | undefined {
    return from.splice(this.#random.below(from.length), 1)[0];
  }

  #allocate(): void {
    const request = this.#size();
    const how = this.#random.below(3);
    if (how === 0) this.#took(this.#heap.allocateAligned(64, request), request);
    else this.#took(how === 1 ? this.#heap.allocate(request) : this.#heap.calloc(1, request), request);
  }
  #free(): void {
    const block = this.#pick(this.#blocks);
    if (block === undefined) return;
    this.#heap.deallocate(block);
    this.#counted.gone(block);
  }
  #resize(): void {
    const block = this.#pick(this.#blocks);
    if (block === undefined) return;
    const request = this.#size();
    const moved = this.#heap.reallocate(block, request);
    this.#blocks.push(moved);
    this.#counted.resized(block, moved, request);
  }
  #burst(): void {
    const request = 1 + this.#random.below(60);
    const count = 1 + this.#random.below(30);
    const blocks = this.#heap.allocateMany(request, count) ?? new Uint32Array(0);
    for (const block of blocks) this.#counted.got(block, request);
    const freed = blocks.subarray(0, this.#random.below(count));
    this.#heap.freeMany(freed);
    for (const block of freed) this.#counted.gone(block);
    this.#blocks.push(...blocks.subarray(freed.length));
  }
  /** In place or anew beside the block; it counts with what was preferred, or with less where less was got. */
  #expand(): void {
    const block = this.#pick(this.#blocks);
    if (block === undefined) return;
    const usable = this.#heap.usableSize(block);
    const more = this.#heap.command({
      allocateNew: this.#random.below(2) === 0,
      expandForward: true,
      expandBackward: true,
      limit: usable + 8,
      preferred: usable + 64,
      reuse: block,
    });
    const request = Math.min(usable + 64, more.received);
    this.#blocks.push(more.reused ? more.address : block);
    if (more.address !== 0 && !more.reused) this.#took(more.address, request);
    if (more.reused) this.#counted.resized(block, more.address, request);
  }
  #takeNode(): void {
    const node = this.#pool.allocate();
    this.nodes.push(node);
    this.#counted.got(node, 24);
  }
  #returnNode(): void {
    const node = this.#pick(this.nodes);
    if (node === undefined) return;
    this.#pool.deallocate(node);
    this.#counted.gone(node);
  }
}
