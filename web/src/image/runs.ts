// Runs of a memory, and their contents one behind the other, each padded to a word.
//
//   memory     | run 0 |     | run 1 |  | run 2   |
//   contents   | run 0 | run 1 | run 2   |
//
//  runs.R1  Runs are in address order, and begin at whole pages (live_pages.ts).

import { isZeroPage, kPage } from './live_pages.ts';

/** Each run, and where its contents begin. */
export function eachRun(runs: ArrayLike<number>, visit: (address: number, bytes: number, at: number) => void): void {
  let at = 0;
  for (let i = 0; i < runs.length; i += 2) {
    const bytes = runs[i + 1] as number;
    visit(runs[i] as number, bytes, at);
    at += padded(bytes);
  }
}

const padded = (bytes: number): number => Math.ceil(bytes / 4) * 4;

/** A multiple of a word. */
export function contentBytesOf(runs: ArrayLike<number>): number {
  let bytes = 0;
  for (let i = 1; i < runs.length; i += 2) bytes += padded(runs[i] as number);
  return bytes;
}

export function copyRuns(memory: Uint8Array, runs: ArrayLike<number>, place: Uint8Array): void {
  eachRun(runs, (address, bytes, at) => place.set(memory.subarray(address, address + bytes), at));
}

/** Makes a memory hold these runs, and zeros elsewhere. pre: it is long enough */
export function writeRuns(memory: ArrayBufferLike, runs: ArrayLike<number>, contents: Uint8Array): void {
  const u8 = new Uint8Array(memory);
  const i32 = new Int32Array(memory);
  let pending = 0; // the first byte that is not written yet
  const clear = (end: number): void => {
    for (let at = pending; at < end; at = pageAfter(at)) {
      if (at % kPage !== 0 || !isZeroPage(i32, at)) u8.fill(0, at, Math.min(end, pageAfter(at)));
    }
  };
  eachRun(runs, (address, bytes, at) => {
    clear(address);
    u8.set(contents.subarray(at, at + bytes), address);
    pending = address + bytes;
  });
  clear(u8.length);
}

const pageAfter = (at: number): number => Math.floor(at / kPage) * kPage + kPage;
