// Runs in a few bytes each, for the bytes of a snapshot: where much is free in small pieces, there are as many runs.
//
//   31              16 15               0
//  +------------------+------------------+
//  | words copied     | words skipped    |      skipped first, from where the last run ended
//  +------------------+------------------+
//
//  packed.R1  A run that is longer takes further words, and so does a gap. Runs without a gap between them become one.
//  packed.R2  A run begins at a word, and its bytes are rounded up to whole words, as its contents are (runs.ts).

const kMost = 0xffff;

/** `runs`: address and bytes, in turn, in address order. */
export function packRuns(runs: ArrayLike<number>): number[] {
  const packed: number[] = [];
  let at = 0;
  for (let i = 0; i < runs.length; i += 2) {
    const address = runs[i] as number;
    const bytes = runs[i + 1] as number;
    let skipped = (address - at) / 4;
    let copied = Math.ceil(bytes / 4);
    for (; skipped > kMost; skipped -= kMost) packed.push(kMost);
    for (; copied > kMost; copied -= kMost) {
      packed.push(skipped + kMost * (kMost + 1));
      skipped = 0;
    }
    packed.push(skipped + copied * (kMost + 1));
    at = address + 4 * Math.ceil(bytes / 4);
  }
  return packed;
}

export function unpackRuns(packed: ArrayLike<number>): number[] {
  const runs: number[] = [];
  let at = 0;
  for (let i = 0; i < packed.length; ++i) {
    const word = packed[i] as number;
    const copied = 4 * (word >>> 16);
    const skipped = 4 * (word & kMost);
    at += skipped;
    const last = runs.length - 1;
    if (copied > 0 && skipped === 0 && last > 0 && (runs[last - 1] as number) + (runs[last] as number) === at)
      runs[last] = (runs[last] as number) + copied;
    else if (copied > 0) runs.push(at, copied);
    at += copied;
  }
  return runs;
}
