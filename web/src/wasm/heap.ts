// createHeap(): the wasm heap for JavaScript. What each function does is documented in heap_types.ts; here is how.

import {
  CommandFlag,
  kCommandResultLayout,
  kContiguousDefault,
  kHeapStatsLayout,
  kStatusTexts,
} from '../protocol/event_layout.ts';
import { encodeTraceFile } from '../trace/trace_file.ts';
import { HeapArrays } from './heap_arrays.ts';
import { beginChain, readChain, writeChain } from './heap_chains.ts';
import { HeapError } from './heap_error.ts';
import { type HeapModule, loadHeapModule } from './heap_module.ts';
import { createPoolAt, type PoolOwner, WasmPool } from './heap_pool.ts';
import { kScratch, kScratchWords } from './heap_scratch.ts';
import { toSize } from './heap_sizes.ts';
import type {
  Command,
  CommandResult,
  ElementType,
  ExpandOptions,
  Expansion,
  Heap,
  HeapOptions,
  HeapStats,
  Pool,
  PoolOptions,
  TracedHeap,
  TypedArray,
  TypedArrays,
} from './heap_types.ts';
import { elementBytes, elementTypeOf } from './heap_views.ts';

const kWordBytes = 4; // wasm32

/**
 * A heap in a new WebAssembly memory, for Node, pages and workers.
 *
 * Loads the package's wasm module (some kilobytes) unless `options.wasm` gives another. Rejects with a HeapError
 * (`no_module`) when the module cannot be loaded, (`out_of_memory`) when not even an empty heap fits.
 *
 * @example
 * const heap = await createHeap();
 * const block = heap.allocate(100);
 * heap.u8.fill(0, block, block + 100);
 * heap.deallocate(block);
 */
export function createHeap(options: HeapOptions & { readonly trace: true }): Promise<TracedHeap>;
export function createHeap(options?: HeapOptions): Promise<Heap>;
export async function createHeap(options: HeapOptions = {}): Promise<Heap> {
  const module = await loadHeapModule(options);
  const heap = module.functions.hg_heap_create() >>> 0;
  if (heap === 0) throw new HeapError('out_of_memory', 'out of memory: no heap can be made');
  return module.recorder === undefined ? new WasmHeap(module, heap) : new TracedWasmHeap(module, heap);
}

class WasmHeap implements Heap {
  readonly module: HeapModule;
  readonly #arrays: HeapArrays;
  readonly #pools = new Set<WasmPool>();
  #heap: number; // address of the hg_heap, 0 when destroyed

  constructor(module: HeapModule, heap: number) {
    this.module = module;
    this.#arrays = new HeapArrays(module.views);
    this.#heap = heap;
  }

  // ---- the heap itself

  protected alive(): number {
    if (this.#heap === 0) throw new HeapError('dead', 'the heap was destroyed');
    return this.#heap;
  }

  get id(): number {
    return this.module.functions.hg_heap_id(this.alive());
  }
  get memory(): WebAssembly.Memory {
    return this.module.views.memory;
  }
  get status(): string {
    return kStatusTexts.get(this.module.functions.hg_heap_status(this.alive())) ?? 'unknown status';
  }

  get u8(): Uint8Array {
    return this.module.views.views.u8;
  }
  get i8(): Int8Array {
    return this.module.views.views.i8;
  }
  get u16(): Uint16Array {
    return this.module.views.views.u16;
  }
  get i16(): Int16Array {
    return this.module.views.views.i16;
  }
  get u32(): Uint32Array {
    return this.module.views.views.u32;
  }
  get i32(): Int32Array {
    return this.module.views.views.i32;
  }
  get f32(): Float32Array {
    return this.module.views.views.f32;
  }
  get f64(): Float64Array {
    return this.module.views.views.f64;
  }
  get u64(): BigUint64Array {
    return this.module.views.views.u64;
  }
  get i64(): BigInt64Array {
    return this.module.views.views.i64;
  }

  /** Throws if the heap was made so; else the caller goes on to return 0 or undefined. */
  #failed(status = this.status): void {
    if (this.module.throwOnOutOfMemory) throw new HeapError('out_of_memory', status);
  }

