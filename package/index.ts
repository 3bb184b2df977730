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

export { createHeap } from '../web/src/wasm/heap.ts';
export { HeapError, type HeapErrorCode } from '../web/src/wasm/heap_error.ts';
export type {
  Command,
  CommandResult,
  ElementType,
  ExpandOptions,
  Expansion,
  Heap,
  HeapOptions,
  HeapStats,
  Pool,
  PoolOptions,
  PoolStats,
  TracedHeap,
  TypedArray,
  TypedArrays,
  WasmSource,
} from '../web/src/wasm/heap_types.ts';
