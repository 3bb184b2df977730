// Bytes in use after each event, and their least and greatest over 64, 4,096 and 262,144 events: a chart asks for as many
// columns as it has pixels and pays for those, not for the events.
//
//   level 0   | one value an event, as its difference (delta_column.ts)    |
//   level 1   | min max of 64  | min max of 64 | ...                 |   a bucket is there when it is full; the rest is
//   level 2   | min max of 4,096 ...                                 |   read from the level below
//   level 3   | min max of 262,144 ...                               |

import { GrowingUint32 } from '../../base/growing.ts';
import { DeltaColumn } from './delta_column.ts';

const kStepBits = 6;
const kStep = 1 << kStepBits;
const kLevels = 3;

interface Level {
  readonly min: GrowingUint32;
  readonly max: GrowingUint32;
}

export class TimeSeries {
  readonly #values = new DeltaColumn();
  readonly #levels: readonly Level[] = Array.from({ length: kLevels }, () => ({
    min: new GrowingUint32(),
    max: new GrowingUint32(),
  }));
  #lowest = 0xffff_ffff; // of the bucket of level 1 that is being filled
  #highest = 0;
  #min = 0; // of the range being scanned
  #max = 0;

  /** The value after event number `count`. */
  push(value: number): void {
    this.#values.push(value);
    if (value < this.#lowest) this.#lowest = value;
    if (value > this.#highest) this.#highest = value;
    if ((this.count & (kStep - 1)) === 0) this.#close();
  }

  get count(): number {
    return this.#values.count;
  }

  /** The value at sequence number `seq`: behind event seq - 1, 0 at the beginning. */
  at(seq: number): number {
    return seq <= 0 ? 0 : this.#values.at(Math.min(seq, this.count) - 1);
  }

  /** Least and greatest value at the sequence numbers [from, to]. O(log events). pre: 0 <= from <= to <= count */
  range(from: number, to: number): readonly [min: number, max: number] {
    this.#min = this.at(from);
    this.#max = this.#min;
    this.#scan(0, from, to); // item i of level 0 is the value at sequence number i + 1
    return [this.#min, this.#max];
  }

  /** Items [from, to) of a level: whole buckets of the level above where there are any, single items at the ends. */
  #scan(level: number, from: number, to: number): void {
    const above = this.#levels[level];
    const firstBucket = (from + kStep - 1) >>> kStepBits;
    const endBucket = Math.min(to >>> kStepBits, above?.min.count ?? 0);
    if (firstBucket >= endBucket) {
      this.#scanItems(level, from, to);
      return;
    }
    this.#scanItems(level, from, firstBucket << kStepBits);
    this.#scan(level + 1, firstBucket, endBucket);
    this.#scanItems(level, endBucket << kStepBits, to);
  }

  #scanItems(level: number, from: number, to: number): void {
    let min = this.#min;
    let max = this.#max;
    const note = (low: number, high: number) => {
      if (low < min) min = low;
      if (high > max) max = high;
    };
    const items = this.#levels[level - 1];
    if (items === undefined) this.#values.visit(from, to, (value) => note(value, value));
    else for (let i = from; i < to; ++i) note(items.min.at(i), items.max.at(i));
    this.#min = min;
    this.#max = max;
  }

  /** Closes the buckets that end at the count. */
  #close(): void {
    this.#levels[0]?.min.push(this.#lowest);
    this.#levels[0]?.max.push(this.#highest);
    this.#lowest = 0xffff_ffff;
    this.#highest = 0;
    for (let level = 1; level < kLevels; ++level) {
      const size = 1 << ((level + 1) * kStepBits);
      const below = this.#levels[level - 1];
      if ((this.count & (size - 1)) !== 0 || below === undefined) return;
      const first = (this.count - size) >>> (level * kStepBits);
      let min = 0xffff_ffff;
      let max = 0;
      for (let i = first; i < first + kStep; ++i) {
        min = Math.min(min, below.min.at(i));
        max = Math.max(max, below.max.at(i));
      }
      this.#levels[level]?.min.push(min);
      this.#levels[level]?.max.push(max);
    }
  }
}

/** A value that changes seldom: the sequence number of each change and the value from there on. */
export class StepSeries {
  readonly #seqs = new GrowingUint32();
  readonly #values = new GrowingUint32();

  /** From sequence number `seq` on the value is `value`. pre: seq does not go back */
  set(seq: number, value: number): void {
    const last = this.#values.last();
    if (last === value) return;
    this.#seqs.push(seq);
    this.#values.push(value);
  }

  /** undefined before the first. */
  at(seq: number): number | undefined {
    const nth = this.#seqs.countBelow(seq + 1) - 1;
    return nth < 0 ? undefined : this.#values.at(nth);
  }

  /** The next sequence number behind `seq` with another value; infinite when there is none. */
  nextChange(seq: number): number {
    const nth = this.#seqs.countBelow(seq + 1);
    return nth < this.#seqs.count ? this.#seqs.at(nth) : Number.POSITIVE_INFINITY;
  }

  /** Greatest value at the sequence numbers [from, to]; 0 where there is none. */
  maxOver(from: number, to: number): number {
    let max = this.at(from) ?? 0;
    for (let nth = this.#seqs.countBelow(from + 1); nth < this.#seqs.countBelow(to + 1); ++nth) {
      max = Math.max(max, this.#values.at(nth));
    }
    return max;
  }
}
