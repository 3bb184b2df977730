/// <reference lib="esnext.disposable" preserve="true" />
// The JavaScript heap as its users see it: types and their documentation only.
//
// Addresses are plain numbers, offsets in `heap.buffer`; 0 is no address. Sizes are bytes. Failing to find memory is
// an answer (0 or undefined), not an exception, unless the heap was made with `throwOnOutOfMemory`. A mistake in the
// arguments is an exception: a HeapError with code `bad_argument` that names it.
// Over 300 lines: the whole public interface, with the documentation of each call.

import type { HostMemory, HostModule, HostResponse } from '../base/host_types.ts';
import type { WasmSource } from '../wasm/compile_wasm.ts';
import type { ElementType, TypedArray, TypedArrays } from '../wasm/typed_arrays.ts';

export type { ElementType, TypedArray, TypedArrays, WasmSource };

/** Where the heap of `createHeap` lies, and which module serves it. */
export interface HeapOptions {
  /**
   * A WebAssembly.Memory of yours, shared or not: the heap lives in its bytes from `start` on, and grows it. Without
   * `start` the memory must be empty (all zero), and all of it is the heap's.
   */
  readonly memory?: HostMemory;
  /**
   * An ArrayBuffer or SharedArrayBuffer of yours: the heap gives offsets into it and never touches it, but where `calloc`
   * and moves of contents are asked for. Its headers lie in a memory of its own as large as the buffer up to `end`, of
   * which only pages with headers are ever touched; the offsets under the headers stay unused. One thread.
   */
  readonly buffer?: ArrayBufferLike;
  /** First byte of `memory` or `buffer` that is the heap's. Default 0. */
  readonly start?: number;
  /** The byte behind its last one. Default: the end of the buffer; a memory has no end, and the heap grows it. */
  readonly end?: number;
  /** Bytes of a new memory, at first and at most, rounded up to pages of 64 KiB. Not with `memory` or `buffer`. */
  readonly initial?: number;
  readonly maximum?: number;
  /**
   * True: in a new shared memory (`maximum` defaults to 1 GiB), for several workers. Or what {@link Heap.share} of another
   * worker's heap gave: that same heap, here.
   */
  readonly shared?: boolean | HeapShare;
  /**
   * Every block begins at a multiple of so many bytes: a power of two from 8 to 4096. Sizes are rounded up so that size and
   * header fill a multiple of it. Nodes of pools are as `nodeSize` has them. Default 8.
   */
  readonly align?: number;
  /**
   * The module: an address, its bytes, a compiled module or a response. Default: the file of the package. Strings are
   * resolved against the page or, in Node, the working directory. A heap in memory that is not its own (`memory`, `buffer`,
   * `initial`, `maximum`) needs the placed modules of the package, a shared one the shared module.
   */
  readonly wasm?: WasmSource | Promise<HostResponse>;
  /**
   * Bytes of {@link Heap.snapshot}, of this or another process: the heap goes on from there, and every address is as it was.
   * Everything else but `wasm` and `throwOnOutOfMemory` comes from the snapshot.
   */
  readonly from?: ArrayBuffer | ArrayBufferView;
  /** The module that writes events, see {@link TracedHeap}. Default false. */
  readonly trace?: boolean;
  /** The module that checks every call and names mistakes (double free, foreign pointer ...). Slower. Default false. */
  readonly checked?: boolean;
  /** Throw a HeapError with code `out_of_memory` where 0 or undefined would be returned. Default false. */
  readonly throwOnOutOfMemory?: boolean;
}

/** A shared heap on its way to another worker, by postMessage: `createHeap({ shared: share })` there. */
export interface HeapShare {
  readonly memory: HostMemory;
  readonly module: HostModule;
  readonly align: number;
  readonly heap: number;
  /** Where the module's data lie. */
  readonly data: number;
}

/** The figures of one heap at the time of the call, in bytes unless the name says chunks or segments. */
export interface HeapStats {
  /** Bytes that the heap could have without growing memory: `footprint`, and memory that no heap of its module holds. */
  readonly total: number;
  /** Of `total`, what no block is using (not in one piece): `freeBytes` and what no heap holds. */
  readonly available: number;
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
  /** Bytes of whole free pages of 4 KiB, and what no heap holds: what {@link Heap.shrink} leaves out. */
  readonly returnable: number;
  /** Whole free pages of 64 KiB, a wasm memory's own. */
  readonly returnablePages: number;
}

