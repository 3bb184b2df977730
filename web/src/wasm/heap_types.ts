/// <reference lib="esnext.disposable" preserve="true" />
// The JavaScript heap as its users see it: types and their documentation only.
//
// Addresses are plain numbers, offsets in `heap.memory`; 0 is no address. Sizes are bytes. Failing to find memory is
// an answer (0 or undefined), not an exception, unless the heap was made with `throwOnOutOfMemory`.

import type { ElementType, TypedArray, TypedArrays } from './heap_views.ts';

export type { ElementType, TypedArray, TypedArrays };

/** Where the wasm module comes from when not from beside this script. */
export type WasmSource = URL | string | BufferSource | WebAssembly.Module | Response;

export interface HeapOptions {
  /**
   * The module: an address, its bytes, a compiled module or a response. Default: the file of the package. Strings are
   * resolved against the page or, in Node, the working directory.
   */
  readonly wasm?: WasmSource | Promise<Response>;
  /** The module that writes events, see {@link TracedHeap}. Default false. */
  readonly trace?: boolean;
  /** The module that checks every call and names mistakes (double free, foreign pointer ...). Slower. Default false. */
  readonly checked?: boolean;
  /** Throw a HeapError with code `out_of_memory` where 0 or undefined would be returned. Default false. */
  readonly throwOnOutOfMemory?: boolean;
}

export interface HeapStats {
  /** Bytes held from linear memory, and the most ever held. */
  readonly footprint: number;
  readonly peakFootprint: number;
  /** Bytes of chunks in use, one header word each included. */
  readonly inUse: number;
  readonly freeBytes: number;
  readonly largestFree: number;
  readonly chunksInUse: number;
  readonly chunksFree: number;
  /** Bytes of the free chunk at the end of the newest segment. */
  readonly topBytes: number;
  readonly segments: number;
}

export interface ExpandOptions {
  /** Bytes the block must have afterwards. */
  readonly minimum: number;
  /** Bytes wished for, at least `minimum`. Default: `minimum`. */
  readonly preferred?: number;
  /** May the start of the block move down into a free neighbour? The contents move with it. Default false. */
  readonly backward?: boolean;
  /** May the contents go to a new block when the old place is too small? Default false. */
  readonly move?: boolean;
}

export interface Expansion {
  /** Where the block begins now. */
  readonly address: number;
  /** Bytes it has now: `minimum` or more. */
  readonly size: number;
  /** What happened: `forward` kept the address, `backward` lowered it, `new` freed the old block. */
  readonly how: 'forward' | 'backward' | 'new';
}

/** The expansion command as the C interface has it; counts are in objects of `objectSize` bytes. */
export interface Command {
  readonly allocateNew?: boolean;
  readonly expandForward?: boolean;
  readonly expandBackward?: boolean;
  readonly shrinkInPlace?: boolean;
  readonly tryShrinkInPlace?: boolean;
  /** Default 1. */
  readonly objectSize?: number;
  /** Least acceptable count (for a shrink: most). */
  readonly limit: number;
  readonly preferred: number;
  /** The block to expand or shrink. Default: none. */
  readonly reuse?: number;
}

export interface CommandResult {
  /** The block, 0 on failure. */
  readonly address: number;
  /** Objects it holds; on failure a limit that a new call could meet, 0 if none. */
  readonly received: number;
  /** True: `reuse`, expanded or shrunk. After backward expansion the old contents still lie at the old address. */
  readonly reused: boolean;
  /** `ok` or why it failed. */
  readonly status: string;
}

export interface PoolOptions {
  /** Bytes of a node. */
  readonly nodeSize: number;
  /**
   * `adaptive`: blocks of aligned sub-blocks, fullest first, empty ones given back; `aligned_only`: the same with the
   * block's own alignment; `segregated`: one free list, the fastest, blocks kept until `trim`. Default `adaptive`.
   */
  readonly shape?: 'adaptive' | 'aligned_only' | 'segregated';
  /** Nodes wished for per block. Default 256. */
  readonly nodesPerBlock?: number;
  /** Wholly free blocks kept before one is given back. Default 2. */
  readonly maxFreeBlocks?: number;
  /** Most header bytes per block, in percent. Default 5. */
  readonly overheadPercent?: number;
}

export interface PoolStats {
  readonly nodeSize: number;
  readonly nodesPerBlock: number;
  readonly blockBytes: number;
  readonly subBlockBytes: number;
  readonly subBlocks: number;
  readonly blocks: number;
  readonly freeBlocks: number;
  readonly nodesInUse: number;
  readonly nodesFree: number;
}

/** Equal nodes on a heap. */
export interface Pool {
  /** The pool's number in events. */
  readonly id: number;
  /** One node, or 0 when memory is out. O(1) but for a new block. */
  allocate(): number;
  /** Gives a node back. O(log blocks), segregated O(1). */
  deallocate(node: number): void;
  /** `count` nodes by one call, or undefined and no change. O(count). */
  allocateMany(count: number): Uint32Array | undefined;
  /** Gives nodes back by one call. O(count). */
  freeMany(nodes: ArrayLike<number>): void;
  /** Gives wholly free blocks back to the heap; how many. */
  trim(): number;
  stats(): PoolStats;
  /** Gives all blocks back, nodes in use included. Later calls throw a HeapError (`dead`). */
  destroy(): void;
  [Symbol.dispose](): void;
}

/** A heap in WebAssembly memory. Made by `createHeap()`. */
export interface Heap {
  /** The heap's number in events, 1 to 255. */
  readonly id: number;
  readonly memory: WebAssembly.Memory;
  /** Why the last call gave what it gave, `ok` when it worked. */
  readonly status: string;

