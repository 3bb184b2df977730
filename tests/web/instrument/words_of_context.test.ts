// Arithmetic of contexts in two words, against BigInt's.

import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { halves, highOfProduct, inverseOf, kFactorOfCalls } from '../../../web/src/instrument/words_of_context.ts';

const { next } = createRandom(12);
const kWords = [0, 1, 0xffff, 0x10000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, ...Array.from({ length: 30 }, next)];

test('the upper word of every product is the upper half of it', () => {
  for (const one of kWords)
    for (const other of kWords)
      expect(highOfProduct(one, other) >>> 0, `${one} * ${other}`).toBe(Number((BigInt(one) * BigInt(other)) >> 32n));
});

test('an odd number times its inverse is 1, modulo 2^64', () => {
  for (const word of kWords) {
    const odd = (BigInt(word) << 32n) | BigInt(word ^ 0x1234_5678) | 1n;
    expect(BigInt.asUintN(64, odd * inverseOf(odd))).toBe(1n);
  }
  expect(BigInt.asUintN(64, kFactorOfCalls * inverseOf(kFactorOfCalls))).toBe(1n);
});

test('a context has a low and a high word, a negative one too', () => {
  for (const low of kWords)
    for (const high of [0, 7, 0xffff_ffff]) expect(halves((BigInt(high) << 32n) | BigInt(low))).toEqual([low, high]);
  expect(halves(-1n)).toEqual([0xffff_ffff, 0xffff_ffff]);
});
