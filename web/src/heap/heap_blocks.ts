// The blocks of one heap: each call of the interface as calls of the C interface. What a function does is documented in
// heap_types.ts; here is how. A heap and a memory pool are this, and more.
//
//   heap.J1  Arguments are checked before anything is done (arguments.ts).
//   heap.J2  With an alignment above the module's own, a request is rounded up so that its chunk is a multiple of it. In a heap
//            of such chunks nearly every block is aligned as it comes; one that is not is given back, and searched for with
//            its alignment. Blocks stay where they are only in place; what moves is copied here.
//   heap.J3  Contents lie in `contents`, which is the module's memory but for a heap over a caller's buffer. Chains, texts and
//            numbers that wasm reads and writes lie in the module's memory.
//
// Over 300 lines: one class, a few lines for each call of the public interface.

import { kStatusTexts } from '../protocol/event_layout.ts';
import { elementBytes, elementTypeOf, isElementType } from '../wasm/heap_views.ts';
import {
  addressOf,
  alignmentOf,
  badArgument,
  bytesOfMany,
  checkOptions,
  isBoolean,
  isSize,
  shown,
  sizeOf,
} from './arguments.ts';
import { kOwnAlign, requestOf, resizeBlock, takeBlock } from './block_requests.ts';
import { HeapArrays } from './heap_arrays.ts';
import { HeapBursts } from './heap_bursts.ts';
import { checkCommand, runCommand } from './heap_command.ts';
import { discardFreePages } from './heap_discard.ts';
import { HeapError } from './heap_error.ts';
import type { Handle, HandleRecord, HeapModule } from './heap_module.ts';
import { createPoolAt, type PoolOwner, WasmPool } from './heap_pool.ts';
import { readStats } from './heap_stats.ts';
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

export class WasmBlocks implements HeapBlocks, Handle {
  readonly module: HeapModule;
  readonly #arrays: HeapArrays;
  readonly #bursts: HeapBursts;
  readonly #pools = new Set<WasmPool>();
  #heap: number; // address of the hg_heap, 0 when destroyed

