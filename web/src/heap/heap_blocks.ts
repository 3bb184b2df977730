// The blocks of one heap: each call of the interface as calls of the C interface. What a function does is documented in
// heap_types.ts; here is how. A heap and a memory pool are this, and more.
//
//   heap.J1  Arguments are checked before anything is done (arguments.ts).
//   heap.J2  With an alignment above the module's own, a request is rounded up so that its chunk is a multiple of it. In a heap
//            of such chunks nearly every block is aligned as it comes; one that is not is given back, and searched for with
//            its alignment. Blocks stay where they are only in place; what moves is copied here.
//   heap.J3  Contents lie in `contents`, which is the module's memory but for a heap over a caller's buffer. Chains, texts and
//            numbers that wasm reads and writes lie in the module's memory.

import {
  CommandFlag,
  kCommandResultLayout,
  kContiguousDefault,
  kHeapStatsLayout,
  kStatusTexts,
} from '../protocol/event_layout.ts';
import { beginChain, readChain, writeChain } from '../wasm/heap_chains.ts';
import { kScratch } from '../wasm/heap_scratch.ts';
import { elementBytes, elementTypeOf, isElementType } from '../wasm/heap_views.ts';
import {
  addressOf,
  alignmentOf,
  badArgument,
  checkOptions,
  isBoolean,
  isSize,
  listOf,
  shown,
  sizeOf,
} from './arguments.ts';
import { HeapArrays } from './heap_arrays.ts';
import { HeapError } from './heap_error.ts';
import type { HeapModule } from './heap_module.ts';
import { createPoolAt, type PoolOwner, WasmPool } from './heap_pool.ts';
import type {
  Command,
  CommandResult,
  ElementType,
  ExpandOptions,
  Expansion,
  HeapBlocks,
  HeapStats,
  Pool,
  PoolOptions,
  TypedArray,
  TypedArrays,
} from './heap_types.ts';

const kWordBytes = 4; // wasm32: a block's header
const kOwnAlign = 8; // of every address the module gives
const kMostBytes = 0xffff_ffff;

export class WasmBlocks implements HeapBlocks {
  readonly module: HeapModule;
  readonly #arrays: HeapArrays;
  readonly #pools = new Set<WasmPool>();
  #heap: number; // address of the hg_heap, 0 when destroyed

  constructor(module: HeapModule, heap: number) {
    this.module = module;
    this.#arrays = new HeapArrays(module.contents);
    this.#heap = heap;
  }

  // ---- the heap itself

  /** Goes on with another hg_heap. pre: the last one was destroyed */
  protected begin(heap: number): void {
    this.#heap = heap;
  }

  protected alive(): number {
    if (this.#heap !== 0) return this.#heap;
    const { death } = this.module;
    if (death === undefined) throw new HeapError('dead', 'the heap was destroyed');
    throw new HeapError('dead', `the heap was destroyed, and its module trapped: ${death.message}`, { cause: death });
  }

  get id(): number {
    return this.module.functions.hg_heap_id(this.alive());
  }
  get memory(): WebAssembly.Memory {
    const { memory } = this.module.contents;
    if ('grow' in memory) return memory as WebAssembly.Memory;
    throw badArgument('this heap is over a buffer and has no memory: ask for heap.buffer');
  }
  get buffer(): ArrayBufferLike {
    return this.module.contents.memory.buffer;
  }
  get status(): string {
    return kStatusTexts.get(this.module.functions.hg_heap_status(this.alive())) ?? 'unknown status';
  }

  get u8(): Uint8Array {
    return this.module.contents.views.u8;
  }
  get i8(): Int8Array {
    return this.module.contents.views.i8;
  }
  get u16(): Uint16Array {
    return this.module.contents.views.u16;
  }
  get i16(): Int16Array {
    return this.module.contents.views.i16;
  }
  get u32(): Uint32Array {
    return this.module.contents.views.u32;
  }
  get i32(): Int32Array {
    return this.module.contents.views.i32;
  }
  get f32(): Float32Array {
    return this.module.contents.views.f32;
  }
  get f64(): Float64Array {
    return this.module.contents.views.f64;
  }
  get u64(): BigUint64Array {
    return this.module.contents.views.u64;
  }
  get i64(): BigInt64Array {
    return this.module.contents.views.i64;
  }

  /** Throws if the heap was made so; else the caller goes on to return 0 or undefined. */
  protected failed(status = this.status): void {
    if (this.module.throwOnOutOfMemory) throw new HeapError('out_of_memory', status);
  }

  /** An address that came from the module, unsigned; 0 counts as a failure. */
  protected got(address: number): number {
    if (address === 0) this.failed();
    return address >>> 0;
  }

  // ---- single blocks

  /** What is asked of the module for so many bytes. J2 */
  #request(size: number): number {
    const { align } = this.module;
    if (align === kOwnAlign) return size;
    return Math.min(kMostBytes, Math.ceil((size + kWordBytes) / align) * align - kWordBytes);
  }

