// An Operation of the protocol as a call of the C interface, and what came back as an OperationResult.
//
//   H1  Arguments that are structs, and results, lie in the module's scratch memory for the time of one call.
//   H2  Sizes arrive as JavaScript numbers; what is no size (negative, beyond 32 bits) becomes the largest one, which no
//       heap has, so that it fails as the C call would.
//   H3  The small front is one a program, on the default heap, whatever heap is chosen, and so is malloc. Whoever
//       calls one acts as the thread named last. Before the first thread is named malloc has one cache without
//       bounds, as in programs without threads.

import { assertUnreachable } from '../base/assert.ts';
import { addr } from '../base/brand.ts';
import { kCommandResultLayout, kPoolOptionsLayout, kStatusTexts, Status } from '../protocol/event_layout.ts';
import type { MemoryPoolOperation, Operation, OperationResult } from '../protocol/messages.ts';
import { beginChain, readChain, writeChain } from './heap_chains.ts';
import { kScratch } from './heap_scratch.ts';
import { toSize } from './heap_sizes.ts';
import type { LiveModule } from './live_module.ts';

const kMostListed = 4096;
const kPage = 65_536; // of WebAssembly

interface Got {
  readonly ok?: boolean; // when the status alone does not tell
  readonly status?: number;
  readonly mems?: ArrayLike<number>;
  readonly received?: number;
  readonly reused?: boolean;
  readonly pool?: number;
  readonly heap?: number;
}

export class HeapCalls {
  readonly #module: LiveModule;
  readonly #heaps = new Map<number, number>(); // id -> hg_heap*
  readonly #pools = new Map<number, { readonly pool: number; readonly heap: number }>(); // id -> hg_pool*, heap's id
  readonly #memoryPools = new Map<number, number>(); // id of its heap -> hg_memory_pool*
  #firstHeap = 0;

  /** Makes the default heap, the first of every trace. */
  constructor(module: LiveModule) {
    this.#module = module;
    this.#firstHeap = this.#adopt(module.call((functions) => functions.hg_default_heap() >>> 0));
  }

