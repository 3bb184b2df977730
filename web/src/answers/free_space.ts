// The free memory of one heap: how much, in how many pieces, the largest, and the fewest blocks that keep a piece of some size from
// being there.
//
//   free 40 │ A 16 │ free 64 │ B 900 │ free 32 │ C 16 │ D 16 │ free 48
//             └ 1 block: 120 in one piece        └─ 2 blocks: 112 ─┘         for 100 bytes A is the answer
//
//   free.S1  A piece is a run of free chunks; between two calls no two of them touch, so it is one chunk.
//   free.S2  A release is a run of chunks of one segment, from a free or used one to another, of at least the bytes needed. Of all
//            those the one with the fewest blocks is the least, then the one with the fewest bytes in blocks, then the lowest.
//   free.S3  O(chunks of the heap).
//   free.S4  A slab is one chunk. It gets free by freeing its blocks in use; without any it is cached as a whole.

import { chunkStateOf, forEachChunk } from '../model/state/chunk_at.ts';
import type { HeapEntry } from '../model/state/entries.ts';
import type { HeapState } from '../model/state/heap_state.ts';
import { blocksInUse, forEachWhole, type SlabAround } from '../model/state/slab_around.ts';
import type { AnswerHole } from '../protocol/answers.ts';
import { ChunkState } from '../protocol/map_frames.ts';
import { kMostAnswerHoles } from './limits.ts';
import { kFree } from './pins.ts';

export interface FreeSpace {
  readonly bytes: number;
  readonly pieces: number;
  readonly largest: number;
  readonly top: number;
  /** Without top. */
  readonly largestHole: number;
  /** Largest first. */
  readonly holes: readonly AnswerHole[];
}

export interface Release {
  /** Chunks in use, or cached, in the order of their addresses. */
  readonly blocks: readonly {
    readonly address: number;
    readonly size: number;
    readonly born: number;
    readonly isCached: boolean;
  }[];
  readonly bytes: number; // of the blocks
  readonly address: number; // of the piece that this gives
  readonly size: number;
}

/** S1: all of them, by address in each segment. */
export function holesOf(state: HeapState, heap: HeapEntry): AnswerHole[] {
  const holes: AnswerHole[] = [];
  for (const segment of state.segments) {
    if (segment.heap !== heap.id) continue;
    let end = -1;
    forEachChunk(state, segment, (address, granule) => {
      const kind = chunkStateOf(state, granule);
      if (!kFree.has(kind)) return;
      const size_bytes = state.sizeOf(granule);
      const is_top = kind === ChunkState.top;
      const last = holes[holes.length - 1];
      if (end === address && last !== undefined)
        holes[holes.length - 1] = {
          address: last.address,
          size_bytes: last.size_bytes + size_bytes,
          is_top: last.is_top || is_top,
        };
      else holes.push({ address, size_bytes, is_top });
      end = address + size_bytes;
    });
  }
  return holes;
}

export function freeSpaceOf(state: HeapState, heap: HeapEntry): FreeSpace {
  const holes = holesOf(state, heap);
  holes.sort((one, two) => two.size_bytes - one.size_bytes || one.address - two.address);
  return {
    bytes: holes.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
    pieces: holes.length,
    largest: holes[0]?.size_bytes ?? 0,
    top: holes.find(({ is_top }) => is_top)?.size_bytes ?? 0,
    largestHole: holes.find(({ is_top }) => !is_top)?.size_bytes ?? 0,
    holes: holes.slice(0, kMostAnswerHoles),
  };
}

interface Chunk {
  readonly address: number;
  readonly size: number;
  /** What must be freed for it: itself, or of a slab its blocks in use (S4). */
  readonly blocks: Release['blocks'];
  readonly inBlocks: number; // bytes
}

function chunkOf(
  state: HeapState,
  address: number,
  granule: number,
  size: number,
  slab: SlabAround | undefined,
): Chunk {
  const kind = chunkStateOf(state, granule);
  const born = (of: number) => state.born[of] ?? 0;
  if (slab !== undefined && slab.free < slab.blocks) {
    const blocks = blocksInUse(state, slab).map(([at, of]) => {
      return { address: at, size: slab.blockBytes, born: born(of), isCached: false };
    });
    return { address, size, blocks, inBlocks: blocks.length * slab.blockBytes };
  }
  if (kFree.has(kind)) return { address, size, blocks: [], inBlocks: 0 };
  return {
    address,
    size,
    blocks: [{ address, size, born: born(granule), isCached: kind === ChunkState.cached }],
    inBlocks: size,
  };
}

/** S2. undefined: no segment of the heap is as large. A window over the chunks, which is made as short as it can be at each end. */
export function leastRelease(state: HeapState, heap: HeapEntry, needed: number): Release | undefined {
  let best: { readonly blocks: number; readonly bytes: number; readonly window: readonly Chunk[] } | undefined;
  for (const segment of state.segments) {
    if (segment.heap !== heap.id || segment.size < needed) continue;
    const chunks: Chunk[] = [];
    forEachWhole(state, segment, (at, granule, size, slab) => chunks.push(chunkOf(state, at, granule, size, slab)));
    let first = 0;
    let size = 0;
    let blocks = 0;
    let inBlocks = 0;
    for (let end = 1; end <= chunks.length; ++end) {
      const added = chunks[end - 1] as Chunk;
      size += added.size;
      blocks += added.blocks.length;
      inBlocks += added.inBlocks;
      for (let shortest = chunks[first] as Chunk; size - shortest.size >= needed; shortest = chunks[first] as Chunk) {
        size -= shortest.size;
        blocks -= shortest.blocks.length;
        inBlocks -= shortest.inBlocks;
        first += 1;
      }
      if (
        size < needed ||
        (best !== undefined && (blocks > best.blocks || (blocks === best.blocks && inBlocks >= best.bytes)))
      )
        continue;
      best = { blocks, bytes: inBlocks, window: chunks.slice(first, end) };
    }
  }
  return best === undefined ? undefined : releaseOf(best.window);
}

function releaseOf(window: readonly Chunk[]): Release {
  const blocks = window.flatMap((chunk) => chunk.blocks);
  return {
    blocks,
    bytes: blocks.reduce((sum, { size }) => sum + size, 0),
    address: window[0]?.address ?? 0,
    size: window.reduce((sum, { size }) => sum + size, 0),
  };
}
