// An animated preview from screenshots: each is halved by averaging, all share one palette taken from a few of them. A pixel that
// is as in the frame before is not written again: it is transparent.

import gifenc from 'gifenc';
import { PNG } from 'pngjs';

const { GIFEncoder, quantize, applyPalette } = gifenc;

const kColours = 127;
const kKeep = 1; // what a frame does not write stays

export interface Shot {
  readonly png: Buffer;
  readonly milliseconds: number;
}

export function animate(shots: readonly Shot[]): Uint8Array {
  const pictures = shots.map((shot) => ({ ...halve(PNG.sync.read(shot.png)), delay: shot.milliseconds }));
  const every = Math.max(1, Math.floor(pictures.length / 6));
  const samples = pictures.filter((_, index) => index % every === 0).map((picture) => picture.data);
  const palette = [...quantize(joined(samples), kColours), [0, 0, 0]];
  const encoder = GIFEncoder();
  const options = { palette, transparent: true, transparentIndex: palette.length - 1, dispose: kKeep };
  let before: Uint8Array | undefined;
  for (const { data, width, height, delay } of pictures) {
    const indices = applyPalette(data, palette.slice(0, -1));
    encoder.writeFrame(changesOf(indices, before, options.transparentIndex), width, height, { ...options, delay });
    before = indices;
  }
  encoder.finish();
  return encoder.bytes();
}

const changesOf = (indices: Uint8Array, before: Uint8Array | undefined, same: number): Uint8Array =>
  before === undefined ? indices : indices.map((index, at) => (index === before[at] ? same : index));

function halve(png: PNG): { data: Uint8Array; width: number; height: number } {
  const width = png.width >> 1;
  const height = png.height >> 1;
  const data = new Uint8Array(width * height * 4);
  const at = (x: number, y: number, channel: number) => png.data[(y * png.width + x) * 4 + channel] ?? 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < 4; channel++) {
        const sum =
          at(2 * x, 2 * y, channel) +
          at(2 * x + 1, 2 * y, channel) +
          at(2 * x, 2 * y + 1, channel) +
          at(2 * x + 1, 2 * y + 1, channel);
        data[(y * width + x) * 4 + channel] = sum >> 2;
      }
    }
  }
  return { data, width, height };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
