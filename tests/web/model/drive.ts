// Random operations of every kind on the real module, for tests that compare it with the model. Seeded; it frees and
// expands only what it got.

import { type Addr, addr, bytes } from '../../../web/src/base/brand.ts';
import { createRandom, type Random } from '../../../web/src/base/random.ts';
import { WalkCompare } from '../../../web/src/model/state/walk_compare.ts';
import { History } from '../../../web/src/model/time/history.ts';
import { CommandFlag, EventKind, kContiguousAll, Shape } from '../../../web/src/protocol/event_layout.ts';
import type { MemoryPoolOperation, Operation, OperationResult } from '../../../web/src/protocol/messages.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';
import { HeapCalls } from '../../../web/src/wasm/heap_calls.ts';
import { LiveModule, type RingMode } from '../../../web/src/wasm/live_module.ts';
import { readWalk } from '../../../web/src/wasm/walk_reader.ts';

interface Block {
  readonly mem: Addr;
  readonly heap: number;
}

const kThreads = 4;

export class Drive {
  readonly module: LiveModule;
  readonly trace: Trace;
  readonly history: History;
  readonly calls: HeapCalls;
  readonly performed = new Set<string>();
  readonly #random: Random;
  #blocks: Block[] = [];
  #pools: { readonly id: number; readonly heap: number; readonly nodes: Addr[] }[] = [];
  #guests: number[] = [];
  readonly #small: Addr[] = [];
  readonly #malloced: Addr[] = [];
  readonly #memoryPools: { readonly heap: number; readonly mems: Addr[]; readonly fixed: Addr[] }[] = [];

  private constructor(module: LiveModule, trace: Trace, seed: number) {
    this.module = module;
    this.trace = trace;
    this.history = new History(trace);
    this.calls = new HeapCalls(module);
    this.#random = createRandom(seed);
  }

  static async start(seed: number, mode: RingMode = 'lossless'): Promise<Drive> {
    const trace = new Trace();
    const sink = {
      append: (records: Uint32Array) => trace.append(records),
      lost: (count: number) => trace.appendEvent(headOf(EventKind.eventsLost, 0), count, 0, 0),
    };
    return new Drive(await LiveModule.start('heap', mode, sink), trace, seed);
  }

  /** Drains, folds and compares every heap's walk with the model; what differs. */
  compare(): string | undefined {
    this.module.drain();
    this.history.fold();
    if (this.history.broken) return `event ${this.history.broken.seq}: ${this.history.broken.text}`;
    for (const id of this.calls.heaps) {
      const compare = new WalkCompare(this.history.head, id);
      readWalk(this.module, this.calls.heapPointer(id) ?? 0, (records) => compare.take(records));
      const difference = compare.finish();
      if (difference !== undefined) return `heap ${id}: ${difference}`;
    }
    return undefined;
  }

  /** `count` random operations; `pressure` of 100 coins say "take" rather than "give back". */
  run(count: number, pressure: number): void {
    for (let i = 0; i < count; ++i) this.#one(pressure);
  }

  /** `count` random operations of the small front by several threads, and of memory pools, among ordinary ones. */
  runSmall(count: number, pressure: number): void {
    const { below } = this.#random;
    for (let i = 0; i < count; ++i) {
      const kind = below(100);
      if (kind < 10) this.#one(pressure);
      else if (kind < 30) this.#memoryPool(below(100) < pressure);
      else this.#smallOne(below(100) < pressure);
    }
  }

  /** `count` random calls of malloc, by several played threads or by nobody in particular. */
  runMalloc(count: number, pressure: number, threads: number | undefined): void {
    const { below } = this.#random;
    for (let i = 0; i < count; ++i) {
      const thread = threads === undefined ? undefined : 1 + below(threads);
      const rare = below(400);
      if (rare === 0) this.#perform(0, { op: 'mallocFlush', thread });
      else if (rare === 1) this.#perform(0, { op: 'mallocTrim' });
      else if (rare === 2 && threads !== undefined) this.#passOn(below(threads), threads);
      else if (rare === 2) this.#crowd();
      else if (rare < 20) this.#one(pressure);
      else if (below(100) < pressure) {
        const size = bytes(below(80) === 0 ? below(300_000) : below(1 << (3 + below(9))));
        const count = size > 9999 ? 1 : 1 + below(4);
        const aligned = below(20) === 0 ? { alignment: bytes(16 << below(8)) } : {};
        this.#malloced.push(...this.#perform(0, { op: 'mallocAllocate', thread, size, count, ...aligned }).mems);
      } else this.#giveToMalloc(thread);
    }
  }

