// Numbers of cache lists that are not of chunks: rule P8 of event.h.

import { kSlabLists, kSlabWords } from './event_layout.ts';

/** Whether it is the list of a slab's blocks. */
export const isSlabList = (list: number): boolean => list >= kSlabLists && list < kSlabWords;
