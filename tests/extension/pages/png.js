// Work that a foreign module does: the bytes of a picture.

import encode from './png/encode.js';

const kSide = 64;

export async function encodePicture() {
  const data = Uint8ClampedArray.from({ length: 4 * kSide * kSide }, (_, at) => at % 251);
  return new Uint8Array(await encode({ width: kSide, height: kSide, data, colorSpace: 'srgb' })).join();
}