/** What a shrink did, in bytes. */
export interface HeapShrink {
  /** Size of the memory before, and now. */
  readonly before: number;
  readonly after: number;
  /** What was copied; the rest of `after` are pages that nothing was ever written to. */
  readonly copied: number;
}

/** How `expand` may enlarge a block. In place and forward is always allowed. */
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

/** A block that was expanded: where it is now, and how that was done. */
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

/** What an expansion command did, or why it failed. */
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

/** The shape of a pool of equal nodes, for `createPool`. */
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

/** The figures of one pool at the time of the call. Nodes in use and free nodes are counted over all its blocks. */
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
  /** Gives a node back. True, or false for 0. O(log blocks), segregated O(1). */
  deallocate(node: number): boolean;
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

/** Blocks of a heap or a memory pool. */
export interface HeapBlocks {
  /** The heap's number in events, 1 to 255. */
  readonly id: number;
  /** The memory it lies in. Throws for a heap over a `buffer`. */
  readonly memory: HostMemory;
  /** The buffer that addresses are offsets in: the memory's current one, or the `buffer` it was made over. */
  readonly buffer: ArrayBufferLike;
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
  /** `count * size` bytes, each `fill` (default 0); 0 on overflow or when memory is out. */
  calloc(count: number, size: number, fill?: number): number;
  /** The same block with another size, in place or moved. 0 on failure, and then the old block stays. */
  reallocate(address: number, size: number): number;
  /** As `allocate`, at a multiple of `alignment`, a power of two. Freed like any other. */
  allocateAligned(alignment: number, size: number): number;
  /**
   * Gives a block back: an address, or an array from `mallocAs`. True when it did, false for 0. An array that was given
   * back before is refused (`freed`); an address that was not is found by the checked module alone. Bounded time.
   */
  deallocate(block: number | TypedArray): boolean;
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
  /** `mallocAs`, each element `fill`; by default zero. */
  callocAs<E extends ElementType>(type: E, length: number, fill?: TypedArrays[E][number]): TypedArrays[E] | undefined;
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
  /**
   * One block of each of `sizes` bytes, side by side, by one search and one call; each freed on its own. All or nothing.
   * What an object and its arrays are made of, taken together.
   * @example const [node, name, children] = heap.allocateIndependent([24, 100, 16]) ?? [];
   */
  allocateIndependent(sizes: ArrayLike<number>): Uint32Array | undefined;
  /** The same with `count` equal blocks, zeroed. */
  callocIndependent(count: number, size: number): Uint32Array | undefined;
  /** Gives many blocks of this heap back by one call. Each may come from any function. O(blocks). */
  freeMany(addresses: ArrayLike<number>): void;

  /** A pool of equal nodes on this heap; undefined when memory is out or an option is out of range (see `status`). */
  createPool(options: PoolOptions): Pool | undefined;
  /** Its pools that live, in the order they were made. */
  readonly pools: readonly Pool[];
  /** Counted by a walk: O(chunks). */
  stats(): HeapStats;
  /** Proves every invariant of the heap and its pools: undefined, or the broken one in words. O(chunks + nodes). */
  check(): string | undefined;
  /** Gives free pages at the ends of segments back for other heaps, keeping `pad` bytes of top. Bytes given. */
  trim(pad?: number): number;

  /** Calls `listener` soon after linear memory grew (in a microtask, once per growth). Returns a function that ends it. */
  on(event: 'grow', listener: (bytes: number) => void): () => void;

  /**
   * Ends the heap; all its memory serves other heaps of the module. Later calls throw a HeapError (`dead`). A heap that came
   * by {@link HeapShare} goes on for the others; the worker that made it ends it.
   */
  destroy(): void;
  /** `using heap = await createHeap()` destroys it at the end of the scope. */
  [Symbol.dispose](): void;
}

/** A heap in WebAssembly memory. Made by `createHeap()`. */
export interface Heap extends HeapBlocks {
  /**
   * A heap of its own for one data structure, freed as a whole in constant time: what every block of it is, `destroy`
   * forgets. Blocks of `fixedSize` bytes have a fast path. Undefined when memory is out or 255 heaps live.
   */
  createMemoryPool(options?: MemoryPoolOptions): MemoryPool | undefined;
  /** Another heap in the same linear memory, with the same options; undefined when memory is out or 255 heaps live. */
  createHeap(): this | undefined;

