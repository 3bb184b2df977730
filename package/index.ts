/**
 * heapglass: a WebAssembly heap for JavaScript that can be watched.
 *
 * @example
 * import { createHeap } from 'heapglass';
 * const heap = await createHeap();
 * const block = heap.allocate(100);
 *
 * @packageDocumentation
 */

export { HeapError, type HeapErrorCode } from '../web/src/heap/heap_error.ts';
export type {
  Command,
  CommandResult,
  ElementType,
  ExpandOptions,
  Expansion,
  Heap,
  HeapBlocks,
  HeapOptions,
  HeapShare,
  HeapShrink,
  HeapStats,
  MemoryPool,
  MemoryPoolOptions,
  Pool,
  PoolOptions,
  PoolStats,
  TracedHeap,
  TypedArray,
  TypedArrays,
  WasmSource,
} from '../web/src/heap/heap_types.ts';
export { createHeap, type HeapOptionsWithModule, type PlainHeapOptions } from '../web/src/heap/plain_heap.ts';
