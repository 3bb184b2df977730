// Counts and bytes by powers of two: bucket 0 has the value 0, bucket k the values from 2^(k-1) to 2^k - 1.

import type { Bucket } from './report_types.ts';

export const kBuckets = 54; // up to 2^53 - 1

export class PowerHistogram {
  readonly #counts = new Float64Array(kBuckets);
  readonly #bytes = new Float64Array(kBuckets);

  /** pre: value is a whole number >= 0 */
  add(value: number, bytes: number): void {
    const k = value < 2 ** 32 ? 32 - Math.clz32(value) : 64 - Math.clz32(value / 2 ** 32); // log2 rounds 2^53 - 1 up
    this.#counts[k] = (this.#counts[k] ?? 0) + 1;
    this.#bytes[k] = (this.#bytes[k] ?? 0) + bytes;
  }

  /** From the first bucket that has something to the last. */
  buckets(): Bucket[] {
    const all = Array.from(this.#counts, (allocations, k) => ({
      from: k === 0 ? 0 : 2 ** (k - 1),
      to: k === 0 ? 0 : 2 ** k - 1,
      allocations,
      bytes: this.#bytes[k] ?? 0,
    }));
    const used = (bucket: Bucket) => bucket.allocations > 0;
    const first = all.findIndex(used);
    return first < 0 ? [] : all.slice(first, all.findLastIndex(used) + 1);
  }
}
