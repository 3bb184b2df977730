// Typed views of linear memory that are never stale: growth gives the memory a new buffer and detaches every older
// view, so each getter compares the buffer's identity and makes the views again when it changed.

import type { ElementType, TypedArray, TypedArrays } from './typed_arrays.ts';

export type { ElementType, TypedArray, TypedArrays };

type Maker<T> = {
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
  readonly BYTES_PER_ELEMENT: number;
};

const kMakers: { readonly [E in ElementType]: Maker<TypedArrays[E]> } = {
  u8: Uint8Array,
  i8: Int8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
  u64: BigUint64Array,
  i64: BigInt64Array,
};

/** Whether it is the name of an element type. */
export const isElementType = (name: unknown): name is ElementType =>
  typeof name === 'string' && Object.hasOwn(kMakers, name);

/** Bytes of one element. */
export const elementBytes = (type: ElementType): number => kMakers[type].BYTES_PER_ELEMENT;

/** The name of an array's element type. */
export function elementTypeOf(array: TypedArray): ElementType {
  const found = (Object.keys(kMakers) as ElementType[]).find((type) => array instanceof kMakers[type]);
  if (found === undefined) throw new TypeError('not a typed array of numbers');
  return found;
}

const allViews = (buffer: ArrayBufferLike): TypedArrays => ({
  u8: new Uint8Array(buffer),
  i8: new Int8Array(buffer),
  u16: new Uint16Array(buffer),
  i16: new Int16Array(buffer),
  u32: new Uint32Array(buffer),
  i32: new Int32Array(buffer),
  f32: new Float32Array(buffer),
  f64: new Float64Array(buffer),
  u64: new BigUint64Array(buffer),
  i64: new BigInt64Array(buffer),
});

/** What has a buffer that may change: a WebAssembly.Memory, or a caller's buffer in a box. */
export interface BufferHolder {
  readonly buffer: ArrayBufferLike;
}

export class HeapViews<M extends BufferHolder = WebAssembly.Memory> {
  #memory: M;
  #buffer: ArrayBufferLike;
  #views: TypedArrays;

  constructor(memory: M) {
    this.#memory = memory;
    this.#buffer = memory.buffer;
    this.#views = allViews(memory.buffer);
  }

  get memory(): M {
    return this.#memory;
  }

  /**
   * Another memory, with the same bytes at the same addresses, from the call of what it gives on; that call cannot fail. No view of the
   * old one is kept: it would keep the memory.
   */
  exchange(memory: M): () => void {
    const { buffer } = memory;
    const views = allViews(buffer);
    return () => {
      this.#memory = memory;
      this.#buffer = buffer;
      this.#views = views;
    };
  }

  /** All of memory, valid until the next call into the module. O(1). */
  get views(): Readonly<TypedArrays> {
    const buffer = this.#memory.buffer;
    if (buffer !== this.#buffer) {
      this.#buffer = buffer;
      this.#views = allViews(buffer);
    }
    return this.#views;
  }

  /** `length` elements at an address, as the caller wants them. */
  part<E extends ElementType>(type: E, address: number, length: number): TypedArrays[E] {
    return new kMakers[type](this.memory.buffer, address, length);
  }

  /** The 32-bit word at an address that is a multiple of 4. */
  word(address: number): number {
    return this.views.u32[address >>> 2] ?? 0;
  }

  setWord(address: number, value: number): void {
    this.views.u32[address >>> 2] = value;
  }

  /** A text that ends with a zero byte. */
  text(address: number): string {
    const { u8 } = this.views;
    const end = u8.indexOf(0, address);
    return new TextDecoder().decode(u8.slice(address, end < 0 ? u8.length : end));
  }

  /** A text of so many bytes. */
  textOf(address: number, size: number): string {
    return new TextDecoder().decode(this.views.u8.slice(address, address + size));
  }
}
