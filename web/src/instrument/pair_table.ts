// Numbers by pairs of words: the two halves of a context (context_book.ts), or a site and a call in it (site_writer.ts).
//
//   slot: one word, the other, number       open addressing; a Map would make an object of each key
//
//   pair.P1  The table is copied into one twice as large when three quarters are in use.
//   pair.P2  A bit of 16 for each slot says that some pair has it: most pairs that are asked for have no number, and need no more than that.

const kSlots = 1024;
const kFree = -1;
const kBitsOfSlot = 16;
const kSlotsOfWord = 32 / kBitsOfSlot;
const kFirstFactor = 0x9e3779b1;
const kSecondFactor = 0x85ebca6b;

export class PairTable {
  #ones = new Uint32Array(kSlots);
  #others = new Uint32Array(kSlots);
  #numbers = new Float64Array(kSlots).fill(kFree);
  #bits = new Uint32Array(kSlots / kSlotsOfWord);
  #shift = 32 - Math.log2(kBitsOfSlot * kSlots); // from a hash to its bit
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of a pair, -1 for none. */
  get(one: number, other: number): number {
    const bit = hashOf(one, other) >>> this.#shift;
    if ((((this.#bits[bit >>> 5] as number) >>> (bit & 31)) & 1) === 0) return kFree;
    return this.#numbers[this.#slot(one, other)] as number;
  }

  /** pre: number >= 0 */
  set(one: number, other: number, number: number): void {
    const slot = this.#slot(one, other);
    if (this.#numbers[slot] === kFree) ++this.#size;
    this.#ones[slot] = one;
    this.#others[slot] = other;
    this.#numbers[slot] = number;
    const bit = hashOf(one, other) >>> this.#shift;
    this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] as number) | (1 << (bit & 31));
    if (4 * this.#size > 3 * this.#ones.length) this.#double();
  }

  /** Where the pair is, or would be. Words of 32 bits, as they are or signed. */
  #slot(one: number, other: number): number {
    const mask = this.#ones.length - 1;
    const hash = hashOf(one, other);
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (this.#numbers[slot] !== kFree && (this.#ones[slot] !== one >>> 0 || this.#others[slot] !== other >>> 0))
      slot = (slot + 1) & mask;
    return slot;
  }

  #double(): void {
    const [ones, others, numbers] = [this.#ones, this.#others, this.#numbers];
    const slots = 2 * ones.length;
    this.#ones = new Uint32Array(slots);
    this.#others = new Uint32Array(slots);
    this.#numbers = new Float64Array(slots).fill(kFree);
    this.#size = 0;
    this.#bits = new Uint32Array(slots / kSlotsOfWord);
    --this.#shift;
    numbers.forEach((number, slot) => {
      if (number !== kFree) this.set(ones[slot] as number, others[slot] as number, number);
    });
  }
}

const hashOf = (one: number, other: number): number => Math.imul(one ^ Math.imul(other, kSecondFactor), kFirstFactor);
