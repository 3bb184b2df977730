/**
 * heapglass/full: every option of createHeap(), and so every module.
 *
 * @example
 * import { createHeap } from 'heapglass/full';
 * const heap = await createHeap({ trace: true });
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
