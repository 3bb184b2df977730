// How large the chunks of a heap are at one moment, and how old those in use: the classes of two histograms.
//
//   SZ1  Class k of sizes holds [2^k, 2^(k+1)) bytes, header included; of ages, [2^k, 2^(k+1)) events since the birth, which is the
//        first of them.
//   SZ2  Each chunk of the heap is in one class of sizes, as in use, as cached or as free; the top and the victim are free, pool
//        blocks are in use. What slabs have for themselves is in none, and counted beside. So the sums are the numbers of the status.
//   SZ3  O(chunks of the heap): asked for by who looks at it, while time stands.

import { addr, bytes } from '../../base/brand.ts';
import { listOf } from '../../model/state/cached_chunks.ts';
import { chunkStateOf, forEachChunk } from '../../model/state/chunk_at.ts';
import type { HeapEntry } from '../../model/state/entries.ts';
import type { HeapState } from '../../model/state/heap_state.ts';
import { beginOf, servesRequests } from '../../model/state/slabs.ts';
import { ChunkState } from '../../protocol/map_frames.ts';
import type { PartQuery } from '../query.ts';
import { kSizes, type SizeClassRow, type SizesFrame } from './part.ts';

const kClasses = 32;

const classOf = (value: number): number => Math.min(31 - Math.clz32(Math.max(value, 1)), kClasses - 1);

export const sizesQuery: PartQuery<true, SizesFrame> = {
  key: kSizes,
  query: ({ state, heap }) => (heap === undefined ? undefined : querySizes(state, heap)),
};

export function querySizes(state: HeapState, heap: HeapEntry): SizesFrame {
  const inUse = new Classes();
  const cached = new Classes();
  const free = new Classes();
  const ages = new Classes();
  let slabWords = 0;
  for (const segment of state.segments) {
    if (segment.heap !== heap.id) continue;
    forEachChunk(state, segment, (chunk, granule) => {
      const at = beginOf(state, chunk, granule);
      const size = state.bytesOf(granule);
      const kind = chunkStateOf(state, granule);
      if (kind === ChunkState.free || kind === ChunkState.top || kind === ChunkState.victim) {
        free.add(classOf(size), at, size);
        return;
      }
      if (kind === ChunkState.cached) {
        if (servesRequests(listOf(state, granule))) cached.add(classOf(size), at, size);
        else slabWords += size;
        return;
      }
      inUse.add(classOf(size), at, size);
      ages.add(classOf(state.seq - (state.born[granule] ?? 0)), at, size);
    });
  }
  return {
    heap: heap.id,
    inUse: inUse.rows(),
    cached: cached.rows(),
    slabWords: bytes(slabWords),
    free: free.rows(),
    ages: ages.rows(),
  };
}

class Classes {
  readonly #count = new Float64Array(kClasses);
  readonly #bytes = new Float64Array(kClasses);
  readonly #largest = new Float64Array(kClasses);
  readonly #at = new Float64Array(kClasses);

  add(nth: number, at: number, size: number): void {
    this.#count[nth] = (this.#count[nth] ?? 0) + 1;
    this.#bytes[nth] = (this.#bytes[nth] ?? 0) + size;
    if (size <= (this.#largest[nth] ?? 0)) return;
    this.#largest[nth] = size;
    this.#at[nth] = at;
  }

  rows(): SizeClassRow[] {
    const rows: SizeClassRow[] = [];
    for (let nth = 0; nth < kClasses; ++nth) {
      const count = this.#count[nth] ?? 0;
      if (count === 0) continue;
      rows.push({
        power: nth,
        count,
        bytes: bytes(this.#bytes[nth] ?? 0),
        largest: bytes(this.#largest[nth] ?? 0),
        largestAt: addr(this.#at[nth] ?? 0),
      });
    }
    return rows;
  }
}