  /** One thread takes more than a cache has space for, the next one frees it, and the first takes some of it again. */
  #passOn(from: number, threads: number): void {
    const take = (count: number) =>
      this.#perform(0, { op: 'mallocAllocate', thread: 1 + from, size: bytes(1000), count }).mems;
    const to = 1 + ((from + 1) % threads);
    for (const mem of take(400)) this.#perform(0, { op: 'mallocFree', thread: to, mem });
    this.#malloced.push(...take(20));
  }

  /** Many blocks of one small size, of which a few here and there stay: slabs, and what they become. */
  #crowd(): void {
    const { below } = this.#random;
    const { mems } = this.#perform(0, { op: 'mallocAllocate', thread: undefined, size: bytes(below(129)), count: 400 });
    const apart = 1 + below(50);
    mems.forEach((mem, i) => {
      if ((i + below(2)) % apart === 0) this.#malloced.push(mem);
      else this.#perform(0, { op: 'mallocFree', thread: undefined, mem });
    });
  }

  /** Frees some, and gives one of them another size instead. */
  #giveToMalloc(thread: number | undefined): void {
    const { below } = this.#random;
    for (let i = below(6); i > 0; --i) {
      const at = below(this.#malloced.length);
      const mem = this.#malloced[at];
      const last = this.#malloced.pop();
      if (mem === undefined || last === undefined) return;
      if (at < this.#malloced.length) this.#malloced[at] = last;
      if (below(8) !== 0) this.#perform(0, { op: 'mallocFree', thread, mem });
      else {
        const size = bytes(below(40) === 0 ? 0 : below(1 << (4 + below(12))));
        const { ok, mems } = this.#perform(0, { op: 'mallocReallocate', thread, mem, size });
        this.#malloced.push(...(ok ? mems : [mem]));
      }
    }
  }

  #smallOne(take: boolean): void {
    const { below } = this.#random;
    const thread = 1 + below(kThreads);
    const rare = below(300);
    if (rare === 0) this.#perform(0, { op: 'smallFlush', thread });
    else if (rare === 1) this.#perform(0, { op: 'smallSqueeze' });
    else if (take) {
      const most = below(40) === 0 ? 100_000 : 1 << (3 + below(9)); // few classes much, many a little
      const count = 1 + below(30);
      const got = this.#perform(0, {
        op: 'smallAllocate',
        thread,
        size: bytes(below(most)),
        count: most > 9999 ? 1 : count,
      });
      this.#small.push(...got.mems);
    } else {
      for (let i = below(60); i > 0; --i) {
        const at = below(this.#small.length);
        const mem = this.#small[at];
        const last = this.#small.pop();
        if (mem === undefined || last === undefined) return;
        if (at < this.#small.length) this.#small[at] = last;
        this.#perform(0, { op: 'smallDeallocate', thread, mem });
      }
    }
  }

  #memoryPool(take: boolean): void {
    const { below } = this.#random;
    const nth = below(this.#memoryPools.length + 1);
    const pool = this.#memoryPools[nth];
    if (pool === undefined) {
      if (this.#memoryPools.length >= 4) return;
      const { heap } = this.#perform(0, { op: 'memoryPoolCreate', fixedSize: bytes(8 + below(100)) });
      if (heap !== undefined) this.#memoryPools.push({ heap, mems: [], fixed: [] });
    } else if (below(60) === 0) {
      this.#memoryPools.splice(nth, 1);
      this.#perform(0, { op: 'memoryPoolDestroy', heap: pool.heap });
    } else if (take) {
      const { heap } = pool;
      pool.fixed.push(...this.#perform(0, { op: 'memoryPoolAllocateFixed', heap, count: 1 + below(8) }).mems);
      pool.mems.push(...this.#perform(0, { op: 'memoryPoolAllocate', heap, size: bytes(this.#size()) }).mems);
    } else {
      const fixed = pool.fixed.splice(below(pool.fixed.length), 1 + below(4));
      for (const mem of fixed) this.#perform(0, { op: 'memoryPoolDeallocateFixed', heap: pool.heap, mem });
      const mems = pool.mems.splice(below(pool.mems.length), 1);
      for (const mem of mems) this.#perform(0, { op: 'memoryPoolDeallocate', heap: pool.heap, mem });
    }
  }

  /** Everything goes back. */
  releaseAll(): void {
    for (const pool of this.#pools.splice(0)) this.#perform(pool.heap, { op: 'poolDestroy', pool: pool.id });
    for (const block of this.#blocks.splice(0)) this.#perform(block.heap, { op: 'deallocate', mem: block.mem });
    for (const guest of this.#guests.splice(0)) this.calls.destroyHeap(guest);
    for (const { heap } of this.#memoryPools.splice(0)) this.#perform(0, { op: 'memoryPoolDestroy', heap });
    for (const mem of this.#small.splice(0)) this.#perform(0, { op: 'smallDeallocate', thread: 1, mem });
    for (let thread = 1; thread <= kThreads; ++thread) this.#perform(0, { op: 'smallFlush', thread });
    this.#perform(0, { op: 'smallSqueeze' });
    this.#perform(0, { op: 'trim', pad: bytes(0) });
  }

  /** As releaseAll, after runMalloc. */
  releaseMalloced(threads: number | undefined): void {
    for (const mem of this.#malloced.splice(0)) this.#perform(0, { op: 'mallocFree', thread: undefined, mem });
    for (const pool of this.#pools.splice(0)) this.#perform(pool.heap, { op: 'poolDestroy', pool: pool.id });
    for (const block of this.#blocks.splice(0)) this.#perform(block.heap, { op: 'deallocate', mem: block.mem });
    for (const guest of this.#guests.splice(0)) this.calls.destroyHeap(guest);
    for (let thread = 1; thread <= (threads ?? 0); ++thread) this.#perform(0, { op: 'mallocFlush', thread });
    this.#perform(0, { op: 'mallocTrim' });
  }

  #perform(heap: number, operation: Operation | MemoryPoolOperation): OperationResult {
    this.performed.add(operation.op);
    return this.calls.operate(heap, operation);
  }

  #one(pressure: number): void {
    const { below } = this.#random;
    const take = below(100) < pressure;
    const heap = this.#guests.length > 0 && below(4) === 0 ? (this.#guests[below(this.#guests.length)] ?? 0) : 0;
    const kind = below(100);
    if (kind < 36) {
      if (take) this.#got(heap, this.#perform(heap, { op: 'allocate', size: bytes(this.#size()) }));
      else this.#giveBack();
    } else if (kind < 42) {
      const alignment = bytes(16 << below(9));
      this.#got(heap, this.#perform(heap, { op: 'allocateAligned', alignment, size: bytes(this.#size()) }));
      this.#giveBack();
    } else if (kind < 52) this.#reallocate();
    else if (kind < 64) this.#command(heap);
    else if (kind < 68) {
      const contiguous = [0, 1, 5, kContiguousAll][below(4)] ?? 0;
      const size = bytes(4 + below(90));
      this.#got(heap, this.#perform(heap, { op: 'burstNodes', count: 1 + below(40), size, contiguous }));
    } else if (kind < 72) {
      const heapOfAll = this.#blocks[below(this.#blocks.length)]?.heap;
      const mems = this.#blocks.filter((block) => block.heap === heapOfAll && below(10) === 0);
      if (heapOfAll === undefined || mems.length === 0) return;
      this.#blocks = this.#blocks.filter((block) => !mems.includes(block));
      this.#perform(heapOfAll, { op: 'burstDeallocate', mems: mems.map((block) => block.mem) });
    } else if (kind < 95) this.#pool(heap, take);
    else if (kind < 97) this.#perform(heap, { op: 'trim', pad: bytes(below(3) * 4096) });
    else this.#guest();
  }

  #size(): number {
    const { below } = this.#random;
    return below(60) === 0 ? below(200_000) : below(1 << (4 + below(9)));
  }

  #got(heap: number, result: OperationResult): void {
    for (const mem of result.mems) this.#blocks.push({ mem, heap });
  }

  #takeBlock(): Block | undefined {
    const nth = this.#random.below(this.#blocks.length);
    const block = this.#blocks[nth];
    const last = this.#blocks.pop();
    if (block !== undefined && last !== undefined && block !== last) this.#blocks[nth] = last;
    return block;
  }

  #giveBack(): void {
    const block = this.#takeBlock();
    if (block !== undefined) this.#perform(block.heap, { op: 'deallocate', mem: block.mem });
  }

  #reallocate(): void {
    const block = this.#takeBlock();
    if (block === undefined) return;
    const size = bytes(this.#size());
    const result = this.#perform(block.heap, { op: 'reallocate', mem: block.mem, size });
    if (result.ok && size !== 0) this.#got(block.heap, result);
    else if (!result.ok) this.#blocks.push(block);
  }

  #command(heap: number): void {
    const { below } = this.#random;
    const block = this.#takeBlock();
    const ways = [CommandFlag.shrinkInPlace, CommandFlag.tryShrinkInPlace];
    const flags = below(5) === 0 ? (ways[below(2)] ?? 0) : 1 + below(7);
    const one = this.#size() >>> 2;
    const other = one + below(300);
    const shrinks = (flags & (CommandFlag.shrinkInPlace | CommandFlag.tryShrinkInPlace)) !== 0;
    const [limit, preferred] = shrinks ? [other, one] : [one, other];
    const reuse = block?.mem ?? (flags === CommandFlag.allocateNew ? undefined : addr(0));
    const objectSize = bytes(1 + below(12));
    const owner = block?.heap ?? heap;
    const result = this.#perform(owner, { op: 'command', flags, objectSize, limit, preferred, reuse });
    if (block !== undefined && !result.reused) this.#blocks.push(block);
    if (result.ok && flags !== CommandFlag.tryShrinkInPlace) this.#got(owner, result);
    else if (block !== undefined && result.reused) this.#blocks.push(block);
  }

  #pool(heap: number, take: boolean): void {
    const { below } = this.#random;
    const nth = below(this.#pools.length);
    const pool = this.#pools[nth];
    if (pool === undefined || (this.#pools.length < 6 && below(40) === 0)) {
      const shape = [Shape.segregated, Shape.adaptive, Shape.alignedOnly][below(3)] ?? Shape.adaptive;
      const options = { nodesPerBlock: 1 + below(200), maxFreeBlocks: below(4), overheadPercent: 0 };
      const made = this.#perform(heap, { op: 'poolCreate', shape, nodeSize: bytes(4 + below(60)), ...options });
      if (made.pool !== undefined) this.#pools.push({ id: made.pool, heap, nodes: [] });
    } else if (below(150) === 0) {
      this.#pools.splice(nth, 1);
      this.#perform(pool.heap, { op: 'poolDestroy', pool: pool.id });
    } else if (below(30) === 0) this.#perform(pool.heap, { op: 'poolTrim', pool: pool.id });
    else if (take) {
      const count = below(5) === 0 ? 1 + below(60) : 1;
      pool.nodes.push(...this.#perform(pool.heap, { op: 'poolAllocate', pool: pool.id, count }).mems);
    } else {
      for (let i = below(4); i >= 0; --i) {
        const at = below(pool.nodes.length);
        const mem = pool.nodes[at];
        const last = pool.nodes.pop();
        if (mem === undefined || last === undefined) return;
        if (at < pool.nodes.length) pool.nodes[at] = last;
        this.#perform(pool.heap, { op: 'poolDeallocate', pool: pool.id, mem });
      }
    }
  }

  #guest(): void {
    const { below } = this.#random;
    if (this.#guests.length < 3 && below(3) !== 0) {
      const id = this.calls.createHeap();
      if (id !== 0) this.#guests.push(id);
      return;
    }
    const guest = this.#guests.splice(below(this.#guests.length), 1)[0];
    if (guest === undefined) return;
    this.#blocks = this.#blocks.filter((block) => block.heap !== guest);
    this.#pools = this.#pools.filter((pool) => pool.heap !== guest);
    this.calls.destroyHeap(guest);
  }
}
