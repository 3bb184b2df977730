// Copies what lives from one memory to the same addresses of another.
//
//   old   | data, stack | live | free pages | live | zeros | live | free ............ |
//   new   | data, stack | live |     --     | live |  --   | live |                        -- is not written: it costs no memory
//                                                                 ^ end
//
//  live.P1  What the allocator calls free is left out, and so are pages of zeros where the new memory has zeros, too. A page that is
//           not zero shows it in its first words, so looking for zeros costs only where they are.
//  live.P2  The list of free pages is a list of what need not be copied, in any order. What it does not name is copied.

const kPage = 4096;
const kPageWords = kPage / 4;

/** Free pages: address and bytes, in turn. */
export type FreeRuns = readonly number[];

/** Copies [0, end) without the free pages; how many bytes were written. pre: both have `end` bytes */
export function copyLive(from: ArrayBufferLike, to: ArrayBufferLike, end: number, free: FreeRuns): number {
  const source = new Uint8Array(from);
  const target = new Uint8Array(to);
  const words = { from: new Int32Array(from), to: new Int32Array(to) };
  let copied = 0;
  const copy = (begin: number, stop: number): void => {
    if (stop <= begin) return;
    target.set(source.subarray(begin, stop), begin);
    copied += stop - begin;
  };
  const copyUnlessZero = (begin: number, stop: number): void => {
    let pending = begin; // the first byte that is not copied yet
    for (let page = Math.ceil(begin / kPage) * kPage; page + kPage <= stop; page += kPage) {
      if (!isZero(words.from, page) || !isZero(words.to, page)) continue;
      copy(pending, page);
      pending = page + kPage;
    }
    copy(pending, stop);
  };
  let at = 0;
  for (const run of inOrder(free)) {
    if (run.begin >= end) break;
    copyUnlessZero(at, run.begin);
    at = Math.max(at, run.stop);
  }
  copyUnlessZero(at, end);
  return copied;
}

function inOrder(free: FreeRuns): { readonly begin: number; readonly stop: number }[] {
  const runs: { begin: number; stop: number }[] = [];
  for (let i = 0; i + 1 < free.length; i += 2) {
    const begin = free[i] ?? 0;
    runs.push({ begin: begin, stop: begin + (free[i + 1] ?? 0) });
  }
  return runs.sort((a, b) => a.begin - b.begin);
}

function isZero(words: Int32Array, page: number): boolean {
  const first = page >>> 2;
  for (let i = first; i < first + kPageWords; ++i) if (words[i] !== 0) return false;
  return true;
}
