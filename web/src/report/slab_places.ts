// Where blocks of slabs lie, which have no headers: by KiB, as slabs begin at a multiple of 1 KiB and their chunks a word before it (event.P8).

import { isSlabOf } from '../protocol/slab_lists.ts';

const kSlabBits = 10;
const kOwnWords = 4;

export class SlabPlaces {
  readonly #places: Set<number>;

  constructor(places: Iterable<number> = []) {
    this.#places = new Set(places);
  }

  has(block: number): boolean {
    return this.#places.has(block >>> kSlabBits);
  }

  /** A slab of `count` blocks of `bytes` begins or ends. One that cannot be is passed over: behind a loss nobody has proved the event. */
  note(chunk: number, bytes: number, count: number, wordSize: number, isMade: boolean): void {
    if (!isSlabOf(bytes, count)) return;
    const first = chunk + wordSize;
    for (let at = first; at < first + kOwnWords * wordSize + bytes * count; at += 1 << kSlabBits) {
      if (isMade) this.#places.add(at >>> kSlabBits);
      else this.#places.delete(at >>> kSlabBits);
    }
  }

  /** One of a slab's blocks. */
  noteBlock(block: number): void {
    this.#places.add(block >>> kSlabBits);
  }

  clear(): void {
    this.#places.clear();
  }

  copy(): SlabPlaces {
    return new SlabPlaces(this.#places);
  }
}
