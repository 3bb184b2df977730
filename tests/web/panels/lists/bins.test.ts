import { expect, test } from 'vitest';
import { sizesText } from '../../../../web/src/panels/lists/bins.ts';

test.each([
  [16, 16, '16'],
  [256, 271, '256–271'],
  [384, 511, '384–511'],
  [1024, 1087, '1–1.06\u202fK'],
  [4096, 6143, '4–6\u202fK'],
  [1 << 20, (1 << 20) + 65_535, '1–1.06\u202fM'],
  [0x8000_0000, 0xffff_ffff, '2048–…\u202fM'],
])('a bin from %d to %d reads %s', (low, high, text) => {
  expect(sizesText(low, high)).toBe(text);
});
