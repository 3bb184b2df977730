import { expect, test } from 'vitest';
import { freeText, sizesText } from '../../../../web/src/panels/lists/bins.ts';

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

test('top and the victim are free and in no bin: the number of free chunks has them', () => {
  expect(freeText([{ count: 1119 }, { count: 2 }], 1122)).toBe('1,122 free, 1,121 in bins');
  expect(freeText([{ count: 3 }], 3)).toBe('3 free');
  expect(freeText([], 1)).toBe('1 free, 0 in bins');
  expect(freeText([], 0)).toBe('');
});
