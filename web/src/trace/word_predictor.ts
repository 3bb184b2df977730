// What the next word of an event will probably be: the writer of a packed segment writes how far off that is, mostly nothing, and its
// reader predicts the same (columns.ts).
//
//   before 4 | before 3 | before 2 | before 1 | this event: a b c      the last of its kind, place, head      sums of neighbours
//
//  predict.1  Where a word comes from depends on the kinds of the event and of the two before it: behind op_begun and chunk_taken a
//             block_allocated repeats the request. So each such context and column has its best source, an index of kSources.
//  predict.2  A source costs what its errors took, older ones ever less. Costs change where the best one erred, and only there.
//  predict.3  Contexts share a table of fixed size. Two in one row spoil each other's prediction, never the words.
//  predict.4  Costs take memory where an error was made, so a segment of one event costs little: a file may consist of such segments.
//  predict.5  Place: heap and detail, whatever the kind. What a list of cached chunks gave last it takes back, so the address repeats and
//             so does the size. Head: all of word 0. A predictor of fewer sources knows neither: it is that of an older coding.
//
//  After the adaptive predictors of lossless coders (Marcelo Weinberger, Gadiel Seroussi and Guillermo Sapiro, "The LOCO-I Lossless Image
//  Compression Algorithm", 2000): context by context, the reader learns what the writer learned. Time O(1) a word, 22 sources at most.

const kWords = 3; // a, b, c
const kEvents = 5; // this one and four before it
const kRecent = kWords * kEvents;
const kKinds = 256;
const kContextBits = 13;
const kContexts = kWords << kContextBits;
const kOfKind = 0;
const kZero = 1;
const kFirstRecent = 2;
const kSums = kFirstRecent + kRecent;
const kOfPlace = kSums + 3;
const kOfHead = kOfPlace + 1;
const kTableBits = 10; // of places and of heads: predict.3
const kSpread = 0x9e3779b1; // 2^32 by the golden ratio
const kErrorCost = 5; // of any error, and one more for each bit of it
const kFirstSlots = 64;

/** Sources of a predictor, from the first on. */
export const kSources = { withoutPlaces: kOfPlace, all: kOfHead + 1 } as const;

/** Difference as a number without a sign: 0 -1 1 -2 2 ... */
export const zigzag = (difference: number): number => ((difference << 1) ^ (difference >> 31)) >>> 0;
export const fromZigzag = (number: number): number => (number >>> 1) ^ -(number & 1);

/** Where a table of 2 to the power of bits rows has the row of a key. */
const rowOf = (key: number, bits: number): number => (Math.imul(key, kSpread) >>> (32 - bits)) * kWords;

export class WordPredictor {
  readonly #sources: number;
  readonly #recent = new Uint32Array(kRecent); // this event's words, then those of the one before it ...
  readonly #lastOfKind = new Uint32Array(kKinds * kWords);
  readonly #lastOfPlace = new Uint32Array(kWords << kTableBits);
  readonly #lastOfHead = new Uint32Array(kWords << kTableBits);
  readonly #slots = new Uint16Array(kContexts); // of a context, in #best and #costs; 0: no error was made there
  #best = new Uint8Array(kFirstSlots);
  #costs: Uint16Array<ArrayBuffer>;
  #usedSlots = 1;
  #kind = 0;
  #before = 0;
  #earlier = 0;
  #context = 0;
  #place = 0;
  #head = 0;

  /** sources: one of kSources. */
  constructor(sources: number) {
    this.#sources = sources;
    this.#costs = new Uint16Array(kFirstSlots * sources);
  }

  /** The next event has this word 0; its words come in order. */
  begin(head: number): void {
    const kind = head & (kKinds - 1);
    this.#place = rowOf(head >>> 8, kTableBits);
    this.#head = rowOf(head, kTableBits);
    this.#earlier = this.#before;
    this.#before = this.#kind;
    this.#kind = kind;
    const kinds = (kind << 16) | (this.#before << 8) | this.#earlier;
    this.#context = rowOf(kinds, kContextBits);
    this.#recent.copyWithin(kWords, 0, kRecent - kWords);
    this.#recent.fill(0, 0, kWords);
  }

  /** Of word 0, 1 or 2 of the event. */
  expected(word: number): number {
    return this.#source(this.#bestAt(this.#context + word), word);
  }

  learn(word: number, value: number): void {
    const context = this.#context + word;
    if (this.#source(this.#bestAt(context), word) !== value) this.#chooseAgain(context, word, value);
    this.#lastOfKind[this.#kind * kWords + word] = value;
    this.#lastOfPlace[this.#place + word] = value;
    this.#lastOfHead[this.#head + word] = value;
    this.#recent[word] = value;
  }

  #source(source: number, word: number): number {
    const recent = this.#recent;
    if (source === kOfKind) return this.#lastOfKind[this.#kind * kWords + word] as number;
    if (source === kZero) return 0;
    if (source < kSums) return recent[source - kFirstRecent] as number;
    if (source === kOfPlace) return this.#lastOfPlace[this.#place + word] as number;
    if (source === kOfHead) return this.#lastOfHead[this.#head + word] as number;
    const [own, address, size] = [recent[0] as number, recent[kWords] as number, recent[kWords + 1] as number];
    if (source === kSums) return (address + size) >>> 0;
    return (source === kSums + 1 ? own + size : own - address) >>> 0;
  }

  #bestAt(context: number): number {
    return this.#best[this.#slots[context] as number] as number;
  }

  /** predict.4 */
  #slotOf(context: number): number {
    const known = this.#slots[context] as number;
    if (known > 0) return known;
    const slot = this.#usedSlots++;
    if (slot === this.#best.length) {
      const [best, costs] = [this.#best, this.#costs];
      this.#best = new Uint8Array(2 * best.length);
      this.#costs = new Uint16Array(2 * costs.length);
      this.#best.set(best);
      this.#costs.set(costs);
    }
    this.#slots[context] = slot;
    return slot;
  }

  /** predict.2 */
  #chooseAgain(context: number, word: number, value: number): void {
    const slot = this.#slotOf(context);
    const costs = this.#costs;
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let source = 0; source < this.#sources; ++source) {
      const error = zigzag(value - this.#source(source, word));
      const bits = error === 0 ? 0 : kErrorCost + 32 - Math.clz32(error);
      const at = slot * this.#sources + source;
      const before = costs[at] as number;
      const cost = before - (before >> 4) + bits * 16;
      costs[at] = cost;
      if (cost < least) {
        least = cost;
        best = source;
      }
    }
    this.#best[slot] = best;
  }
}
