// The bytes that a reader was given and has not read, as words.
//
//   own place   | read | words: not read yet | up to 3 bytes | free |       or, while one push lasts, the caller's bytes
//
//   PW1  A byte is copied a bounded number of times, in however small pieces a part arrives: a place that is full moves to one twice as large.
//   PW2  What was given out stays as it is: words in a place are never written again.

const kWordBytes = 4;

export class PendingWords {
  #place = new Uint8Array(0);
  #isOwn = true;
  #from = 0;
  #end = 0;
  #words = new Uint32Array(0);

  get words(): Uint32Array {
    return this.#words;
  }

  get bytes(): number {
    return this.#end - this.#from;
  }

  /** The bytes behind the last whole word. */
  get rest(): Uint8Array {
    return this.#place.subarray(this.#from + this.#words.length * kWordBytes, this.#end);
  }

  /** Without a copy where nothing is pending: then the bytes are the caller's until keep(). */
  append(bytes: Uint8Array): void {
    if (this.bytes === 0 && bytes.byteOffset % kWordBytes === 0) this.#use(bytes, bytes.length, false);
    else {
      const end = this.#end + bytes.length;
      if (!this.#isOwn || end > this.#place.length) this.#move(2 * (this.bytes + bytes.length));
      this.#place.set(bytes, this.#end);
      this.#end += bytes.length;
    }
    this.#view();
  }

  skip(words: number): void {
    this.#words = this.#words.subarray(words);
    this.#from += words * kWordBytes;
  }

  /** From now on the caller may write to the bytes that it gave. */
  keep(): void {
    if (this.#isOwn) return;
    this.#move(this.bytes);
    this.#view();
  }

  /** PW1 */
  #move(size: number): void {
    const place = new Uint8Array(size);
    place.set(this.#place.subarray(this.#from, this.#end));
    this.#use(place, this.bytes, true);
  }

  #use(place: Uint8Array, bytes: number, isOwn: boolean): void {
    this.#place = place as Uint8Array<ArrayBuffer>;
    this.#isOwn = isOwn;
    this.#from = 0;
    this.#end = bytes;
  }

  #view(): void {
    const { buffer, byteOffset } = this.#place;
    this.#words = new Uint32Array(buffer, byteOffset + this.#from, Math.floor(this.bytes / kWordBytes));
  }
}
