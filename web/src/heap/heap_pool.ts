// Pools for JavaScript: one object per hg_pool.

import { kPoolOptionsLayout, kPoolStatsLayout, Shape, Status } from '../protocol/event_layout.ts';
import { beginChain, readChain, writeChain } from '../wasm/heap_chains.ts';
import { kScratch } from '../wasm/heap_scratch.ts';
import {
  addressOf,
  badArgument,
  type Check,
  checkOptions,
  isOneOf,
  isSize,
  listOf,
  shown,
  sizeOf,
} from './arguments.ts';
import { HeapError } from './heap_error.ts';
import type { HeapModule } from './heap_module.ts';
import type { Pool, PoolOptions, PoolStats } from './heap_types.ts';

const kShapes = { adaptive: Shape.adaptive, aligned_only: Shape.alignedOnly, segregated: Shape.segregated } as const;
const kOptions: Readonly<Record<keyof PoolOptions, Check>> = {
  nodeSize: isSize,
  shape: isOneOf(...Object.keys(kShapes)),
  nodesPerBlock: isSize,
  maxFreeBlocks: isSize,
  overheadPercent: isSize,
};
const kNodesPerBlock = 0; // the allocator's own default
const kMaxFreeBlocks = 2;
const kOverheadPercent = 0; // the allocator's own default

/** What a pool needs of the heap it stands on. */
export interface PoolOwner {
  readonly module: HeapModule;
  /** Called when the pool found no memory; throws if the heap was made so. */
  failed(): void;
  /** Called once, when the pool is gone. */
  ended(pool: WasmPool): void;
}

/** The address of a new hg_pool, 0 when it cannot be made. */
export function createPoolAt(module: HeapModule, heap: number, options: PoolOptions): number {
  checkOptions('createPool', options, kOptions, ['nodeSize']);
  const { functions, views, scratch } = module;
  const at = scratch + kScratch.poolOptions;
  views.setWord(at + kPoolOptionsLayout.shape, kShapes[options.shape ?? 'adaptive']);
  views.setWord(at + kPoolOptionsLayout.nodeSize, sizeOf(options.nodeSize, 'nodeSize'));
  views.setWord(
    at + kPoolOptionsLayout.nodesPerBlock,
    sizeOf(options.nodesPerBlock ?? kNodesPerBlock, 'nodesPerBlock'),
  );
  views.setWord(
    at + kPoolOptionsLayout.maxFreeBlocks,
    sizeOf(options.maxFreeBlocks ?? kMaxFreeBlocks, 'maxFreeBlocks'),
  );
  views.setWord(
    at + kPoolOptionsLayout.overheadPercent,
    sizeOf(options.overheadPercent ?? kOverheadPercent, 'overheadPercent'),
  );
  const pool = functions.hg_pool_create(heap, at) >>> 0;
  if (pool === 0 && functions.hg_heap_status(heap) === Status.badArgument) {
    const given = Object.entries(options).map(([name, value]) => `${name} ${shown(value)}`);
    throw badArgument(`createPool: nodes of 1 to 65,536 bytes, blocks of up to 64 MiB; given were ${given.join(', ')}`);
  }
  return pool;
}

export class WasmPool implements Pool {
  readonly id: number;
  readonly #owner: PoolOwner;
  readonly #module: HeapModule;
  #pool: number; // address of the hg_pool, 0 when destroyed

  constructor(owner: PoolOwner, pool: number) {
    this.#owner = owner;
    this.#module = owner.module;
    this.#pool = pool;
    this.id = owner.module.functions.hg_pool_id(pool);
  }

  #alive(): number {
    if (this.#pool === 0) throw new HeapError('dead', 'the pool was destroyed');
    return this.#pool;
  }

  allocate(): number {
    const node = this.#module.functions.hg_pool_allocate(this.#alive()) >>> 0;
    if (node === 0) this.#owner.failed();
    return node;
  }

  deallocate(node: number): boolean {
    const pool = this.#alive();
    if (addressOf(node, 'node') === 0) return false;
    this.#module.functions.hg_pool_deallocate(pool, node);
    return true;
  }

  allocateMany(count: number): Uint32Array | undefined {
    const pool = this.#alive();
    const given = sizeOf(count, 'count');
    if (given === 0) return new Uint32Array(0);
    const chain = beginChain(this.#module);
    if (this.#module.functions.hg_pool_burst(pool, given, chain) !== 0) return readChain(this.#module, chain);
    this.#owner.failed();
    return undefined;
  }

  freeMany(nodes: ArrayLike<number>): void {
    const pool = this.#alive();
    const given = listOf(nodes, 'nodes');
    for (let i = 0; i < given.length; ++i) addressOf(given[i], 'each of nodes');
    const { functions, checked } = this.#module;
    // Linking the nodes writes to them; the checked module shall see each as the caller left it.
    if (checked) for (let i = 0; i < given.length; ++i) functions.hg_pool_deallocate(pool, given[i] ?? 0);
    else functions.hg_pool_burst_deallocate(pool, writeChain(this.#module, given));
  }

  trim(): number {
    return this.#module.functions.hg_pool_trim(this.#alive()) >>> 0;
  }

  stats(): PoolStats {
    const { functions, views, scratch } = this.#module;
    const at = scratch + kScratch.stats;
    functions.hg_pool_get_stats(this.#alive(), at);
    return {
      nodeSize: views.word(at + kPoolStatsLayout.nodeSize),
      nodesPerBlock: views.word(at + kPoolStatsLayout.nodesPerBlock),
      blockBytes: views.word(at + kPoolStatsLayout.blockBytes),
      subBlockBytes: views.word(at + kPoolStatsLayout.subBlockBytes),
      subBlocks: views.word(at + kPoolStatsLayout.subBlocks),
      blocks: views.word(at + kPoolStatsLayout.blocks),
      freeBlocks: views.word(at + kPoolStatsLayout.freeBlocks),
      nodesInUse: views.word(at + kPoolStatsLayout.nodesInUse),
      nodesFree: views.word(at + kPoolStatsLayout.nodesFree),
    };
  }

  destroy(): void {
    this.#module.functions.hg_pool_destroy(this.#alive());
    this.forget();
    this.#owner.ended(this);
  }

  /** Where it is, 0 when destroyed. */
  get address(): number {
    return this.#pool;
  }

  /** It lives again, where it was. */
  revive(address: number): void {
    this.#pool = address;
  }

  /** The heap below it is gone, and the pool with it. */
  forget(): void {
    this.#pool = 0;
  }

  [Symbol.dispose](): void {
    if (this.#pool !== 0 && this.#module.death === undefined) this.destroy();
  }
}
