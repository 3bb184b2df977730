// What options take for a number: digits within their bounds, and of anything else a sentence.

import { expect, test } from 'vitest';
import { asCount, asDistance, asKept, asNumber, asPort } from '../../package/cli/option_values.ts';

const kLargest = String(Number.MAX_SAFE_INTEGER);

test.each([
  ['a count', asCount, ['1', '007', kLargest], ['0', `${kLargest}0`]],
  ['a place', asNumber, ['0', '12', kLargest], [`${kLargest}0`]],
  ['a port', asPort, ['0', '65535'], ['65536']],
  ['bytes per sample', asDistance, ['1', '1073741824'], ['0', '1073741825']],
])('%s is a number within its bounds, and nothing that only reads as one', (_, read, good, beyond) => {
  for (const text of good) expect(read(text), text).toBe(Number(text));
  for (const text of [...beyond, '', ' ', '-1', '1.5', '1e3', '0x10', 'x', 'Infinity', '1 '])
    expect(() => read(text), text).toThrow(/^It must be .*\d.*\.$/);
});

test('what is kept is everything or a count', () => {
  expect([asKept('all'), asKept('12')]).toEqual(['all', '12']);
  for (const text of ['0', 'none', '']) expect(() => asKept(text), text).toThrow('a whole number, 1 or more');
});
