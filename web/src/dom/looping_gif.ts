// An animation that every viewer plays, over and over: pictures of one size as a GIF, encoded by gifenc.
//
//   GIF1  All pictures share one palette, of colours that some of them have: no colour changes from one to the next.
//   GIF2  A pixel that is as in the picture before is not written again: it is transparent, and what was there stays.

import gifenc from 'gifenc';

const { GIFEncoder, quantize, applyPalette } = gifenc;

const kColours = 255; // and the transparent one
const kSamples = 6; // pictures that the palette is taken from
const kKeep = 1; // what a picture does not write stays

export interface GifPicture {
  readonly data: Uint8Array | Uint8ClampedArray; // red, green, blue, alpha
  readonly width: number;
  readonly height: number;
  readonly milliseconds: number;
}

/** `colours`: 255 at most; fewer make a smaller file. */
export function loopingGif(pictures: readonly GifPicture[], colours = kColours): Uint8Array<ArrayBuffer> {
  const every = Math.max(1, Math.floor(pictures.length / kSamples));
  const samples = pictures.filter((_, nth) => nth % every === 0 || nth === pictures.length - 1);
  const palette = quantize(joined(samples.map(({ data }) => data)), colours);
  const same = palette.length;
  const options = { palette: [...palette, [0, 0, 0]], transparent: true, transparentIndex: same, dispose: kKeep };
  const encoder = GIFEncoder();
  let before: Uint8Array | undefined;
  for (const { data, width, height, milliseconds } of pictures) {
    const indices = applyPalette(data, palette);
    encoder.writeFrame(changesOf(indices, before, same), width, height, { ...options, delay: milliseconds, repeat: 0 });
    before = indices;
  }
  encoder.finish();
  return encoder.bytes().slice();
}

/** GIF2 */
const changesOf = (indices: Uint8Array, before: Uint8Array | undefined, same: number): Uint8Array =>
  before === undefined ? indices : indices.map((index, at) => (index === before[at] ? same : index));

function joined(parts: readonly ArrayLike<number>[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
