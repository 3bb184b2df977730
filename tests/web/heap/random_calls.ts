// Random calls of one seed on a heap: blocks, aligned blocks, arrays of blocks, pools. Another heap that holds the same can go on with a copy
// of the caller from any call on.

import type { Heap, Pool } from '../../../web/src/heap/heap_types.ts';

interface Block {
  readonly address: number;
  readonly size: number;
  readonly seed: number;
}

const kStride = 97;

export class RandomCalls {
  readonly heap: Heap;
  readonly #pool: Pool;
  #blocks: Block[] = [];
  #nodes: number[] = [];
  #state: number;
  #calls = 0;

  constructor(heap: Heap, seed: number, pool = heap.createPool({ nodeSize: 24 }) as Pool) {
    this.heap = heap;
    this.#pool = pool;
    this.#state = seed;
  }

  /** The same caller on a heap that holds the same. */
  on(heap: Heap): RandomCalls {
    const other = new RandomCalls(heap, this.#state, heap.pools[0] as Pool);
    other.#blocks = [...this.#blocks];
    other.#nodes = [...this.#nodes];
    other.#calls = this.#calls;
    return other;
  }

  #random(n: number): number {
    this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (this.#state >>> 8) % n;
  }

  /** Addresses that calls gave, and 1 or 0 for contents that were as written or not. */
  run(count: number): number[] {
    return Array.from({ length: count }, () => this.#call());
  }

  #call(): number {
    const grows = Math.floor(this.#calls++ / 1500) % 2 === 0;
    const at = this.#random(Math.max(1, this.#blocks.length));
    const block = this.#blocks[at];
    if (block === undefined || this.#random(10) < (grows ? 6 : 3)) return this.#allocate();
    switch (this.#random(5)) {
      case 0:
        return this.#resize(at, block);
      case 1:
        return this.#node();
      default:
        this.#blocks.splice(at, 1);
        return this.#free(block);
    }
  }

  #size(): number {
    return 1 + ([this.#random(64), this.#random(2000), this.#random(60_000)][this.#random(3)] ?? 0);
  }

  #allocate(): number {
    const size = this.#size();
    const aligned = this.#random(8) === 0;
    const address = aligned ? this.heap.allocateAligned(256, size) : this.heap.allocate(size);
    const block = { address, size, seed: this.#calls & 0xff };
    for (let i = 0; i < size; i += kStride) this.heap.u8[address + i] = block.seed + i;
    this.#blocks.push(block);
    return address;
  }

  #resize(at: number, block: Block): number {
    const size = this.#size();
    const address = this.heap.reallocate(block.address, size);
    this.#blocks[at] = { address, size: Math.min(size, block.size), seed: block.seed };
    return address;
  }

  #node(): number {
    const node = this.#random(2) === 0 ? this.#nodes.pop() : undefined;
    if (node !== undefined) return this.#pool.deallocate(node) ? 1 : 0;
    const made = this.#pool.allocate();
    this.#nodes.push(made);
    return made;
  }

  isSame({ address, size, seed }: Block): boolean {
    for (let i = 0; i < size; i += kStride) if (this.heap.u8[address + i] !== ((seed + i) & 0xff)) return false;
    return true;
  }

  #free(block: Block): number {
    const same = this.isSame(block) ? 1 : 0;
    this.heap.deallocate(block.address);
    return same;
  }

  /** Of blocks and nodes, ascending. */
  addresses(): number[] {
    return [...this.#blocks.map(({ address }) => address), ...this.#nodes].sort((one, other) => one - other);
  }

  /** Contents of all blocks that are left are as written, and the heap is sound. Frees them. */
  end(): { wrong: number; broken: string | undefined; left: number } {
    const wrong = this.#blocks.filter((block) => !this.isSame(block)).length;
    for (const { address } of this.#blocks) this.heap.deallocate(address);
    this.#pool.destroy();
    const broken = this.heap.check();
    return { wrong, broken, left: this.heap.stats().chunksInUse };
  }
}

export const kSound = { wrong: 0, broken: undefined, left: 0 };
