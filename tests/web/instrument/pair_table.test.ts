// Numbers by pairs of words, compared with a Map of the pairs as texts.

import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { PairTable } from '../../../web/src/instrument/pair_table.ts';

test.each([
  ['few words, so that pairs share one', 40],
  ['words of 32 bits', 2 ** 32],
])('a number is found by its pair alone: %s', (_, words) => {
  const { below } = createRandom(words % 1009);
  const table = new PairTable();
  const twin = new Map<string, number>();
  for (let turn = 0; turn < 5000; ++turn) {
    const [one, other] = [below(words), below(words)];
    const known = twin.get(`${one} ${other}`) ?? -1;
    expect(table.get(one, other)).toBe(known);
    if (known >= 0 && turn % 2 === 0) continue;
    const number = below(2) === 0 ? turn : turn * 2 ** 33;
    table.set(one, other, number);
    twin.set(`${one} ${other}`, number);
    expect(table.size).toBe(twin.size);
  }
  for (const [pair, number] of twin)
    expect(table.get(...(pair.split(' ').map(Number) as [number, number]))).toBe(number);
});

test('of many pairs each is found at once', () => {
  const table = new PairTable();
  const [ones, others] = [300, 200];
  for (let one = 0; one < ones; ++one)
    for (let other = 0; other < others; ++other) table.set(one, other << 8, one * others + other);
  for (let one = 0; one < ones; ++one)
    for (let other = 0; other < others; ++other)
      if (table.get(one, other << 8) !== one * others + other) throw new Error(`${one} ${other}`);
  expect(table.size).toBe(ones * others);
}, 5000); // some hundredths of a second; pairs that are looked for one after the other take far longer
