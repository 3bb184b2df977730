// Bytes in which numbers are replaced by others that may be longer or shorter.

import { expect, test } from 'vitest';
import { patched } from '../../../web/src/instrument/sections.ts';
import { unsignedLeb } from '../../../web/src/symbols/index.ts';

const kFrame = [0xaa, 0xbb]; // no part of any number
const written = (number: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, nth) => ((number / 2 ** (7 * nth)) & 0x7f) | (nth + 1 < bytes ? 0x80 : 0));

test.each([
  [0, 1],
  [127, 1],
  [128, 2],
  [255, 2],
  [16_384, 3],
  [5, 5], // as linkers leave it
  [128, 5],
])('the number %i of %i bytes is replaced whole, and nothing else', (number, bytes) => {
  const old = written(number, bytes);
  const source = Uint8Array.of(...kFrame, ...old, ...kFrame, ...old, ...kFrame);
  const second = 4 + old.length;
  const edits = [
    { at: second, bytes: unsignedLeb(300) },
    { at: 2, bytes: unsignedLeb(7) },
  ];
  const changed = [...kFrame, 7, ...kFrame, 0xac, 0x02, ...kFrame];
  expect([...patched(source, 0, source.length, edits)]).toEqual(changed);
  expect([...patched(source, 1, source.length - 1, edits)]).toEqual(changed.slice(1, -1));
  expect([...patched(source, 1, source.length - 1, [])]).toEqual([...source.subarray(1, -1)]);
});
