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

export { createHeap } from '../web/src/heap/create_heap.ts';
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
