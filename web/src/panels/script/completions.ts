// What a script can call, for completion and for the list below the editor. web/src/script/script_heap.ts has the calls
// themselves; a test compares the names.

export interface ScriptName {
  /** As it is written: heap.allocate. */
  readonly name: string;
  readonly takes: string;
  readonly does: string;
}

export const kScriptNames: readonly ScriptName[] = [
  { name: 'heap.allocate', takes: '(size)', does: 'a block; returns its address' },
  { name: 'heap.allocateAligned', takes: '(alignment, size)', does: 'a block at a multiple of a power of two' },
  { name: 'heap.deallocate', takes: '(block)', does: 'gives a block back; its former name, heap.free, is understood' },
  { name: 'heap.reallocate', takes: '(block, size)', does: 'another size; returns the address, which may be new' },
  {
    name: 'heap.expand',
    takes: '(block, { minimum, preferred, backward, move })',
    does: 'grows in place; returns { address, size, how }, or undefined',
  },
  { name: 'heap.allocateMany', takes: '(size, count)', does: 'a burst of equal blocks' },
  { name: 'heap.freeMany', takes: '(blocks)', does: 'gives many blocks back by one call' },
  {
    name: 'heap.createPool',
    takes: '({ nodeSize, shape, nodesPerBlock, maxFreeBlocks, overheadPercent })',
    does: 'a pool of equal nodes; shape: adaptive, aligned_only or segregated',
  },
  { name: 'heap.trim', takes: '(pad)', does: 'gives free pages back, but for pad bytes' },
  { name: 'pool.allocate', takes: '()', does: 'one node' },
  { name: 'pool.allocateMany', takes: '(count)', does: 'many nodes by one call' },
  { name: 'pool.deallocate', takes: '(node)', does: 'gives a node back; so does pool.free, its former name' },
  { name: 'pool.freeMany', takes: '(nodes)', does: 'gives nodes back' },
  { name: 'pool.trim', takes: '()', does: 'gives wholly free blocks back to the heap' },
  { name: 'pool.destroy', takes: '()', does: 'ends the pool' },
  { name: 'malloc', takes: '(size, thread)', does: 'as in C; thread: 1, 2 …, each with a cache of its own' },
  { name: 'realloc', takes: '(block, size, thread)', does: 'as in C' },
  { name: 'free', takes: '(block, thread)', does: 'as in C, for blocks of malloc' },
  { name: 'chapter', takes: '(title)', does: 'a mark on the time line' },
  { name: 'hex', takes: '(address)', does: 'an address as the map writes it' },
  { name: 'console.log', takes: '(…)', does: 'prints below' },
];
