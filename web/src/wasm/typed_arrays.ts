// Names of element types, as in `heap.mallocAs('f32', 100)`. Types alone: declarations that npm ships name them.

/** The typed array of each element type. */
export interface TypedArrays {
  u8: Uint8Array;
  i8: Int8Array;
  u16: Uint16Array;
  i16: Int16Array;
  u32: Uint32Array;
  i32: Int32Array;
  f32: Float32Array;
  f64: Float64Array;
  u64: BigUint64Array;
  i64: BigInt64Array;
}
/** The name of an element type, as in `heap.mallocAs('f32', 100)`. */
export type ElementType = keyof TypedArrays;
/** A typed array of any of these element types. */
export type TypedArray = TypedArrays[ElementType];