  constructor(module: HeapModule, heap: number) {
    this.module = module;
    this.#arrays = new HeapArrays(module.contents);
    this.#bursts = new HeapBursts({
      module,
      alive: () => this.alive(),
      failed: (status) => this.failed(status),
      ended: (addresses) => this.#arrays.endMany(addresses),
    });
    this.#heap = heap;
    module.handles.add(this);
  }

  // ---- the heap itself

  /** Goes on with another hg_heap. pre: the last one was destroyed */
  protected begin(heap: number): void {
    this.#heap = heap;
    this.module.handles.add(this);
  }

  get address(): number {
    return this.#heap;
  }

  get record(): HandleRecord {
    return { heap: this.#heap, pools: Array.from(this.#pools, ({ address }) => address) };
  }

  keep(): () => void {
    const heap = this.#heap;
    const putArraysBack = this.#arrays.keep();
    const pools = Array.from(this.#pools, (pool) => ({ pool, address: pool.address }));
    return () => {
      this.#heap = heap;
      putArraysBack();
      this.#forgetPools();
      for (const { pool, address } of pools) {
        pool.revive(address);
        this.#pools.add(pool);
      }
    };
  }

  forget(): void {
    this.module.handles.delete(this);
    this.#heap = 0;
    this.#arrays.endAll();
    this.#forgetPools();
  }

  #forgetPools(): void {
    for (const pool of this.#pools) pool.forget();
    this.#pools.clear();
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

  allocate(size: number): number {
    return this.got(takeBlock(this.module, this.alive(), sizeOf(size, 'size')));
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
    const bytes = bytesOfMany(given, each);
    const block = this.got(takeBlock(this.module, heap, bytes));
    if (block !== 0) this.u8.fill(fill, block, block + bytes);
    return block;
  }

  reallocate(address: number, size: number): number {
    const heap = this.alive();
    const [from, bytes] = [this.#blockAt(address, 'address'), sizeOf(size, 'size')];
    const moved = resizeBlock(this.module, heap, from, bytes);
    const failed = moved === 0 && bytes !== 0; // then the block stays, and its array
    if (moved !== from && !failed) this.#arrays.end(from);
    return bytes === 0 && from !== 0 ? 0 : this.got(moved); // size 0 frees: no failure
  }

  allocateAligned(alignment: number, size: number): number {
    const heap = this.alive();
    const wanted = Math.max(this.module.align, alignmentOf(alignment, 'alignment', 1));
    const request = requestOf(this.module, sizeOf(size, 'size'));
    return this.got(this.module.functions.hg_heap_allocate_aligned(heap, wanted, request));
  }

  deallocate(block: number | TypedArray): boolean {
    const heap = this.alive();
    const address = typeof block === 'number' ? this.#blockAt(block, 'address') : this.#arrays.addressOf(block);
    if (address === 0) return false;
    this.module.functions.hg_heap_deallocate(heap, address);
    this.#arrays.end(address);
    return true;
  }

  usableSize(address: number): number {
    return this.module.functions.hg_usable_size(this.#blockAt(address, 'address')) >>> 0;
  }

  /** A caller's address of a block in use, or 0. */
  #blockAt(value: unknown, name: string): number {
    const address = addressOf(value, name);
    if (address !== 0) this.module.proveBlock(address, name);
    return address;
  }

  // ---- the expansion command

  expand(address: number, options: ExpandOptions): Expansion | undefined {
    checkOptions('expand', options, { minimum: isSize, preferred: isSize, backward: isBoolean, move: isBoolean }, [
      'minimum',
    ]);
    const { minimum, preferred = minimum, backward = false, move = false } = options;
    if (sizeOf(preferred, 'preferred') < sizeOf(minimum, 'minimum')) {
      throw badArgument(`expand: preferred is ${preferred}, less than minimum, which is ${minimum}`);
    }
    const heap = this.alive();
    const { align, functions } = this.module;
    const from = this.#blockAt(address, 'address');
    const oldSize = functions.hg_usable_size(from) >>> 0;
    // Backward the start moves by multiples of the object: one is as long as blocks are to be aligned.
    const unit = backward && align !== kOwnAlign ? align : 1;
    const result = runCommand(this.module, heap, {
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
      to = takeBlock(this.module, heap, preferred) || takeBlock(this.module, heap, minimum);
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
    checkCommand(command);
    this.#blockAt(command.reuse ?? 0, 'reuse');
    return runCommand(this.module, this.alive(), command);
  }

  // ---- arrays

  mallocAs<E extends ElementType>(type: E, length: number): TypedArrays[E] | undefined {
    const count = sizeOf(length, 'length');
    const address = this.allocate(bytesOfMany(count, bytesOf(type)));
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
    const bytes = Math.max(1, bytesOfMany(count, elementBytes(type))); // never 0, which would free
    const address = this.reallocate(from, bytes);
    if (address === 0) return undefined;
    this.#arrays.end(from); // also where it stayed: the old array shall not stand for the new block
    return this.#arrays.make(type, address, count) as T;
  }

  refresh<T extends TypedArray>(array: T): T {
    return this.#arrays.refresh(array);
  }

  // ---- bursts

  allocateMany(size: number, count: number, contiguous?: number): Uint32Array | undefined {
    return this.#bursts.allocateMany(size, count, contiguous);
  }

  allocateArrays(lengths: ArrayLike<number>, objectSize: number, contiguous?: number): Uint32Array | undefined {
    return this.#bursts.allocateArrays(lengths, objectSize, contiguous);
  }

  allocateIndependent(sizes: ArrayLike<number>): Uint32Array | undefined {
    return this.#bursts.allocateIndependent(sizes);
  }

  callocIndependent(count: number, size: number): Uint32Array | undefined {
    return this.#bursts.callocIndependent(count, size);
  }

  freeMany(addresses: ArrayLike<number>): void {
    this.#bursts.freeMany(addresses);
  }

  // ---- pools

  createPool(options: PoolOptions): Pool | undefined {
    const pool = createPoolAt(this.module, this.alive(), options);
    if (pool === 0) {
      this.failed();
      return undefined;
    }
    return this.poolAt(pool);
  }

  /** The handle of a pool that is there. */
  poolAt(address: number): Pool {
    const owner: PoolOwner = {
      module: this.module,
      failed: () => this.failed(),
      ended: (ended) => this.#pools.delete(ended),
    };
    const made = new WasmPool(owner, address);
    this.#pools.add(made);
    return made;
  }

  get pools(): readonly Pool[] {
    this.alive();
    return [...this.#pools];
  }

  // ---- looking inside, and the end

  stats(): HeapStats {
    return readStats(this.module, this.alive());
  }

  check(): string | undefined {
    const broken = this.module.functions.hg_heap_check(this.alive()) >>> 0;
    return broken === 0 ? undefined : this.module.views.text(broken);
  }

  trim(pad = 0): number {
    const bytes = this.module.functions.hg_heap_trim(this.alive(), sizeOf(pad, 'pad')) >>> 0;
    discardFreePages(this.module);
    return bytes;
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
    this.forget();
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
