// The path of a new context, mostly without a look at the stack: the calls on its top are those of an earlier one.
//
//   malloc's context:   c = ((b * kFactor + 7) * kFactor + 31) * kFactor + 2         b: the context below, which is known; 7, 31, 2: a tail
//                         = b * kFactor^3 + sum of the tail
//   for each tail:      (c - sum) / kFactor^length                                     known? its path, and the tail on top of it
//
//  A program comes to its allocations by few tails, whatever it does below: an interpreter of Python by 11,500 in 319,000 stacks, and two
//  in three of these by one of its last 64. After Michael Bond, Graham Baker and Samuel Guyer, "Breadcrumbs: Efficient Context Sensitivity
//  for Dynamic Bug Detection Analyses", 2010, who search the graph of calls: there the tails are too long for that.
//
//  tail.1  Another tail leads to a context that no stack has, but with a probability of 2^-64 for each trial (shadow_stack.ts, S3). So what is
//          found is the path.
//  tail.2  Tried first are those that came behind the last one before, then all, the one that was last a surprise first. One that was not
//          found since it came to the end of this order makes way for a new one.
//  tail.3  A context that a call has left behind, which ended by an exception, looks like one that others stand in. So only what puts the
//          context back (S7) is searched. After a trap a path may be too long by what had trapped.

import type { PairTable } from './pair_table.ts';
import { kFactor, type NumberedCall } from './site_table.ts';
import { halves, highOfProduct, inverseOf, kFactorOfCalls } from './words_of_context.ts';

const kMostTails = 4096; // so many trials take as long as a look at the stack
const kWays = 8;
const kLongest = 64; // calls

const kWord = 2 ** 32;

/** Of 1 / kFactor^n. */
const kPowersLow = new Uint32Array(kLongest + 1);
const kPowersHigh = new Uint32Array(kLongest + 1);
for (let [n, power] = [0, 1n]; n <= kLongest; ++n, power = BigInt.asUintN(64, power * inverseOf(kFactorOfCalls)))
  [kPowersLow[n], kPowersHigh[n]] = halves(power);

export const kNone = -1; // a PairTable's

/** What is known of the context below, and the calls above it, innermost first. */
export interface Found {
  readonly base: number;
  readonly tail: readonly NumberedCall[];
}

export class TailSearch {
  readonly #low = new Uint32Array(kMostTails); // of sums
  readonly #high = new Uint32Array(kMostTails);
  readonly #tails: (readonly NumberedCall[])[] = [];
  readonly #lengths = new Uint8Array(kMostTails);
  readonly #order = new Uint16Array(kMostTails); // tail.2
  readonly #next = new Uint16Array(kMostTails * kWays); // of each, those that came behind it, the last one first
  readonly #isUsed = new Uint8Array(kMostTails);
  #last = 0;
  readonly #known: PairTable;

  constructor(known: PairTable) {
    this.#known = known;
  }

  /** `tail`: the calls above a known context, innermost first. */
  learn(tail: readonly NumberedCall[]): void {
    if (tail.length === 0 || tail.length > kLongest) return;
    const isFull = this.#tails.length === kMostTails;
    const at = isFull ? kMostTails - 1 : this.#tails.length;
    const number = isFull ? this.#unused() : at;
    let [low, high] = [0, 0];
    for (const call of tail.toReversed()) {
      [low, high] = [Math.imul(low, kFactor), highOfProduct(low, kFactor) + Math.imul(high, kFactor)];
      low = (low >>> 0) + call.number;
      if (low >= kWord) ++high;
    }
    this.#low[number] = low;
    this.#high[number] = high;
    this.#tails[number] = tail;
    this.#lengths[number] = tail.length;
    this.#follow(kWays - 1, number);
    this.#toFront(at, number);
  }

  /** The last one in the order that was not found since it was there. */
  #unused(): number {
    for (;;) {
      const number = this.#order[kMostTails - 1] as number;
      if (this.#isUsed[number] === 0) return number;
      this.#isUsed[number] = 0;
      this.#toFront(kMostTails - 1, number);
    }
  }

  /** Undefined: it has a tail that was not learned. */
  find(low: number, high: number): Found | undefined {
    if (this.#tails.length === 0) return undefined;
    const from = this.#last * kWays;
    for (let way = 0; way < kWays; ++way) {
      const number = this.#next[from + way] as number;
      const base = this.#below(number, low, high);
      if (base !== kNone) return this.#found(number, way, base);
    }
    for (let at = 0; at < this.#tails.length; ++at) {
      const number = this.#order[at] as number;
      const base = this.#below(number, low, high);
      if (base === kNone) continue;
      this.#toFront(at, number);
      return this.#found(number, kWays - 1, base);
    }
    return undefined;
  }

  #found(number: number, way: number, base: number): Found {
    this.#follow(way, number);
    this.#isUsed[number] = 1;
    return { base, tail: this.#tails[number] as readonly NumberedCall[] };
  }

  /** What is known of the context below this tail. */
  #below(number: number, low: number, high: number): number {
    const length = this.#lengths[number] as number;
    const sum = this.#low[number] as number;
    const less = (low - sum) >>> 0;
    const lessHigh = high - (this.#high[number] as number) - (low < sum ? 1 : 0);
    const inverse = kPowersLow[length] as number;
    const above = highOfProduct(less, inverse) + Math.imul(less, kPowersHigh[length] as number);
    return this.#known.get(Math.imul(less, inverse) >>> 0, (above + Math.imul(lessHigh, inverse)) >>> 0);
  }

  /** tail.2 */
  #toFront(at: number, number: number): void {
    this.#order.copyWithin(1, 0, at);
    this.#order[0] = number;
  }

  #follow(way: number, number: number): void {
    const from = this.#last * kWays;
    this.#next.copyWithin(from + 1, from, from + way);
    this.#next[from] = number;
    this.#last = number;
  }
}
