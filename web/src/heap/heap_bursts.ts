// Many blocks in one call: a heap's bursts, independent blocks, and giving many back.
//
//   Numbers for the module lie in its scratch memory or, when they are too many, in a block borrowed from the same heap.

import { kContiguousDefault, kStatusTexts } from '../protocol/event_layout.ts';
import { beginChain, readChain, writeChain } from '../wasm/heap_chains.ts';
import { kScratch } from '../wasm/heap_scratch.ts';
import { addressOf, bytesOfMany, listOf, sizeOf } from './arguments.ts';
import { kMostBytes, kOwnAlign, kWordBytes, requestOf, takeBlock } from './block_requests.ts';
import type { HeapModule } from './heap_module.ts';

/** The heap whose bursts these are. */
export interface BurstOwner {
  readonly module: HeapModule;
  /** Address of the hg_heap; throws when it is destroyed. */
  alive(): number;
  /** Throws if the heap was made so. */
  failed(status?: string): void;
  /** The typed arrays of these blocks end. */
  ended(addresses: ArrayLike<number>): void;
}

export class HeapBursts {
  readonly #owner: BurstOwner;

  constructor(owner: BurstOwner) {
    this.#owner = owner;
  }

  allocateMany(size: number, count: number, contiguous: number = kContiguousDefault): Uint32Array | undefined {
    const heap = this.#owner.alive();
    const [each, given, run] = [sizeOf(size, 'size'), sizeOf(count, 'count'), sizeOf(contiguous, 'contiguous')];
    if (given === 0) return new Uint32Array(0);
    const chain = beginChain(this.#owner.module);
    const got = this.#owner.module.functions.hg_heap_burst_nodes(
      heap,
      given,
      requestOf(this.#owner.module, each),
      run,
      chain,
    );
    if (got !== 0) return this.#aligned(heap, readChain(this.#owner.module, chain), () => each);
    this.#owner.failed();
    return undefined;
  }

  allocateArrays(
    lengths: ArrayLike<number>,
    objectSize: number,
    contiguous: number = kContiguousDefault,
  ): Uint32Array | undefined {
    const heap = this.#owner.alive();
    const bytes = sizeOf(objectSize, 'objectSize');
    const run = sizeOf(contiguous, 'contiguous');
    const counts = Array.from(listOf(lengths, 'lengths'), (length) => sizeOf(length, 'each of lengths'));
    if (this.#owner.module.align !== kOwnAlign)
      return this.allocateIndependent(counts.map((count) => bytesOfMany(count, bytes)));
    return this.#withWords(counts, 0, (at) => {
      const chain = beginChain(this.#owner.module);
      const got = this.#owner.module.functions.hg_heap_burst_arrays(heap, counts.length, at, bytes, run, chain);
      return got === 0 ? undefined : readChain(this.#owner.module, chain);
    });
  }

  allocateIndependent(sizes: ArrayLike<number>): Uint32Array | undefined {
    const heap = this.#owner.alive();
    const given = Array.from(listOf(sizes, 'sizes'), (size) => sizeOf(size, 'each of sizes'));
    const words = given.map((size) => requestOf(this.#owner.module, size));
    const { functions, views } = this.#owner.module;
    const blocks = this.#withWords(words, words.length, (at) => {
      const to = at + words.length * kWordBytes;
      if (functions.hg_heap_independent_comalloc(heap, words.length, at, to) === 0) return undefined;
      return views.views.u32.slice(to >>> 2, (to >>> 2) + words.length);
    });
    return blocks && this.#aligned(heap, blocks, (i) => given[i] ?? 0);
  }

  callocIndependent(count: number, size: number): Uint32Array | undefined {
    const [given, each] = [sizeOf(count, 'count'), sizeOf(size, 'size')];
    if (given > kMostBytes / kWordBytes) {
      this.#owner.failed('size overflow: the request does not fit in the address space');
      return undefined;
    }
    const blocks = this.allocateIndependent(new Uint32Array(given).fill(each));
    for (const block of blocks ?? []) this.#owner.module.contents.views.u8.fill(0, block, block + each);
    return blocks;
  }

  /** Calls `take` with the address of the words, and of `more` words behind them: scratch memory, or a block for the time. */
  #withWords(
    words: readonly number[],
    more: number,
    take: (at: number) => Uint32Array | undefined,
  ): Uint32Array | undefined {
    const { functions, views, scratch, scratchWords } = this.#owner.module;
    const heap = this.#owner.alive();
    const count = words.length + more;
    if (count === 0) return new Uint32Array(0);
    const borrowed = count > scratchWords ? functions.hg_heap_allocate(heap, count * kWordBytes) >>> 0 : 0;
    if (count > scratchWords && borrowed === 0) {
      this.#owner.failed();
      return undefined;
    }
    const at = borrowed === 0 ? scratch + kScratch.words : borrowed;
    views.views.u32.set(words, at >>> 2);
    const taken = take(at);
    const status = this.#status(heap);
    if (borrowed !== 0) functions.hg_heap_deallocate(heap, borrowed);
    if (taken === undefined) this.#owner.failed(status);
    return taken;
  }

  /** The blocks, if all are aligned (J2); else they are given back and taken one by one. */
  #aligned(heap: number, blocks: Uint32Array, sizeAt: (i: number) => number): Uint32Array | undefined {
    const { align } = this.#owner.module;
    if (align === kOwnAlign || blocks.every((block) => block % align === 0)) return blocks;
    const count = blocks.length;
    this.freeMany(blocks);
    const taken = new Uint32Array(count);
    for (let i = 0; i < count; ++i) {
      taken[i] = takeBlock(this.#owner.module, heap, sizeAt(i));
      if (taken[i] !== 0) continue;
      const status = this.#status(heap);
      this.freeMany(taken.subarray(0, i));
      this.#owner.failed(status);
      return undefined;
    }
    return taken;
  }

  freeMany(addresses: ArrayLike<number>): void {
    const heap = this.#owner.alive();
    const given = listOf(addresses, 'addresses');
    const { functions, checked, proveBlock } = this.#owner.module;
    for (let i = 0; i < given.length; ++i) {
      const address = addressOf(given[i], 'each of addresses');
      if (address !== 0) proveBlock(address, 'one of addresses');
    }
    this.#owner.ended(given);
    // Linking the blocks writes to them; the checked module shall see each as the caller left it.
    if (checked) for (let i = 0; i < given.length; ++i) functions.hg_heap_deallocate(heap, given[i] ?? 0);
    else functions.hg_heap_burst_deallocate(heap, writeChain(this.#owner.module, given));
  }

  #status(heap: number): string {
    return kStatusTexts.get(this.#owner.module.functions.hg_heap_status(heap)) ?? 'unknown status';
  }
}
