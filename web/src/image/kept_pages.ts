// A copy of what lives in a memory, and the way back to it in place.
//
//   keep     a copy of the pages that live      | data, stack | live | live |       one behind the other
//   memory   | data, stack | live | free | zeros | live | free ...... | grown since |
//   back     compared, and written where they differ; zeros are cleared where they are none; free pages stay as they are
//
//  kept.L1  wasm does not say which pages were written to. So going back reads every page that lived, and its copy, up to where they
//      differ (same_bytes.ts); it writes the pages that differ, and no other: O(pages that lived) to read, O(pages touched) to write.
//  kept.L2  A free page was nobody's when the copy was made: nothing depends on what it holds.

import { type FreeRuns, isZeroPage, kPage, type LiveRuns, liveRuns } from './live_pages.ts';
import { contentBytesOf, copyRuns, eachRun } from './runs.ts';
import { type CopyPlace, comparing, placeForCopy } from './same_bytes.ts';
import type { Fail } from './snapshot_file.ts';

export interface KeptPages {
  readonly end: number;
  /** What lived; and pages that lived and held zeros. */
  readonly runs: LiveRuns;
  readonly zeros: LiveRuns;
  readonly copy: CopyPlace;
}

/** Of [0, end) without the free pages. */
export function keepPages(memory: ArrayBufferLike, end: number, free: FreeRuns, fail: Fail): KeptPages {
  const words = new Int32Array(memory);
  const runs = liveRuns(end, free, (page) => isZeroPage(words, page));
  const zeros = liveRuns(end, [...free, ...runs], () => false);
  const bytes = contentBytesOf(runs);
  try {
    const copy = placeForCopy(bytes);
    copyRuns(new Uint8Array(memory), runs, copy.contents);
    return { end, runs, zeros, copy };
  } catch (cause) {
    throw fail('out_of_memory', `no ${bytes} bytes for the checkpoint can be had`, { cause });
  }
}

/** L1. How many pages of 4 KiB were written. pre: the memory has `end` bytes */
export function putBack(memory: WebAssembly.Memory, { runs, zeros, copy }: KeptPages): number {
  const u8 = new Uint8Array(memory.buffer);
  const words = new Int32Array(memory.buffer);
  const isSame = comparing(memory, copy);
  let written = 0;
  eachRun(runs, (address, bytes, at) => {
    for (let done = 0; done < bytes; done += kPage) {
      const size = Math.min(kPage, bytes - done);
      if (isSame(address + done, at + done, size)) continue;
      u8.set(copy.contents.subarray(at + done, at + done + size), address + done);
      ++written;
    }
  });
  for (let i = 0; i < zeros.length; i += 2) {
    const address = zeros[i] as number;
    for (let page = address; page < address + (zeros[i + 1] as number); page += kPage) {
      if (isZeroPage(words, page)) continue;
      u8.fill(0, page, page + kPage);
      ++written;
    }
  }
  return written;
}
