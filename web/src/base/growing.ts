// Lists of numbers that grow, without an object per number.
//
//   GrowingUint32   one array, doubled when full: contiguous, for lists of moderate length that are searched
//   PagedUint32     pages of 65,536 numbers: nothing is copied when it grows, for one number an event
//   LostColumn      such pages, and a second number for the few events that need it

const kFirstCapacity = 64;

export class GrowingUint32 {
  #items = new Uint32Array(kFirstCapacity);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  push(value: number): void {
    if (this.#count === this.#items.length) {
      const grown = new Uint32Array(this.#count * 2);
      grown.set(this.#items);
      this.#items = grown;
    }
    this.#items[this.#count++] = value;
  }

  /** pre: index < count */
  at(index: number): number {
    return this.#items[index] ?? 0;
  }

  last(): number | undefined {
    return this.#count === 0 ? undefined : this.#items[this.#count - 1];
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

export class PagedUint32 {
  readonly #pages: Uint32Array[] = [];

  /** 0 where nothing was written. */
  at(index: number): number {
    return this.#pages[index >>> kPageBits]?.[index & (kPageItems - 1)] ?? 0;
  }

  set(index: number, value: number): void {
    const page = index >>> kPageBits;
    while (this.#pages.length <= page) this.#pages.push(new Uint32Array(kPageItems));
    const items = this.#pages[page];
    if (items !== undefined) items[index & (kPageItems - 1)] = value;
  }
}

export class LostColumn extends PagedUint32 {
  readonly replaced = new Map<number, number>();
}