  /** A block for a size that was checked; 0 when memory is out. */
  #take(heap: number, size: number): number {
    const { functions, align } = this.module;
    const request = this.#request(size);
    const block = functions.hg_heap_allocate(heap, request) >>> 0;
    if (align === kOwnAlign || block % align === 0) return block;
    functions.hg_heap_deallocate(heap, block);
    return functions.hg_heap_allocate_aligned(heap, align, request) >>> 0;
  }

  allocate(size: number): number {
    return this.got(this.#take(this.alive(), sizeOf(size, 'size')));
  }

  calloc(count: number, size: number, fill = 0): number {
    const heap = this.alive();
    const { functions, contents, views, align } = this.module;
    const [given, each] = [sizeOf(count, 'count'), sizeOf(size, 'size')];
    if (typeof fill !== 'number') throw badArgument(`fill must be a number, and is ${shown(fill)}`);
    // Zeros that are there already are not written again, which the module alone knows.
    if (fill === 0 && align === kOwnAlign && contents === views) {
      return this.got(functions.hg_heap_allocate_zeroed(heap, given, each));
    }
    const bytes = Math.min(kMostBytes, given * each);
    const block = this.got(this.#take(heap, bytes));
    if (block !== 0) this.u8.fill(fill, block, block + bytes);
    return block;
  }

  reallocate(address: number, size: number): number {
    const heap = this.alive();
    const [from, bytes] = [addressOf(address, 'address'), sizeOf(size, 'size')];
    const moved = this.#resize(heap, from, bytes);
    if (moved !== from) this.#arrays.end(from);
    return bytes === 0 && from !== 0 ? 0 : this.got(moved); // size 0 frees: no failure
  }

  /** The address of the block with its new size; 0 when it was freed or could not be had. */
  #resize(heap: number, from: number, bytes: number): number {
    const { functions, contents, views, align } = this.module;
    if (from === 0) return this.#take(heap, bytes);
    if (bytes === 0 || (align === kOwnAlign && contents === views)) {
      return functions.hg_heap_reallocate(heap, from, bytes) >>> 0;
    }
    if (functions.hg_heap_reallocate_in_place(heap, from, this.#request(bytes)) !== 0) return from;
    const to = this.#take(heap, bytes);
    if (to === 0) return 0;
    this.u8.copyWithin(to, from, from + Math.min(bytes, functions.hg_usable_size(from) >>> 0));
    functions.hg_heap_deallocate(heap, from);
    return to;
  }

  allocateAligned(alignment: number, size: number): number {
    const heap = this.alive();
    const wanted = Math.max(this.module.align, alignmentOf(alignment, 'alignment', 1));
    const request = this.#request(sizeOf(size, 'size'));
    return this.got(this.module.functions.hg_heap_allocate_aligned(heap, wanted, request));
  }

  deallocate(block: number | TypedArray): boolean {
    const heap = this.alive();
    const address = typeof block === 'number' ? addressOf(block, 'address') : this.#arrays.addressOf(block);
    if (address === 0) return false;
    this.module.functions.hg_heap_deallocate(heap, address);
    this.#arrays.end(address);
    return true;
  }

  usableSize(address: number): number {
    return this.module.functions.hg_usable_size(addressOf(address, 'address')) >>> 0;
  }

  // ---- the expansion command

  expand(address: number, options: ExpandOptions): Expansion | undefined {
    checkOptions('expand', options, { minimum: isSize, preferred: isSize, backward: isBoolean, move: isBoolean }, [
      'minimum',
    ]);
    const { minimum, preferred = minimum, backward = false, move = false } = options;
    const heap = this.alive();
    const { align, functions } = this.module;
    const from = addressOf(address, 'address');
    const oldSize = this.usableSize(from);
    // Backward the start moves by multiples of the object: one is as long as blocks are to be aligned.
    const unit = backward && align !== kOwnAlign ? align : 1;
    const result = this.command({
      expandForward: true,
      expandBackward: backward,
      allocateNew: move && align === kOwnAlign,
      objectSize: unit,
      limit: Math.ceil(minimum / unit),
      preferred: Math.ceil(preferred / unit),
      reuse: from,
    });
    const received = result.received * unit;
    if (result.address === from) return { address: from, size: received, how: 'forward' };
    let to = result.address;
    if (to === 0 && move && align !== kOwnAlign)
      to = this.#take(heap, sizeOf(preferred, 'preferred')) || this.#take(heap, minimum);
    if (to === 0) {
      this.failed(result.status);
      return undefined;
    }
    const size = result.address === 0 ? functions.hg_usable_size(to) >>> 0 : received;
    this.u8.copyWithin(to, from, from + Math.min(oldSize, size));
    this.#arrays.end(from);
    if (!result.reused) functions.hg_heap_deallocate(heap, from);
    return { address: to, size, how: result.reused ? 'backward' : 'new' };
  }

  command(command: Command): CommandResult {
    const { functions, views, scratch } = this.module;
    const heap = this.alive();
    const at = scratch + kScratch.commandResult;
    const flags =
      CommandFlag.nothrowAllocation |
      (command.allocateNew ? CommandFlag.allocateNew : 0) |
      (command.expandForward ? CommandFlag.expandFwd : 0) |
      (command.expandBackward ? CommandFlag.expandBwd : 0) |
      (command.shrinkInPlace ? CommandFlag.shrinkInPlace : 0) |
      (command.tryShrinkInPlace ? CommandFlag.tryShrinkInPlace : 0);
    const objectSize = sizeOf(command.objectSize ?? 1, 'objectSize');
    const limit = sizeOf(command.limit, 'limit');
    const preferred = sizeOf(command.preferred, 'preferred');
    functions.hg_heap_command(at, heap, flags, objectSize, limit, preferred, addressOf(command.reuse ?? 0, 'reuse'));
    return {
      address: views.word(at + kCommandResultLayout.mem),
      received: views.word(at + kCommandResultLayout.received),
      reused: views.word(at + kCommandResultLayout.reused) !== 0,
      status: kStatusTexts.get(views.word(at + kCommandResultLayout.status)) ?? 'unknown status',
    };
  }

  // ---- arrays

  mallocAs<E extends ElementType>(type: E, length: number): TypedArrays[E] | undefined {
    const count = sizeOf(length, 'length');
    const address = this.allocate(count * bytesOf(type));
    return address === 0 ? undefined : this.#arrays.make(type, address, count);
  }

  callocAs<E extends ElementType>(type: E, length: number, fill?: TypedArrays[E][number]): TypedArrays[E] | undefined {
    const count = sizeOf(length, 'length');
    const address = this.calloc(count, bytesOf(type));
    if (address === 0) return undefined;
    const array = this.#arrays.make(type, address, count);
    if (fill !== undefined) (array as { fill(value: unknown): unknown }).fill(fill);
    return array;
  }

  reallocArray<T extends TypedArray>(array: T, length: number): T | undefined {
    const from = this.#arrays.addressOf(array);
    const type = elementTypeOf(array);
    const count = sizeOf(length, 'length');
    const bytes = Math.max(1, count * elementBytes(type)); // never 0, which would free
    const address = this.reallocate(from, Math.min(kMostBytes, bytes));
    if (address === 0) return undefined;
    this.#arrays.end(from); // also where it stayed: the old array shall not stand for the new block
    return this.#arrays.make(type, address, count) as T;
  }

  refresh<T extends TypedArray>(array: T): T {
    return this.#arrays.refresh(array);
  }

  // ---- bursts

  allocateMany(size: number, count: number, contiguous: number = kContiguousDefault): Uint32Array | undefined {
    const heap = this.alive();
    const [each, given, run] = [sizeOf(size, 'size'), sizeOf(count, 'count'), sizeOf(contiguous, 'contiguous')];
    if (given === 0) return new Uint32Array(0);
    const chain = beginChain(this.module);
    const got = this.module.functions.hg_heap_burst_nodes(heap, given, this.#request(each), run, chain);
    if (got !== 0) return this.#aligned(heap, readChain(this.module, chain), () => each);
    this.failed();
    return undefined;
  }

  allocateArrays(
    lengths: ArrayLike<number>,
    objectSize: number,
    contiguous: number = kContiguousDefault,
  ): Uint32Array | undefined {
    const heap = this.alive();
    const bytes = sizeOf(objectSize, 'objectSize');
    const run = sizeOf(contiguous, 'contiguous');
    const counts = Array.from(listOf(lengths, 'lengths'), (length) => sizeOf(length, 'each of lengths'));
    if (this.module.align !== kOwnAlign) return this.allocateIndependent(counts.map((count) => count * bytes));
    return this.#withWords(counts, 0, (at) => {
      const chain = beginChain(this.module);
      const got = this.module.functions.hg_heap_burst_arrays(heap, counts.length, at, bytes, run, chain);
      return got === 0 ? undefined : readChain(this.module, chain);
    });
  }

  allocateIndependent(sizes: ArrayLike<number>): Uint32Array | undefined {
    const heap = this.alive();
    const given = Array.from(listOf(sizes, 'sizes'), (size) => sizeOf(size, 'each of sizes'));
    const words = given.map((size) => this.#request(size));
    const { functions, views } = this.module;
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
      this.failed('size overflow: the request does not fit in the address space');
      return undefined;
    }
    const blocks = this.allocateIndependent(new Uint32Array(given).fill(each));
    for (const block of blocks ?? []) this.u8.fill(0, block, block + each);
    return blocks;
  }

  /** Calls `take` with the address of the words, and of `more` words behind them: scratch memory, or a block for the time. */
  #withWords(
    words: readonly number[],
    more: number,
    take: (at: number) => Uint32Array | undefined,
  ): Uint32Array | undefined {
    const { functions, views, scratch, scratchWords } = this.module;
    const heap = this.alive();
    const count = words.length + more;
    if (count === 0) return new Uint32Array(0);
    const borrowed = count > scratchWords ? functions.hg_heap_allocate(heap, count * kWordBytes) >>> 0 : 0;
    if (count > scratchWords && borrowed === 0) {
      this.failed();
      return undefined;
    }
    const at = borrowed === 0 ? scratch + kScratch.words : borrowed;
    views.views.u32.set(words, at >>> 2);
    const taken = take(at);
    const { status } = this;
    if (borrowed !== 0) functions.hg_heap_deallocate(heap, borrowed);
    if (taken === undefined) this.failed(status);
    return taken;
  }

  /** The blocks, if all are aligned (J2); else they are given back and taken one by one. */
  #aligned(heap: number, blocks: Uint32Array, sizeAt: (i: number) => number): Uint32Array | undefined {
    const { align } = this.module;
    if (align === kOwnAlign || blocks.every((block) => block % align === 0)) return blocks;
    const count = blocks.length;
    this.freeMany(blocks);
    const taken = new Uint32Array(count);
    for (let i = 0; i < count; ++i) {
      taken[i] = this.#take(heap, sizeAt(i));
      if (taken[i] !== 0) continue;
      const { status } = this;
      this.freeMany(taken.subarray(0, i));
      this.failed(status);
      return undefined;
    }
    return taken;
  }

  freeMany(addresses: ArrayLike<number>): void {
    const heap = this.alive();
    const given = listOf(addresses, 'addresses');
    for (let i = 0; i < given.length; ++i) addressOf(given[i], 'each of addresses');
    this.#arrays.endMany(given);
    const { functions, checked } = this.module;
    // Linking the blocks writes to them; the checked module shall see each as the caller left it.
    if (checked) for (let i = 0; i < given.length; ++i) functions.hg_heap_deallocate(heap, given[i] ?? 0);
    else functions.hg_heap_burst_deallocate(heap, writeChain(this.module, given));
  }

  // ---- pools

  createPool(options: PoolOptions): Pool | undefined {
    const owner: PoolOwner = {
      module: this.module,
      failed: () => this.failed(),
      ended: (ended) => this.#pools.delete(ended),
    };
    const pool = createPoolAt(this.module, this.alive(), options);
    if (pool === 0) {
      this.failed();
      return undefined;
    }
    const made = new WasmPool(owner, pool);
    this.#pools.add(made);
    return made;
  }

  // ---- looking inside, and the end

  stats(): HeapStats {
    const { functions, views, scratch } = this.module;
    const at = scratch + kScratch.stats;
    functions.hg_heap_get_stats(this.alive(), at);
    const footprint = views.word(at + kHeapStatsLayout.footprint);
    const freeBytes = views.word(at + kHeapStatsLayout.freeBytes);
    const spare = this.module.spareBytes();
    return {
      total: footprint + spare,
      available: freeBytes + spare,
      footprint,
      peakFootprint: views.word(at + kHeapStatsLayout.peakFootprint),
      inUse: views.word(at + kHeapStatsLayout.inUse),
      freeBytes,
      largestFree: views.word(at + kHeapStatsLayout.largestFree),
      chunksInUse: views.word(at + kHeapStatsLayout.chunksInUse),
      chunksFree: views.word(at + kHeapStatsLayout.chunksFree),
      topBytes: views.word(at + kHeapStatsLayout.topBytes),
      segments: views.word(at + kHeapStatsLayout.segments),
    };
  }

  check(): string | undefined {
    const broken = this.module.functions.hg_heap_check(this.alive()) >>> 0;
    return broken === 0 ? undefined : this.module.views.text(broken);
  }

  trim(pad = 0): number {
    return this.module.functions.hg_heap_trim(this.alive(), sizeOf(pad, 'pad')) >>> 0;
  }

  on(event: 'grow', listener: (bytes: number) => void): () => void {
    if (event !== 'grow') throw badArgument(`a heap has no event ${shown(event)}; it has 'grow'`);
    if (typeof listener !== 'function') throw badArgument(`a listener must be a function, and is ${shown(listener)}`);
    const own = (bytes: number) => listener(bytes); // the same listener may be given twice
    this.module.growListeners.add(own);
    return () => this.module.growListeners.delete(own);
  }

  /** Ends the hg_heap itself. */
  protected end(heap: number): void {
    this.module.functions.hg_heap_destroy(heap);
  }

  destroy(): void {
    const heap = this.alive();
    if (this.module.leave !== undefined) this.module.leave();
    else this.end(heap);
    this.#heap = 0;
    this.#arrays.endAll();
    for (const pool of this.#pools) pool.forget();
    this.#pools.clear();
  }

  [Symbol.dispose](): void {
    // What killed the module is on its way to the caller; a second error about it would stand in front of it.
    if (this.#heap !== 0 && this.module.death === undefined) this.destroy();
  }
}

function bytesOf(type: ElementType): number {
  if (isElementType(type)) return elementBytes(type);
  throw badArgument(`there is no element type ${shown(type)}; there are u8 to u64, i8 to i64, f32, f64`);
}