  /** What another worker needs for this heap (see {@link HeapOptions.shared}). Throws for a heap that is not shared. */
  share(): HeapShare;
  /**
   * Gives memory back: the heap, and every other heap and pool of its module, goes on in a smaller memory. Addresses, blocks and
   * contents stay. `heap.memory`, `heap.buffer`, `heap.u8` ... are others afterwards, and typed arrays have no elements, as after a
   * growth: {@link HeapBlocks.refresh} gives the current ones. Takes a copy of what lives. Throws a HeapError for a heap that is
   * shared, or in `memory` or `buffer` of yours (`bad_argument`), and when there is no second memory (`out_of_memory`); the heap
   * then goes on as it was.
   * @example if (heap.stats().returnable > heap.buffer.byteLength / 2) await heap.shrink();
   */
  shrink(): Promise<HeapShrink>;
  /**
   * The bytes of all that lives in this memory, every heap and pool of it, and little more: free pages and pages of zeros are left
   * out. `createHeap({ from: bytes })`, in another page, worker or process, goes on from there. Nothing of the heap changes. Takes a
   * copy of what lives. Throws a HeapError for a heap that is shared, or in `memory` or `buffer` of yours (`bad_argument`).
   * @example const bytes = heap.snapshot(); const twin = await createHeap({ from: bytes });
   */
  snapshot(): Uint8Array<ArrayBuffer>;
  /**
   * Keeps a copy of what lives in this memory, for {@link Heap.reset}, in place of the last one. O(pages that live). Throws a HeapError
   * (`bad_argument`) for a heap that is shared, or in `memory` or `buffer` of yours.
   */
  checkpoint(): void;
  /**
   * Makes this memory, every heap and pool of it, what it was at the checkpoint. Blocks, arrays and handles of that time live again;
   * what was made since is dead. Memory that grew since stays; `shrink` gives it back. Reads each page of 4 KiB that lived at the
   * checkpoint, and writes those that were touched since: how many. Throws a HeapError without a checkpoint (`bad_argument`). In a traced
   * heap's trace a reset is an event.
   * @example heap.checkpoint(); run(program); heap.reset(); run(program);
   */
  reset(): number;
  /** The heaps and the memory pools of this memory that live and were made here, this one included, in the order they were made. */
  readonly heaps: readonly Heap[];
  readonly memoryPools: readonly MemoryPool[];
  /** Frees every block and pool at once and goes on with an empty heap. Not for a shared heap, which others use. */
  freeAll(): void;
}

/** What `createMemoryPool` may be asked for. */
export interface MemoryPoolOptions {
  /** Bytes of the blocks that `allocateFixed` gives, at most 2048. Default: none. */
  readonly fixedSize?: number;
}

/** A heap for one data structure: all that a heap does with blocks, and blocks of one size without a header. */
export interface MemoryPool extends HeapBlocks {
  /** One block of `fixedSize` bytes, 0 when memory is out: the pop of a list. */
  allocateFixed(): number;
  /** Gives a block of `allocateFixed` back, to the pool it came from. True, or false for 0. */
  deallocateFixed(address: number): boolean;
}

/** A heap whose module writes events: everything that happened since `createHeap({ trace: true })`, nothing lost. */
export interface TracedHeap extends Heap {
  /** Events so far, of all heaps of the module. */
  readonly eventCount: number;
  /** Their records, 16 bytes each (docs/trace_format.md), from event number `from` on. Default: all. */
  events(from?: number): Uint8Array<ArrayBuffer>;
  /** A trace file: what `heapglass/trace` reads and `<hg-heap-map>` shows. O(events). */
  trace(): Uint8Array<ArrayBuffer>;
  /** Puts a name onto the time line, at this place. */
  mark(text: string): void;
  /** Writes a mark of your own meaning: a code from 16 on, and three words. */
  mark(code: number, a?: number, b?: number, c?: number): void;
  /** Writes the hash of a walk of the real heap into the trace, for readers to compare with: O(chunks). */
  prove(): void;
  /** As that of other heaps, behind a `prove()`. A heap in `memory` or `buffer` of yours keeps no copy: it only proves. */
  checkpoint(): void;
}
