// The allocator's free pages, read through its functions (heapglass.h, "memory that could go back").

/** hg_heap_free_pages of one heap, or hg_memory_free_pages: writes runs, and says how many. */
export type ListPages = (pageBytes: number, cursor: number, runs: number, capacity: number) => number;

/** The least page of an operating system that counts; and a page of one word: the whole inside of each free chunk. */
export const kOsPage = 4096;
export const kOneWord = 4;
const kCursorWords = 2;

/** All runs of one list: address and bytes, in turn. `scratch`: address of so many words that the list may write to. */
export function readRuns(
  list: ListPages,
  pageBytes: number,
  memory: () => ArrayBufferLike,
  scratch: number,
  scratchWords: number,
): number[] {
  const runs: number[] = [];
  const capacity = (scratchWords - kCursorWords) >>> 1;
  const at = scratch + 4 * kCursorWords;
  new Uint32Array(memory(), scratch, kCursorWords).fill(0);
  for (;;) {
    const count = list(pageBytes, scratch, at, capacity);
    if (count === 0) return runs;
    const words = new Uint32Array(memory(), at, 2 * count);
    for (let i = 0; i < words.length; ++i) runs.push(words[i] as number);
  }
}
