// An animated preview from screenshots: each is halved by averaging.

import { PNG } from 'pngjs';
import { loopingGif } from '../../web/src/dom/looping_gif.ts';

const kColours = 127;

export interface Shot {
  readonly png: Buffer;
  readonly milliseconds: number;
}

export const animate = (shots: readonly Shot[]): Uint8Array =>
  loopingGif(
    shots.map(({ png, milliseconds }) => ({ ...halve(PNG.sync.read(png)), milliseconds })),
    kColours,
  );

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
