// What rule P8 of event.h says of slabs alone: the numbers of their lists, which are not of chunks, and what they can be cut into.

import { kSlabLists, kSlabWords } from './event_layout.ts';

/** Whether it is the list of a slab's blocks. */
export const isSlabList = (list: number): boolean => list >= kSlabLists && list < kSlabWords;

const kMostBlocks = 64;
const kMostBlockBytes = 4096; // malloc's slabs have at most so many bytes in all

/** Whether a slab can have so many blocks of so many bytes. Who does not know the chunk it lies in may go through it block by block. */
export const isSlabOf = (bytes: number, count: number): boolean =>
  count > 0 && count <= kMostBlocks && bytes >= 16 && bytes <= kMostBlockBytes && (bytes & 7) === 0;