  /** Ids of the living heaps, the first one first. */
  get heaps(): readonly number[] {
    return [...this.#heaps.keys()];
  }

  /** 0: the first heap. undefined when there is no such heap. */
  heapPointer(id: number): number | undefined {
    return this.#heaps.get(id === 0 ? this.#firstHeap : id);
  }

  createHeap(): number {
    const heap = this.#module.call((functions) => functions.hg_heap_create() >>> 0);
    return heap === 0 ? 0 : this.#adopt(heap);
  }

  /** A heap of so many bytes that never grows, in memory of its own. 0 when there is none. */
  createFixedHeap(size: number): number {
    return this.#module.call((functions) => {
      const base = functions.memory.grow(Math.ceil(size / kPage)) * kPage;
      const heap = functions.hg_heap_create_fixed(base, toSize(size)) >>> 0;
      return heap === 0 ? 0 : this.#adopt(heap);
    });
  }

  destroyHeap(id: number): void {
    const heap = this.#heaps.get(id);
    if (heap === undefined || id === this.#firstHeap) throw new Error(`heap ${id} cannot be ended`);
    for (const [pool, owner] of this.#pools) if (owner.heap === id) this.#pools.delete(pool);
    this.#heaps.delete(id);
    this.#module.call((functions) => functions.hg_heap_destroy(heap));
  }

  #adopt(heap: number): number {
    const id = heap === 0 ? 0 : this.#module.functions.hg_heap_id(heap);
    if (id !== 0) this.#heaps.set(id, heap);
    return id;
  }

  operate(heapId: number, operation: Operation | MemoryPoolOperation): OperationResult {
    const heap = this.heapPointer(heapId);
    if (heap === undefined) return refused(`there is no heap ${heapId}`);
    if ('heap' in operation && !this.#memoryPools.has(operation.heap)) {
      return refused(`heap ${operation.heap} is no memory pool`);
    }
    if ('pool' in operation && !this.#pools.has(operation.pool)) return refused(`there is no pool ${operation.pool}`);
    return this.#module.call((functions) => {
      const got = this.#perform(heap, operation);
      const status = got.status ?? functions.hg_heap_status(heap);
      return {
        ok: got.ok ?? status === Status.ok,
        status,
        statusText: kStatusTexts.get(status) ?? 'unknown status',
        mems: Array.from(got.mems ?? [])
          .slice(0, kMostListed)
          .map((mem) => addr(mem)),
        received: got.received ?? 0,
        reused: got.reused ?? false,
        pool: got.pool,
        ...(got.heap === undefined ? {} : { heap: got.heap }),
      };
    });
  }

  #perform(heap: number, operation: Operation | MemoryPoolOperation): Got {
    const { functions } = this.#module;
    switch (operation.op) {
      case 'allocate':
        return this.#one(functions.hg_heap_allocate(heap, toSize(operation.size)));
      case 'allocateAligned':
        return this.#one(functions.hg_heap_allocate_aligned(heap, toSize(operation.alignment), toSize(operation.size)));
      case 'deallocate':
        functions.hg_heap_deallocate(heap, operation.mem);
        return {};
      case 'reallocate': {
        const mem = functions.hg_heap_reallocate(heap, operation.mem, toSize(operation.size)) >>> 0;
        const freed = operation.size === 0 && operation.mem !== 0;
        return freed ? {} : { ...this.#one(mem), reused: mem === operation.mem };
      }
      case 'command':
        return this.#command(heap, operation);
      case 'burstNodes': {
        const chain = beginChain(this.#module);
        const { count, size, contiguous } = operation;
        const made = functions.hg_heap_burst_nodes(heap, toSize(count), toSize(size), toSize(contiguous), chain) >>> 0;
        return { ok: made === operation.count, mems: readChain(this.#module, chain), received: made };
      }
      case 'burstDeallocate':
        functions.hg_heap_burst_deallocate(heap, writeChain(this.#module, operation.mems));
        return {};
      case 'poolCreate':
        return this.#createPool(heap, operation);
      case 'poolAllocate': {
        const pool = this.#pool(operation.pool);
        if (operation.count === 1) {
          const node = functions.hg_pool_allocate(pool) >>> 0;
          return {
            status: functions.hg_pool_status(pool),
            mems: node === 0 ? [] : [node],
            received: node === 0 ? 0 : 1,
          };
        }
        const chain = beginChain(this.#module);
        const taken = functions.hg_pool_burst(pool, toSize(operation.count), chain) >>> 0;
        return { status: functions.hg_pool_status(pool), mems: readChain(this.#module, chain), received: taken };
      }
      case 'poolDeallocate':
        functions.hg_pool_deallocate(this.#pool(operation.pool), operation.mem);
        return { status: functions.hg_pool_status(this.#pool(operation.pool)) };
      case 'poolTrim':
        return { received: functions.hg_pool_trim(this.#pool(operation.pool)) >>> 0, status: Status.ok };
      case 'poolDestroy':
        functions.hg_pool_destroy(this.#pool(operation.pool));
        this.#pools.delete(operation.pool);
        return { status: Status.ok };
      case 'smallAllocate':
        return this.#smallAllocate(operation);
      case 'smallDeallocate':
        if (!this.#act(operation.thread)) return { status: Status.badArgument };
        functions.hg_small_deallocate(operation.mem);
        return { status: Status.ok };
      case 'smallFlush':
        if (!this.#act(operation.thread)) return { status: Status.badArgument };
        functions.hg_small_flush();
        return { status: Status.ok };
      case 'smallSqueeze':
        return { received: functions.hg_small_squeeze() >>> 0, status: Status.ok };
      case 'mallocAllocate':
        return this.#mallocAllocate(operation);
      case 'mallocFree':
        if (!this.#actInMalloc(operation.thread)) return { status: Status.badArgument };
        functions.hg_free(operation.mem);
        return { status: Status.ok };
      case 'mallocReallocate': {
        if (!this.#actInMalloc(operation.thread)) return { status: Status.badArgument };
        const mem = functions.hg_realloc(operation.mem, toSize(operation.size)) >>> 0;
        return { ...this.#one(mem), reused: mem === operation.mem };
      }
      case 'mallocFlush':
        if (!this.#actInMalloc(operation.thread)) return { status: Status.badArgument };
        return { received: functions.hg_malloc_flush() >>> 0, status: Status.ok };
      case 'mallocTrim':
        return { received: functions.hg_malloc_trim(0) >>> 0, status: Status.ok };
      case 'memoryPoolCreate': {
        const pool = functions.hg_memory_pool_create(toSize(operation.fixedSize)) >>> 0;
        if (pool === 0) return { ok: false, status: Status.outOfMemory };
        const id = this.#adopt(functions.hg_memory_pool_heap(pool) >>> 0);
        this.#memoryPools.set(id, pool);
        return { status: Status.ok, heap: id };
      }
      case 'memoryPoolAllocate': {
        const pool = this.#memoryPool(operation.heap);
        return this.#one(functions.hg_memory_pool_allocate(pool, toSize(operation.size)));
      }
      case 'memoryPoolDeallocate':
        functions.hg_memory_pool_deallocate(this.#memoryPool(operation.heap), operation.mem);
        return { status: Status.ok };
      case 'memoryPoolAllocateFixed': {
        const pool = this.#memoryPool(operation.heap);
        const mems: number[] = [];
        while (mems.length < operation.count) {
          const mem = functions.hg_memory_pool_allocate_fixed(pool) >>> 0;
          if (mem === 0) return { status: Status.outOfMemory, mems, received: mems.length };
          mems.push(mem);
        }
        return { status: Status.ok, mems, received: mems.length };
      }
      case 'memoryPoolDeallocateFixed':
        functions.hg_memory_pool_deallocate_fixed(operation.mem);
        return { status: Status.ok };
      case 'memoryPoolDestroy': {
        const pool = this.#memoryPool(operation.heap);
        this.#memoryPools.delete(operation.heap);
        this.#heaps.delete(operation.heap);
        functions.hg_memory_pool_destroy(pool);
        return { status: Status.ok };
      }
      case 'write':
        if (operation.at % 4 !== 0 || operation.at + 4 > this.#module.memoryBytes)
          return { status: Status.badArgument };
        this.#module.views.setWord(operation.at, operation.word);
        return { status: Status.ok };
      case 'trim':
        return { received: functions.hg_heap_trim(heap, toSize(operation.pad)) >>> 0 };
      default:
        return assertUnreachable(operation);
    }
  }

  #one(mem: number): Got {
    const at = mem >>> 0;
    if (at === 0) return { ok: false };
    return { mems: [at], received: this.#module.functions.hg_usable_size(at) >>> 0 };
  }

  /** False when it cannot play so many threads. */
  #act(thread: number): boolean {
    const { functions } = this.#module;
    functions.hg_small_play_thread(thread);
    return functions.hg_thread_number() === thread;
  }

  /** H3 */
  #smallAllocate({ thread, size, count }: Extract<Operation, { op: 'smallAllocate' }>): Got {
    const { functions } = this.#module;
    if (!this.#act(thread)) return { status: Status.badArgument };
    const mems: number[] = [];
    let received = 0;
    while (mems.length < count) {
      const mem = functions.hg_small_allocate(toSize(size)) >>> 0;
      if (mem === 0) return { status: Status.outOfMemory, mems, received };
      mems.push(mem);
      received += functions.hg_small_usable_size(mem) >>> 0;
    }
    return { status: Status.ok, mems, received };
  }

  /** As #act, of malloc. */
  #actInMalloc(thread: number | undefined): boolean {
    if (thread === undefined) return true;
    const { functions } = this.#module;
    functions.hg_malloc_play_thread(thread);
    return functions.hg_thread_number() === thread;
  }

  #mallocAllocate({ thread, size, count, alignment }: Extract<Operation, { op: 'mallocAllocate' }>): Got {
    const { functions } = this.#module;
    if (!this.#actInMalloc(thread)) return { status: Status.badArgument };
    const mems: number[] = [];
    let received = 0;
    while (mems.length < count) {
      const mem =
        (alignment === undefined
          ? functions.hg_malloc(toSize(size))
          : functions.hg_memalign(toSize(alignment), toSize(size))) >>> 0;
      if (mem === 0) return { status: Status.outOfMemory, mems, received };
      mems.push(mem);
      received += functions.hg_malloc_usable_size(mem) >>> 0;
    }
    return { status: Status.ok, mems, received };
  }

  #memoryPool(heap: number): number {
    return this.#memoryPools.get(heap) ?? 0;
  }

  #command(heap: number, operation: Extract<Operation, { op: 'command' }>): Got {
    const { functions, views, scratch } = this.#module;
    const result = scratch + kScratch.commandResult;
    const { flags, objectSize, limit, preferred, reuse } = operation;
    functions.hg_heap_command(result, heap, flags, toSize(objectSize), toSize(limit), toSize(preferred), reuse ?? 0);
    const mem = views.word(result + kCommandResultLayout.mem);
    return {
      status: views.word(result + kCommandResultLayout.status),
      mems: mem === 0 ? [] : [mem],
      received: views.word(result + kCommandResultLayout.received),
      reused: views.word(result + kCommandResultLayout.reused) !== 0,
    };
  }

  #createPool(heap: number, operation: Extract<Operation, { op: 'poolCreate' }>): Got {
    const { functions, views, scratch } = this.#module;
    const options = scratch + kScratch.poolOptions;
    views.setWord(options + kPoolOptionsLayout.shape, operation.shape);
    views.setWord(options + kPoolOptionsLayout.nodeSize, toSize(operation.nodeSize));
    views.setWord(options + kPoolOptionsLayout.nodesPerBlock, toSize(operation.nodesPerBlock));
    views.setWord(options + kPoolOptionsLayout.maxFreeBlocks, toSize(operation.maxFreeBlocks));
    views.setWord(options + kPoolOptionsLayout.overheadPercent, toSize(operation.overheadPercent));
    const pool = functions.hg_pool_create(heap, options) >>> 0;
    if (pool === 0) return { ok: false };
    const id = functions.hg_pool_id(pool);
    this.#pools.set(id, { pool, heap: functions.hg_heap_id(heap) });
    return { pool: id, received: 0 };
  }

  #pool(id: number): number {
    return this.#pools.get(id)?.pool ?? 0;
  }
}

/** An operation that was not called at all. */
export function refused(statusText: string): OperationResult {
  return { ok: false, status: Status.badArgument, statusText, mems: [], received: 0, reused: false, pool: undefined };
}