  /** All of memory as bytes, words ...: always of the current buffer. Do not keep one across a call that may grow it. */
  readonly u8: Uint8Array;
  readonly i8: Int8Array;
  readonly u16: Uint16Array;
  readonly i16: Int16Array;
  readonly u32: Uint32Array;
  readonly i32: Int32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly u64: BigUint64Array;
  readonly i64: BigInt64Array;

  /**
   * A block of at least `size` bytes (0 counts as 1), aligned to 8. Returns 0 when memory is out or `size` is no size.
   * Bounded time but for growth. Events: bin_searched, chunk_split, chunk_taken ...
   * @example const text = heap.allocate(100);
   */
  allocate(size: number): number;
  /** `count * size` zeroed bytes; 0 on overflow or when memory is out. */
  calloc(count: number, size: number): number;
  /** The same block with another size, in place or moved. 0 on failure, and then the old block stays. */
  reallocate(address: number, size: number): number;
  /** As `allocate`, at a multiple of `alignment`, a power of two. Freed like any other. */
  allocateAligned(alignment: number, size: number): number;
  /** Gives a block back: an address (0: nothing) or an array from `mallocAs`. Bounded time. */
  deallocate(block: number | TypedArray): void;
  /** Bytes that may be used at an address: what was asked or a little more. O(1). */
  usableSize(address: number): number;

  /**
   * Expands a block, keeping its contents at its start: in place if it can, never by surprise. Undefined when
   * `minimum` cannot be had by the allowed ways; the block is then as it was.
   * Bounded time, plus copying when the start moves.
   * @example
   * const more = heap.expand(block, { minimum: used + 1, preferred: used * 2, move: true });
   * if (more) block = more.address;
   */
  expand(address: number, options: ExpandOptions): Expansion | undefined;
  /** The raw command of the C interface: every combination, no byte moved, nothing freed. See docs/memory_layout.md. */
  command(command: Command): CommandResult;

  /**
   * An array of `length` elements in a block of its own, or undefined. The view detaches when memory grows:
   * {@link Heap.refresh} gives the current one.
   * @example const points = heap.mallocAs('f32', 3 * count);
   */
  mallocAs<E extends ElementType>(type: E, length: number): TypedArrays[E] | undefined;
  /** `mallocAs`, zeroed. */
  callocAs<E extends ElementType>(type: E, length: number): TypedArrays[E] | undefined;
  /** The array with another length, contents kept up to the shorter one; undefined on failure, and the old one stays. */
  reallocArray<T extends TypedArray>(array: T, length: number): T | undefined;
  /** The same array over the current buffer: the array itself while it is not detached. */
  refresh<T extends TypedArray>(array: T): T;

  /**
   * `count` blocks of `size` bytes by one call and one search per run of neighbours, each freed on its own or by
   * `freeMany`. All or nothing: undefined when memory is out. `contiguous`: most blocks per run (default: 4 KiB worth).
   * @example const cells = heap.allocateMany(24, 1000) ?? [];
   */
  allocateMany(size: number, count: number, contiguous?: number): Uint32Array | undefined;
  /** One block per entry of `lengths`, in objects of `objectSize` bytes. All or nothing. */
  allocateArrays(lengths: ArrayLike<number>, objectSize: number, contiguous?: number): Uint32Array | undefined;
  /** Gives many blocks of this heap back by one call. Each may come from any function. O(blocks). */
  freeMany(addresses: ArrayLike<number>): void;

  /** A pool of equal nodes on this heap; undefined when memory is out or an option is out of range (see `status`). */
  createPool(options: PoolOptions): Pool | undefined;
  /** Another heap in the same linear memory, with the same options; undefined when memory is out or 255 heaps live. */
  createHeap(): this | undefined;

  /** Counted by a walk: O(chunks). */
  stats(): HeapStats;
  /** Proves every invariant of the heap and its pools: undefined, or the broken one in words. O(chunks + nodes). */
  check(): string | undefined;
  /** Gives free pages at the ends of segments back for other heaps, keeping `pad` bytes of top. Bytes given. */
  trim(pad?: number): number;

  /** Calls `listener` soon after linear memory grew (in a microtask, once per growth). Returns a function that ends it. */
  on(event: 'grow', listener: (bytes: number) => void): () => void;

  /** Frees every block and pool at once and goes on with an empty heap. */
  freeAll(): void;
  /** Ends the heap; all its memory serves other heaps of the module. Later calls throw a HeapError (`dead`). */
  destroy(): void;
  /** `using heap = await createHeap()` destroys it at the end of the scope. */
  [Symbol.dispose](): void;
}

/** A heap whose module writes events: everything that happened since `createHeap({ trace: true })`, nothing lost. */
export interface TracedHeap extends Heap {
  /** Events so far, of all heaps of the module. */
  readonly eventCount: number;
  /** Their records, 16 bytes each (docs/trace_format.md), from event number `from` on. Default: all. */
  events(from?: number): Uint8Array<ArrayBuffer>;
  /** A trace file: what `heapglass/trace` reads and `<hg-heap-map>` shows. O(events). */
  trace(): Uint8Array<ArrayBuffer>;
  /** Writes a mark that readers show at this place. */
  mark(code: number, a?: number, b?: number, c?: number): void;
  /** Writes a checkpoint: the hash of a walk of the real heap, for readers to compare with. O(chunks). */
  checkpoint(): void;
}
