// What page and workers do with a module that has nothing to do with heapglass: pictures become PNG files.

import { encode } from '@jsquash/png';

/** The checksum of twenty pictures' files. */
export async function encodePictures() {
  const sums = [];
  for (let nth = 1; nth <= 20; ++nth) {
    const data = Uint8ClampedArray.from({ length: 4 * 40 * nth }, (_, at) => (at * nth) % 251);
    const file = await encode({ width: 40, height: nth, data, colorSpace: 'srgb' });
    sums.push(new Uint8Array(file).reduce((sum, byte) => (sum * 31 + byte) >>> 0, 7));
  }
  return sums.join(' ');
}
