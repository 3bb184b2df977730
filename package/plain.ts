/**
 * heapglass/plain: createHeap() with one module and without events, checks, or memory of the caller's.
 *
 * @packageDocumentation
 */

export { HeapError, type HeapErrorCode } from '../web/src/heap/heap_error.ts';
export type * from '../web/src/heap/heap_types.ts';
export { createHeap, type PlainHeapOptions } from '../web/src/heap/plain_heap.ts';
