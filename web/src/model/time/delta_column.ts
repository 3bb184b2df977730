// A number after each event, most of which differ little from the one before: 2 bytes an event and 4 for 64, instead of 4 an event.
//
//   anchors  | value before item 0 | value before item 64 | ...
//   deltas   | 16 bits | 16 bits | ...     15            1 0
//                                         +---------------+-+
//                                         | difference    |U|   U  0: in units of 8 bytes (chunks), 1: in bytes (foreign blocks)
//                                         +---------------+-+
//   -32768 stands for a difference that does not fit: the item's number and value are in a list of their own.

import { GrowingUint32 } from '../../base/growing.ts';

const kAnchorBits = 6;
const kInAnchor = (1 << kAnchorBits) - 1;
const kPageBits = 16;
const kPageItems = 1 << kPageBits;
const kElsewhere = -32_768;
const kMost = 16_383; // either way

export class DeltaColumn {
  readonly #anchors = new GrowingUint32();
  readonly #pages: Int16Array[] = [];
  readonly #farItems = new GrowingUint32(); // ascending
  readonly #farValues = new GrowingUint32();
  #count = 0;
  #last = 0;

  get count(): number {
    return this.#count;
  }

  /** pre: 0 <= value < 2^32 */
  push(value: number): void {
    const item = this.#count++;
    if ((item & kInAnchor) === 0) this.#anchors.push(this.#last);
    if ((item & (kPageItems - 1)) === 0) this.#pages.push(new Int16Array(kPageItems));
    const delta = value - this.#last;
    const page = this.#pages[item >>> kPageBits] as Int16Array;
    if (delta % 8 === 0 && Math.abs(delta) <= kMost * 8)
      page[item & (kPageItems - 1)] = delta / 4; // (delta / 8) << 1
    else if (Math.abs(delta) <= kMost) page[item & (kPageItems - 1)] = delta * 2 + 1;
    else {
      page[item & (kPageItems - 1)] = kElsewhere;
      this.#farItems.push(item);
      this.#farValues.push(value);
    }
    this.#last = value;
  }

  /** pre: 0 <= item < count */
  at(item: number): number {
    let found = 0;
    this.visit(item, item + 1, (value) => {
      found = value;
    });
    return found;
  }

  /** The numbers [from, to), in order. */
  visit(from: number, to: number, visit: (value: number) => void): void {
    if (from >= to) return;
    let value = this.#anchors.at(from >>> kAnchorBits);
    for (let item = from & ~kInAnchor; item < to; ++item) {
      const delta = this.#pages[item >>> kPageBits]?.[item & (kPageItems - 1)] ?? 0;
      if (delta === kElsewhere) value = this.#farValues.at(this.#farItems.countBelow(item));
      else value += (delta & 1) === 0 ? delta * 4 : (delta - 1) / 2;
      if (item >= from) visit(value);
    }
  }
}
