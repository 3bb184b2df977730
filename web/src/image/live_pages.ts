// Which pages of a memory live, and copies of them at the same addresses of another.
//
//   old   | data, stack | live | free pages | live | zeros | live | free ............ |
//   new   | data, stack | live |     --     | live |  --   | live |                        -- is not written: it costs no memory
//                                                                 ^ end
//
//  live.P1  What the allocator calls free is left out, and so are pages of zeros where the new memory has zeros, too. A page that is
//           not zero shows it in its first words, so looking for zeros costs only where they are.
//  live.P4  Where the new memory has zeros is known from what was written to it, if the caller knows that. Then no page of it is read: the first
//           reading of a page is as dear as the first writing.
//  live.P5  Only where the old page is all zeros is the new one asked about: one that will be written is not read before.
//  live.P3  A gap of few bytes is copied with what lies around it: to leave it out costs more.
//  live.P2  The list of free pages is a list of what need not be copied, in any order. What it does not name is copied.

export const kPage = 4096;
const kPageWords = kPage / 4;
const kLeastGap = 16; // bytes

/** Free pages: address and bytes, in turn. */
export type FreeRuns = readonly number[];

/** Address and bytes, in turn, in address order. */
export type LiveRuns = readonly number[];

/** The runs of [0, end) without the free pages, and without the whole pages that are left out: `leaves` is asked for each. */
export function liveRuns(end: number, free: FreeRuns, leaves: (page: number) => boolean): number[] {
  const runs: number[] = [];
  const add = (begin: number, stop: number): void => {
    if (stop > begin) runs.push(begin, stop - begin);
  };
  const addPages = (begin: number, stop: number): void => {
    let pending = begin; // the first byte that is in no run yet
    for (let page = Math.ceil(begin / kPage) * kPage; page + kPage <= stop; page += kPage) {
      if (!leaves(page)) continue;
      add(pending, page);
      pending = page + kPage;
    }
    add(pending, stop);
  };
  let at = 0;
  for (const i of inOrder(free)) {
    const begin = free[i] as number;
    const bytes = free[i + 1] as number;
    if (begin >= end) break;
    if (bytes < kLeastGap) continue;
    addPages(at, begin);
    at = Math.max(at, begin + bytes);
  }
  addPages(at, end);
  return runs;
}

/**
 * Copies [0, end) without the free pages; how many bytes were written. `filled`: address and bytes of what is not zero in `to`, in turn;
 * undefined: nobody knows. pre: both have `end` bytes
 */
export function copyLive(
  from: ArrayBufferLike,
  to: ArrayBufferLike,
  end: number,
  free: FreeRuns,
  filled: readonly number[] | undefined,
): number {
  const source = new Uint8Array(from);
  const target = new Uint8Array(to);
  const words = new Int32Array(from);
  const isUnwritten = filled === undefined ? readingZeros(to) : outside(filled);
  const runs = liveRuns(end, free, (page) => isZeroPage(words, page) && isUnwritten(page)); // live.P5
  let copied = 0;
  for (let i = 0; i < runs.length; i += 2) {
    const begin = runs[i] as number;
    const bytes = runs[i + 1] as number;
    target.set(source.subarray(begin, begin + bytes), begin);
    copied += bytes;
  }
  return copied;
}

function readingZeros(memory: ArrayBufferLike): (page: number) => boolean {
  const words = new Int32Array(memory);
  return (page) => isZeroPage(words, page);
}

/** P4 */
function outside(filled: readonly number[]): (page: number) => boolean {
  const pages = new Set<number>();
  for (let i = 0; i < filled.length; i += 2) {
    const begin = filled[i] as number;
    const end = begin + (filled[i + 1] as number);
    for (let page = Math.floor(begin / kPage) * kPage; page < end; page += kPage) pages.add(page);
  }
  return (page) => !pages.has(page);
}

/** Where each run stands in the list, in address order. */
function inOrder(free: FreeRuns): Uint32Array {
  const places = new Uint32Array(free.length / 2).map((_, i) => 2 * i);
  return places.sort((a, b) => (free[a] as number) - (free[b] as number));
}

/** Whether the page of 4 KiB at this address holds nothing but zeros. */
export function isZeroPage(words: Int32Array, page: number): boolean {
  const first = page >>> 2;
  if (words[first] !== 0) return false;
  // Eight words at a time: the pages of an unused stack are read in code that has just begun to run.
  for (let i = first; i < first + kPageWords; i += 8) {
    const low = (words[i] as number) | (words[i + 1] as number) | (words[i + 2] as number) | (words[i + 3] as number);
    const high =
      (words[i + 4] as number) | (words[i + 5] as number) | (words[i + 6] as number) | (words[i + 7] as number);
    if ((low | high) !== 0) return false;
  }
  return true;
}
