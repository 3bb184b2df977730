import { expect, it } from 'vitest';
import { classText } from '../../../../web/src/panels/sizes/sizes.ts';

it('a class of sizes says its bounds, from one unit to the next', () => {
  expect([0, 3, 9, 10, 12, 19, 20, 30].map((power) => classText('in-use', power))).toEqual([
    '1',
    '8–15',
    '512–1023',
    '1–2 KiB',
    '4–8 KiB',
    '512 KiB–1 MiB',
    '1–2 MiB',
    '1–2 GiB',
  ]);
});

it('a class of ages counts events', () => {
  expect([5, 12, 19, 20].map((power) => classText('age', power))).toEqual(['32–63', '4K–8K', '512K–1M', '1M–2M']);
});
