// Typed arrays that are blocks of a heap. The place of each is remembered beside it, because growth detaches the array and a
// detached array has forgotten where it was; and because a place can be given back only once.
//
//   arrays.B1  A block has one place, whatever arrays stand for it (refresh makes another).
//   arrays.B2  A place ends when its block is freed: by an array of it, by its address, or with the whole heap. An array
//              whose place has ended is refused, so no array is freed twice.

import {
  type BufferHolder,
  type ElementType,
  elementTypeOf,
  type HeapViews,
  type TypedArray,
  type TypedArrays,
} from '../wasm/heap_views.ts';
import { badArgument, shown } from './arguments.ts';
import { HeapError } from './heap_error.ts';

interface Place {
  readonly address: number;
  readonly length: number; // elements
  ended: boolean;
}

export class HeapArrays {
  readonly #views: HeapViews<BufferHolder>;
  readonly #places = new WeakMap<TypedArray, Place>();
  readonly #byAddress = new Map<number, Place>(); // places that have not ended

  constructor(views: HeapViews<BufferHolder>) {
    this.#views = views;
  }

  /** The array over `length` elements at an address, the block's only one. */
  make<E extends ElementType>(type: E, address: number, length: number): TypedArrays[E] {
    const place = { address, length, ended: false };
    this.#byAddress.set(address, place);
    return this.#over(type, place);
  }

  #over<E extends ElementType>(type: E, place: Place): TypedArrays[E] {
    const array = this.#views.part(type, place.address, place.length);
    this.#places.set(array, place);
    return array;
  }

  /** Where an array's block begins. Throws for an array of another heap, or whose block was freed. */
  addressOf(array: TypedArray): number {
    return this.#placeOf(array).address;
  }

  #placeOf(array: TypedArray): Place {
    if (!ArrayBuffer.isView(array))
      throw badArgument(`an address or an array of this heap is needed, not ${shown(array)}`);
    const place = this.#places.get(array);
    if (place === undefined) {
      const hint = 'mallocAs and callocAs make arrays that can be given back; other blocks are freed by their address';
      throw new HeapError('not_of_this_heap', `the array was not made by this heap: ${hint}`);
    }
    if (place.ended) throw new HeapError('freed', "the array's block was freed before");
    return place;
  }

  /** The same elements over the current buffer. */
  refresh<T extends TypedArray>(array: T): T {
    const place = this.#placeOf(array);
    if (array.buffer === this.#views.memory.buffer) return array;
    return this.#over(elementTypeOf(array), place) as T;
  }

  /** The block at an address is freed. */
  end(address: number): void {
    const place = this.#byAddress.get(address);
    if (place === undefined) return;
    place.ended = true;
    this.#byAddress.delete(address);
  }

  endMany(addresses: ArrayLike<number>): void {
    if (this.#byAddress.size === 0) return;
    for (let i = 0; i < addresses.length; ++i) this.end(addresses[i] ?? 0);
  }

  /** Gives the function that makes the places what they are now. O(places), and so is that function. */
  keep(): () => void {
    const kept = new Map(this.#byAddress);
    return () => {
      this.endAll();
      for (const [address, place] of kept) {
        place.ended = false;
        this.#byAddress.set(address, place);
      }
    };
  }

  /** All blocks are. */
  endAll(): void {
    for (const place of this.#byAddress.values()) place.ended = true;
    this.#byAddress.clear();
  }
}
