// Slabs of malloc: rule P8 of event.h. A slab is cut into parts, each of which is a chunk of the table: what the program does with
// a block, it does as with any chunk that malloc caches.
//
//      | own words | block 0 | block 1 | ... | rest |       the heap has one chunk there
//
//   B1  A free block is cached on the list of its class. One in use has that list in its tag too, so it is known that it has no header.
//   B2  The own words are cached on kSlabWords, the rest on kSlabRest: nobody takes them. A chunk of own words alone says where slabs lie.
//   B3  All parts have holder 1, whoever acts.
//   B5  When a slab ends, each block in use becomes a chunk that begins at the same address and ends two words behind the block's part; no
//       two of them are neighbours. What lies between is a chunk in use for a moment, or, where it is too short, of the block before.
//   B4  A block and the rest have no header. Their address names the word before them, as that of a chunk does; they begin behind it.

import { kSlabLists, kSlabWords } from '../../protocol/event_layout.ts';
import { isSlabList, isSlabOf } from '../../protocol/slab_lists.ts';
import { kHoldsBlock, kInSlab, kInUse } from './chunk_table.ts';
import { contradict } from './contradiction.ts';
import type { HeapState } from './heap_state.ts';

/** B2. Only the model has this list. */
export const kSlabRest = kSlabWords + 1;
/** B3 */
export const kSlabHolder = 1;
const kOwnWords = 4;
/** No chunk is shorter than four words. */
export const leastPart = (state: HeapState): number => 4 * state.wordSize;

/** Whether it is a list of a slab's blocks, or of what is its own. */
export const isOfSlab = (list: number): boolean => list >= kSlabLists && list <= kSlabRest;

/** B2: of a list of chunks that malloc caches. */
export const servesRequests = (list: number): boolean => !isOfSlab(list) || isSlabList(list);

/** The list of the slab's block in this granule; undefined: it is none. */
export function slabListOf(state: HeapState, granule: number): number | undefined {
  if (((state.chunks[granule] ?? 0) & (kInUse | kHoldsBlock)) !== kInUse) return undefined;
  const tag = state.tag[granule] ?? 0;
  const list = tag >= kInSlab ? tag - kInSlab : tag - 1;
  return isSlabList(list) ? list : undefined;
}

/** B4. pre: a chunk begins there */
export const isHeadless = (state: HeapState, granule: number): boolean =>
  slabListOf(state, granule) !== undefined || (state.isCached(granule) && state.tag[granule] === kSlabRest + 1);

/** B4: where the block or chunk at `at` begins, as it is shown and searched for. */
export const beginOf = (state: HeapState, at: number, granule: number): number =>
  isHeadless(state, granule) ? at + state.wordSize : at;

/** Whether the chunk in use belongs to a slab: only its own events change it. */
export const isSlabPart = (state: HeapState, granule: number): boolean =>
  slabListOf(state, granule) !== undefined || (state.isCached(granule) && isOfSlab((state.tag[granule] ?? 0) - 1));

/** What is before the first block of a slab, header included, in bytes. */
export const ownBytes = (state: HeapState): number => kOwnWords * state.wordSize;

/** The parts of a slab, as an event names it. */
export interface SlabParts {
  readonly size: number; // of the chunk
  readonly own: number;
  readonly rest: number;
}

/** What slab_made says of a chunk of `size` bytes; a contradiction if that is impossible. */
export function partsOf(state: HeapState, list: number, size: number, bytes: number, count: number): SlabParts {
  const own = ownBytes(state);
  const rest = size - own - bytes * count;
  if (!isSlabList(list) || !isSlabOf(bytes, count) || rest < leastPart(state)) {
    contradict(`a slab of ${count} blocks of ${bytes} bytes in a chunk of ${size} bytes is impossible`);
  }
  return { size, own, rest };
}
