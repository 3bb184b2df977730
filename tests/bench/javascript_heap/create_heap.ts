// createHeap() for the bench, as the package has it.
export { createHeap } from '../../../web/src/heap/create_heap.ts';
