// Sizes on their way from JavaScript to wasm, which would wrap them around at 32 bits: what is no size (negative, NaN,
// 4 GiB and more) becomes the largest one, which no heap has, so that the call fails as it would in C.

const kMaxSize = 0xffff_ffff;

/** A size as wasm may see it; fractions count as the next whole byte. */
export const toSize = (size: number): number => (size >= 0 && size <= kMaxSize ? Math.ceil(size) : kMaxSize);
