import { expect, test } from 'vitest';
import { formatAddress, formatBytes, formatCount } from '../../../web/src/base/format.ts';

test.each([
  [0, '0 B'],
  [352, '352 B'],
  [1023, '1023 B'],
  [1024, '1 KiB'],
  [1500, '1.46 KiB'],
  [217_088, '212 KiB'],
  [1_048_570, '1.00 MiB'], // near; '1 MiB' says exactly
  [1_918_894, '1.83 MiB'],
  [2 ** 32, '4 GiB'],
])('%d bytes read %s', (size, text) => {
  expect(formatBytes(size)).toBe(text.replace(' ', '\u202f'));
});

test('addresses are grouped by four digits', () => {
  expect(formatAddress(0x41a30)).toBe('0x0004_1a30');
  expect(formatAddress(0xffff_fffc)).toBe('0xffff_fffc');
});

test('counts are grouped by thousands', () => {
  expect(formatCount(48_212)).toBe('48,212');
});
