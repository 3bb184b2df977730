// Typed arrays that are blocks of a heap. The address of each is remembered beside it, because growth detaches the
// array and a detached array has forgotten where it was.

import { HeapError } from './heap_error.ts';
import { type ElementType, elementTypeOf, type HeapViews, type TypedArray, type TypedArrays } from './heap_views.ts';

interface Place {
  readonly address: number;
  readonly length: number; // elements
}

export class HeapArrays {
  readonly #views: HeapViews;
  readonly #places = new WeakMap<TypedArray, Place>();

  constructor(views: HeapViews) {
    this.#views = views;
  }

  /** The array over `length` elements at an address. */
  make<E extends ElementType>(type: E, address: number, length: number): TypedArrays[E] {
    const array = this.#views.part(type, address, length);
    this.#places.set(array, { address, length });
    return array;
  }

  /** Where an array's block begins. Throws for an array of other memory. */
  addressOf(array: TypedArray): number {
    const place = this.#places.get(array);
    if (place !== undefined) return place.address;
    if (array.buffer === this.#views.memory.buffer) return array.byteOffset;
    throw new HeapError('not_of_this_heap', 'the array is not in the memory of this heap');
  }

  /** The same elements over the current buffer. */
  refresh<T extends TypedArray>(array: T): T {
    const place = this.#places.get(array);
    if (array.buffer === this.#views.memory.buffer) return array;
    if (place === undefined) throw new HeapError('not_of_this_heap', 'the array was not made by this heap');
    return this.make(elementTypeOf(array), place.address, place.length) as T;
  }

  /** The array's block is no longer its own. */
  forget(array: TypedArray): void {
    this.#places.delete(array);
  }
}