  /** An address that came from the module, unsigned; 0 counts as a failure. */
  #got(address: number): number {
    if (address === 0) this.#failed();
    return address >>> 0;
  }

  // ---- single blocks

  allocate(size: number): number {
    return this.#got(this.module.functions.hg_heap_allocate(this.alive(), toSize(size)));
  }

  calloc(count: number, size: number): number {
    return this.#got(this.module.functions.hg_heap_allocate_zeroed(this.alive(), toSize(count), toSize(size)));
  }

  reallocate(address: number, size: number): number {
    const moved = this.module.functions.hg_heap_reallocate(this.alive(), address, toSize(size));
    return size === 0 ? 0 : this.#got(moved); // size 0 frees: no failure
  }

  allocateAligned(alignment: number, size: number): number {
    return this.#got(this.module.functions.hg_heap_allocate_aligned(this.alive(), toSize(alignment), toSize(size)));
  }

  deallocate(block: number | TypedArray): void {
    if (typeof block === 'number') {
      this.module.functions.hg_heap_deallocate(this.alive(), block);
      return;
    }
    this.module.functions.hg_heap_deallocate(this.alive(), this.#arrays.addressOf(block));
    this.#arrays.forget(block);
  }

  usableSize(address: number): number {
    return this.module.functions.hg_usable_size(address) >>> 0;
  }

  // ---- the expansion command

  expand(address: number, { minimum, preferred = minimum, backward, move }: ExpandOptions): Expansion | undefined {
    const oldSize = this.usableSize(address);
    const result = this.command({
      expandForward: true,
      expandBackward: backward ?? false,
      allocateNew: move ?? false,
      limit: minimum,
      preferred,
      reuse: address,
    });
    if (result.address === 0) {
      this.#failed();
      return undefined;
    }
    if (result.address === address) return { address, size: result.received, how: 'forward' };
    const kept = Math.min(oldSize, result.received);
    this.u8.copyWithin(result.address, address, address + kept);
    if (!result.reused) this.deallocate(address);
    return { address: result.address, size: result.received, how: result.reused ? 'backward' : 'new' };
  }

  command(command: Command): CommandResult {
    const { functions, views, scratch } = this.module;
    const at = scratch + kScratch.commandResult;
    const flags =
      CommandFlag.nothrowAllocation |
      (command.allocateNew ? CommandFlag.allocateNew : 0) |
      (command.expandForward ? CommandFlag.expandFwd : 0) |
      (command.expandBackward ? CommandFlag.expandBwd : 0) |
      (command.shrinkInPlace ? CommandFlag.shrinkInPlace : 0) |
      (command.tryShrinkInPlace ? CommandFlag.tryShrinkInPlace : 0);
    const { objectSize = 1, limit, preferred, reuse = 0 } = command;
    functions.hg_heap_command(at, this.alive(), flags, toSize(objectSize), toSize(limit), toSize(preferred), reuse);
    return {
      address: views.word(at + kCommandResultLayout.mem),
      received: views.word(at + kCommandResultLayout.received),
      reused: views.word(at + kCommandResultLayout.reused) !== 0,
      status: kStatusTexts.get(views.word(at + kCommandResultLayout.status)) ?? 'unknown status',
    };
  }

  // ---- arrays

  mallocAs<E extends ElementType>(type: E, length: number): TypedArrays[E] | undefined {
    const address = this.allocate(length * elementBytes(type));
    return address === 0 ? undefined : this.#arrays.make(type, address, length);
  }

  callocAs<E extends ElementType>(type: E, length: number): TypedArrays[E] | undefined {
    const address = this.calloc(length, elementBytes(type));
    return address === 0 ? undefined : this.#arrays.make(type, address, length);
  }

  reallocArray<T extends TypedArray>(array: T, length: number): T | undefined {
    const type = elementTypeOf(array);
    const bytes = Math.max(1, length * elementBytes(type)); // never 0, which would free
    const address = this.reallocate(this.#arrays.addressOf(array), bytes);
    if (address === 0) return undefined;
    this.#arrays.forget(array);
    return this.#arrays.make(type, address, length) as T;
  }

  refresh<T extends TypedArray>(array: T): T {
    return this.#arrays.refresh(array);
  }

  // ---- bursts

  allocateMany(size: number, count: number, contiguous: number = kContiguousDefault): Uint32Array | undefined {
    const heap = this.alive();
    if (count === 0) return new Uint32Array(0);
    const { functions } = this.module;
    const chain = beginChain(this.module);
    const got = functions.hg_heap_burst_nodes(heap, toSize(count), toSize(size), toSize(contiguous), chain);
    if (got !== 0) return readChain(this.module, chain);
    this.#failed();
    return undefined;
  }

  allocateArrays(
    lengths: ArrayLike<number>,
    objectSize: number,
    contiguous: number = kContiguousDefault,
  ): Uint32Array | undefined {
    const heap = this.alive();
    const count = lengths.length;
    if (count === 0) return new Uint32Array(0);
    const { functions, scratch } = this.module;
    // Many lengths need a block of their own for the time of the call.
    const borrowed = count > kScratchWords ? this.allocate(count * 4) : 0;
    if (count > kScratchWords && borrowed === 0) return undefined;
    const at = borrowed === 0 ? scratch + kScratch.words : borrowed;
    this.u32.set(Uint32Array.from(lengths, toSize), at >>> 2);
    const chain = beginChain(this.module);
    const got = functions.hg_heap_burst_arrays(heap, count, at, toSize(objectSize), toSize(contiguous), chain);
    const addresses = got === 0 ? undefined : readChain(this.module, chain);
    const { status } = this;
    if (borrowed !== 0) this.deallocate(borrowed);
    if (addresses === undefined) this.#failed(status);
    return addresses;
  }

  freeMany(addresses: ArrayLike<number>): void {
    const heap = this.alive();
    const { functions, variant } = this.module;
    // Linking the blocks writes to them; the checked module shall see each as the caller left it.
    if (variant === 'checked') for (let i = 0; i < addresses.length; ++i) this.deallocate(addresses[i] ?? 0);
    else functions.hg_heap_burst_deallocate(heap, writeChain(this.module, addresses));
  }

  // ---- pools and other heaps

  createPool(options: PoolOptions): Pool | undefined {
    const pool = createPoolAt(this.module, this.alive(), options);
    if (pool === 0) {
      this.#failed();
      return undefined;
    }
    const owner: PoolOwner = {
      module: this.module,
      failed: () => this.#failed(),
      ended: (ended) => this.#pools.delete(ended),
    };
    const made = new WasmPool(owner, pool);
    this.#pools.add(made);
    return made;
  }

  createHeap(): this | undefined {
    this.alive();
    const heap = this.#got(this.module.functions.hg_heap_create());
    return heap === 0 ? undefined : (new (this.constructor as typeof WasmHeap)(this.module, heap) as this);
  }

  // ---- looking inside, and the end

  stats(): HeapStats {
    const { functions, views, scratch } = this.module;
    const at = scratch + kScratch.stats;
    functions.hg_heap_get_stats(this.alive(), at);
    return {
      footprint: views.word(at + kHeapStatsLayout.footprint),
      peakFootprint: views.word(at + kHeapStatsLayout.peakFootprint),
      inUse: views.word(at + kHeapStatsLayout.inUse),
      freeBytes: views.word(at + kHeapStatsLayout.freeBytes),
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
    return this.module.functions.hg_heap_trim(this.alive(), toSize(pad)) >>> 0;
  }

  on(event: 'grow', listener: (bytes: number) => void): () => void {
    if (event !== 'grow') throw new TypeError(`a heap has no event '${String(event)}'`);
    const own = (bytes: number) => listener(bytes); // the same listener may be given twice
    this.module.growListeners.add(own);
    return () => this.module.growListeners.delete(own);
  }

  freeAll(): void {
    this.destroy();
    const heap = this.module.functions.hg_heap_create() >>> 0;
    if (heap === 0) throw new HeapError('out_of_memory', 'out of memory: no heap can be made');
    this.#heap = heap;
  }

  destroy(): void {
    this.module.functions.hg_heap_destroy(this.alive());
    this.#heap = 0;
    for (const pool of this.#pools) pool.forget();
    this.#pools.clear();
  }

  [Symbol.dispose](): void {
    if (this.#heap !== 0) this.destroy();
  }
}

/** The same over the trace module. */
class TracedWasmHeap extends WasmHeap implements TracedHeap {
  get #recorder() {
    const { recorder } = this.module;
    if (recorder === undefined) throw new HeapError('no_module', 'the module writes no events');
    return recorder;
  }

  get eventCount(): number {
    return this.#recorder.trace.count;
  }

  events(from = 0): Uint8Array<ArrayBuffer> {
    return this.#recorder.records(from);
  }

  trace(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(encodeTraceFile(this.#recorder.trace, kWordBytes, {}));
  }

  mark(code: number, a = 0, b = 0, c = 0): void {
    this.module.functions.hg_trace_mark(this.alive(), code, a, b, c);
  }

  checkpoint(): void {
    this.module.functions.hg_trace_checkpoint(this.alive());
  }
}
