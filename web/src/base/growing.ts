// Lists of numbers that grow, without an object per number.
//
//   GrowingUint32   one array, made longer when full: contiguous, for lists of moderate length that are searched
//   SparseUint32    a number for some of many indices, those that are not 0: 4 bytes each, and 6 bits an index
//   LostColumn      such numbers, and a second one or a list for the few events that need it

const kFirstCapacity = 64;
const kDoubledUpTo = 1 << 18; // longer lists grow by a quarter

export class GrowingUint32 {
  #items = new Uint32Array(kFirstCapacity);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  push(value: number): void {
    if (this.#count === this.#items.length) {
      const grown = new Uint32Array(this.#count < kDoubledUpTo ? this.#count * 2 : this.#count + (this.#count >>> 2));
      grown.set(this.#items);
      this.#items = grown;
    }
    this.#items[this.#count++] = value;
  }

  /** pre: index < count */
  at(index: number): number {
    return this.#items[index] ?? 0;
  }

  /** pre: index < count */
  set(index: number, value: number): void {
    this.#items[index] = value;
  }

  last(): number | undefined {
    return this.#items[this.#count - 1];
  }

  /** How many numbers are below `value`, in an ascending list. O(log count). */
  countBelow(value: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#items[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** A copy of the numbers [from, to). */
  slice(from = 0, to = this.#count): Uint32Array<ArrayBuffer> {
    return this.#items.slice(from, Math.min(to, this.#count));
  }

  clear(): void {
    this.#count = 0;
  }
}

export const kPageBits = 16;
const kPageItems = 1 << kPageBits;

const kWordItems = 32; // indices to a word of bits
const kPageWords = kPageItems / kWordItems;

/**
 * 0 for most indices. A page of 65,536 indices: a bit for each, the number of bits before each word of them, and what is not 0, in
 * order. Written in ascending order of the index, or again where a number is: undo and redo write what is there already.
 *
 *   bits     ..1....1 ........ .1......        rank   0 | 2 | 2        values   v v v
 */
class SparsePage {
  readonly bits = new Uint32Array(kPageWords);
  readonly ranks = new Uint16Array(kPageWords);
  #last = 0; // word of bits that was written last: ranks behind it are not there yet
  values = new Uint32Array(kFirstCapacity);
  count = 0;

  at(index: number): number {
    const word = index >>> 5;
    const bits = this.bits[word] ?? 0;
    const bit = 1 << (index & 31);
    if ((bits & bit) === 0) return 0;
    return this.values[(this.ranks[word] ?? 0) + popCount(bits & (bit - 1))] ?? 0;
  }

  set(index: number, value: number): void {
    const word = index >>> 5;
    const bits = this.bits[word] ?? 0;
    const bit = 1 << (index & 31);
    const place = word > this.#last ? this.count : (this.ranks[word] ?? 0) + popCount(bits & (bit - 1));
    if ((bits & bit) !== 0) {
      this.values[place] = value;
      return;
    }
    if (value === 0) return;
    if (word > this.#last) {
      for (let behind = this.#last + 1; behind <= word; ++behind) this.ranks[behind] = this.count;
      this.#last = word;
    }
    if (place < this.count) this.#insert(word, place);
    else if (this.count === this.values.length) this.values = lengthened(this.values);
    this.values[place] = value;
    this.bits[word] = bits | bit;
    this.count += 1;
  }

  /** Room for a value among those that are there, behind the others of its word. */
  #insert(word: number, place: number): void {
    if (this.count === this.values.length) this.values = lengthened(this.values);
    this.values.copyWithin(place + 1, place, this.count);
    for (let behind = word + 1; behind <= this.#last; ++behind) this.ranks[behind] = (this.ranks[behind] ?? 0) + 1;
  }

  /** No more will come: nothing is kept for it. */
  close(): void {
    this.values = this.values.slice(0, this.count);
  }
}

function lengthened(from: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(Math.min(kPageItems, Math.max(kFirstCapacity, from.length * 2)));
  grown.set(from);
  return grown;
}

export class SparseUint32 {
  readonly #pages: SparsePage[] = [];

  /** 0 where nothing was written. */
  at(index: number): number {
    return this.#pages[index >>> kPageBits]?.at(index & (kPageItems - 1)) ?? 0;
  }

  set(index: number, value: number): void {
    const page = index >>> kPageBits;
    while (this.#pages.length <= page) {
      this.#pages[this.#pages.length - 1]?.close();
      this.#pages.push(new SparsePage());
    }
    this.#pages[page]?.set(index & (kPageItems - 1), value);
  }
}

export class LostColumn extends SparseUint32 {
  readonly replaced = new Map<number, number>();
  /** Where what an event names begins, if that is not what it says. */
  readonly begins = new Map<number, number>();
  /** Several numbers, where one event loses as many. */
  readonly lists = new Map<number, Uint32Array>();
}

export function popCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
