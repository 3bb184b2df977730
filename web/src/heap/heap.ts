// A heap for JavaScript, and the same with its events. What each function does is documented in heap_types.ts.

import { formatCount } from '../base/format.ts';
import { encodeTraceFile } from '../trace/trace_file.ts';
import { badArgument, sizeOf } from './arguments.ts';
import { WasmBlocks } from './heap_blocks.ts';
import { keepCheckpoint, resetModule } from './heap_checkpoint.ts';
import { HeapError } from './heap_error.ts';
import { type HeapModule, noHeap } from './heap_module.ts';
import type { EventRecorder } from './heap_recorder.ts';
import { shrinkModule } from './heap_shrink.ts';
import { takeSnapshot } from './heap_snapshot.ts';
import type { Heap, HeapShare, HeapShrink, MemoryPool, MemoryPoolOptions, TracedHeap } from './heap_types.ts';
import { makeMemoryPool, WasmMemoryPool } from './memory_pool.ts';

const kWordBytes = 4; // wasm32

export class WasmHeap extends WasmBlocks implements Heap {
  createMemoryPool(options: MemoryPoolOptions = {}): MemoryPool | undefined {
    this.alive();
    const made = makeMemoryPool(this.module, options);
    if (made === undefined) this.failed('out of memory: no memory pool can be made');
    return made;
  }

  createHeap(): this | undefined {
    this.alive();
    const heap = this.got(this.module.functions.hg_heap_create());
    return heap === 0 ? undefined : (new (this.constructor as typeof WasmHeap)(this.module, heap) as this);
  }

  share(): HeapShare {
    const heap = this.alive();
    if (this.module.share === undefined)
      throw badArgument('this heap is not shared: createHeap({ shared: true }) makes one');
    return { ...this.module.share, heap };
  }

  shrink(): Promise<HeapShrink> {
    return shrinkModule(this.module, () => this.id);
  }

  snapshot(): Uint8Array<ArrayBuffer> {
    this.alive();
    return takeSnapshot(this.module, this);
  }

  checkpoint(): void {
    this.alive();
    keepCheckpoint(this.module);
  }

  reset(): number {
    this.alive();
    return resetModule(this.module);
  }

  get heaps(): readonly Heap[] {
    this.alive();
    return [...this.module.handles].filter((handle) => handle instanceof WasmHeap);
  }

  get memoryPools(): readonly MemoryPool[] {
    this.alive();
    return [...this.module.handles].filter((handle) => handle instanceof WasmMemoryPool);
  }

  freeAll(): void {
    this.alive();
    if (this.module.share !== undefined) throw badArgument('a shared heap cannot be emptied: others use it');
    this.destroy();
    this.begin(newHeap(this.module));
  }
}

/** The address of a new hg_heap. */
function newHeap(module: HeapModule): number {
  const heap = module.functions.hg_heap_create() >>> 0;
  if (heap === 0) throw noHeap();
  return heap;
}

/** Over a module that writes events. */
export class TracedWasmHeap extends WasmHeap implements TracedHeap {
  get #recorder(): EventRecorder {
    const { recorder } = this.module;
    if (recorder === undefined) throw new HeapError('no_module', 'the module writes no events');
    return recorder;
  }

  get eventCount(): number {
    return this.#recorder.trace.count;
  }

  events(from = 0): Uint8Array<ArrayBuffer> {
    return this.#recorder.records(sizeOf(from, 'from'));
  }

  trace(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(encodeTraceFile(this.#recorder.trace, kWordBytes, {}));
  }

  mark(what: string | number, a = 0, b = 0, c = 0): void {
    const heap = this.alive();
    if (typeof what === 'string') this.#recorder.name(this.id, what);
    else {
      const words = [sizeOf(a, 'a'), sizeOf(b, 'b'), sizeOf(c, 'c')] as const;
      this.module.functions.hg_trace_mark(heap, sizeOf(what, 'code'), ...words);
    }
  }

  prove(): void {
    this.module.functions.hg_trace_checkpoint(this.alive());
  }

  override checkpoint(): void {
    this.prove();
    if (this.module.fixed === undefined) super.checkpoint();
  }

  override reset(): number {
    const pages = super.reset();
    this.#recorder.name(this.id, `reset: ${formatCount(pages)} ${pages === 1 ? 'page' : 'pages'} written back`);
    return pages;
  }
}
