// Pools for JavaScript: one object per hg_pool.

import { kPoolOptionsLayout, kPoolStatsLayout, Shape } from '../protocol/event_layout.ts';
import { beginChain, readChain, writeChain } from './heap_chains.ts';
import { HeapError } from './heap_error.ts';
import type { HeapModule } from './heap_module.ts';
import { kScratch } from './heap_scratch.ts';
import { toSize } from './heap_sizes.ts';
import type { Pool, PoolOptions, PoolStats } from './heap_types.ts';

const kShapes = { adaptive: Shape.adaptive, aligned_only: Shape.alignedOnly, segregated: Shape.segregated } as const;
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
  const { functions, views, scratch } = module;
  const at = scratch + kScratch.poolOptions;
  views.setWord(at + kPoolOptionsLayout.shape, kShapes[options.shape ?? 'adaptive']);
  views.setWord(at + kPoolOptionsLayout.nodeSize, toSize(options.nodeSize));
  views.setWord(at + kPoolOptionsLayout.nodesPerBlock, toSize(options.nodesPerBlock ?? kNodesPerBlock));
  views.setWord(at + kPoolOptionsLayout.maxFreeBlocks, toSize(options.maxFreeBlocks ?? kMaxFreeBlocks));
  views.setWord(at + kPoolOptionsLayout.overheadPercent, toSize(options.overheadPercent ?? kOverheadPercent));
  return functions.hg_pool_create(heap, at) >>> 0;
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

  deallocate(node: number): void {
    this.#module.functions.hg_pool_deallocate(this.#alive(), node);
  }

  allocateMany(count: number): Uint32Array | undefined {
    const pool = this.#alive();
    if (count === 0) return new Uint32Array(0);
    const chain = beginChain(this.#module);
    if (this.#module.functions.hg_pool_burst(pool, toSize(count), chain) !== 0) return readChain(this.#module, chain);
    this.#owner.failed();
    return undefined;
  }

  freeMany(nodes: ArrayLike<number>): void {
    const pool = this.#alive();
    const { functions, variant } = this.#module;
    // Linking the nodes writes to them; the checked module shall see each as the caller left it.
    if (variant === 'checked') for (let i = 0; i < nodes.length; ++i) functions.hg_pool_deallocate(pool, nodes[i] ?? 0);
    else functions.hg_pool_burst_deallocate(pool, writeChain(this.#module, nodes));
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

  /** The heap below it is gone, and the pool with it. */
  forget(): void {
    this.#pool = 0;
  }

  [Symbol.dispose](): void {
    if (this.#pool !== 0) this.destroy();
  }
}
