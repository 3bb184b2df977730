// Memory pools for JavaScript: a heap for one data structure, and the fast path of its blocks of one size.

import { addressOf, badArgument, checkOptions, isSize, shown } from './arguments.ts';
import { WasmBlocks } from './heap_blocks.ts';
import type { HandleRecord, HeapModule } from './heap_module.ts';
import type { MemoryPool, MemoryPoolOptions } from './heap_types.ts';

const kMaxFixedSize = 2048;

/** Undefined when memory is out. */
export function makeMemoryPool(module: HeapModule, options: MemoryPoolOptions): MemoryPool | undefined {
  checkOptions('createMemoryPool', options, { fixedSize: isSize });
  const { fixedSize = 0 } = options;
  if (fixedSize > kMaxFixedSize) {
    throw badArgument(`createMemoryPool: fixedSize is at most ${kMaxFixedSize}, and is ${shown(fixedSize)}`);
  }
  const pool = module.functions.hg_memory_pool_create(fixedSize) >>> 0;
  return pool === 0 ? undefined : new WasmMemoryPool(module, pool, fixedSize);
}

export class WasmMemoryPool extends WasmBlocks implements MemoryPool {
  readonly #pool: number; // address of the hg_memory_pool
  readonly #fixedSize: number;

  constructor(module: HeapModule, pool: number, fixedSize: number) {
    super(module, module.functions.hg_memory_pool_heap(pool) >>> 0);
    this.#pool = pool;
    this.#fixedSize = fixedSize;
  }

  override get record(): HandleRecord {
    return { ...super.record, memoryPool: this.#pool, fixedSize: this.#fixedSize };
  }

  allocateFixed(): number {
    this.alive();
    if (this.#fixedSize === 0) throw badArgument('this memory pool was made without fixedSize');
    return this.got(this.module.functions.hg_memory_pool_allocate_fixed(this.#pool));
  }

  deallocateFixed(address: number): boolean {
    this.alive();
    const block = addressOf(address, 'address');
    this.module.functions.hg_memory_pool_deallocate_fixed(block);
    return block !== 0;
  }

  protected override end(): void {
    this.module.functions.hg_memory_pool_destroy(this.#pool);
  }
}
