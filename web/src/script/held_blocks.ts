// The blocks that a script holds, by address, each with its owner: the heap, malloc, or a pool.

import { type Addr, addr } from '../base/brand.ts';
import { formatAddress } from '../base/format.ts';

/** Where a block of an owner comes from. */
const kFrom: Readonly<Record<string, string>> = {
  heap: 'heap.allocate(), freed by heap.deallocate()',
  malloc: 'malloc(), freed by free()',
};

export class HeldBlocks {
  readonly #owners = new Map<number, string>();
  readonly #freed = new Set<number>(); // once; also where a block is again

  take(owner: string, mem: Addr): void {
    this.#owners.set(mem, owner);
  }

  /** The address of a block that `owner` gave. Throws, in words, when `block` is none. */
  held(call: string, owner: string, block: unknown): Addr {
    if (typeof block !== 'number') {
      throw new TypeError(`${call} takes the address of a block, not ${describe(block)}`);
    }
    const found = this.#owners.get(block);
    if (found === owner) return addr(block);
    const at = Number.isInteger(block) && block >= 0 ? formatAddress(addr(block)) : String(block);
    if (found !== undefined) {
      throw new TypeError(`${call}(${at}): this block came from ${kFrom[found] ?? `${found}, freed by its free()`}`);
    }
    const why = this.#freed.has(block) ? ', it was freed before' : '';
    throw new TypeError(`${call}(${at}): no block in use begins there${why}`);
  }

  /** As held(), and the block is given back. */
  give(call: string, owner: string, block: unknown): Addr {
    const mem = this.held(call, owner, block);
    this.#owners.delete(mem);
    this.#freed.add(mem);
    return mem;
  }

  /** The block moved. */
  replace(owner: string, mem: Addr, moved: Addr): void {
    this.#owners.delete(mem);
    this.#freed.add(mem);
    this.take(owner, moved);
  }

  /** The owner is gone, and all of its blocks with it. */
  forget(owner: string): void {
    for (const [mem, of] of this.#owners) {
      if (of !== owner) continue;
      this.#owners.delete(mem);
      this.#freed.add(mem);
    }
  }
}

const describe = (value: unknown): string =>
  typeof value === 'object' && value !== null ? 'an object' : String(value);
