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
