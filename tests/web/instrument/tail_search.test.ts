// Tails: what lies below a context is found by the calls that others had on top, whatever is below.

import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { PairTable } from '../../../web/src/instrument/pair_table.ts';
import { kFactor, type NumberedCall } from '../../../web/src/instrument/site_table.ts';
import { TailSearch } from '../../../web/src/instrument/tail_search.ts';
import { halves } from '../../../web/src/instrument/words_of_context.ts';

const callOf = (number: number): NumberedCall => ({ number, at: number, function: 1, original: number });
const tailOf = (...numbers: number[]): NumberedCall[] => numbers.map(callOf);

/** The context in the innermost call of a tail on top of another context. */
const above = (base: bigint, tail: readonly NumberedCall[]): bigint =>
  tail.reduceRight((context, { number }) => BigInt.asUintN(64, context * BigInt(kFactor) + BigInt(number)), base);

function begin() {
  const table = new PairTable();
  const search = new TailSearch(table);
  return {
    search,
    know: (context: bigint, number: number) => table.set(...halves(context), number),
    find: (context: bigint) => search.find(...halves(context)),
  };
}

test('a learned tail is found on every known context, and on no other', () => {
  const { below } = createRandom(52);
  const word = (): bigint => (BigInt(below(2 ** 32)) << 32n) | BigInt(below(2 ** 32));
  const { search, know, find } = begin();
  const tails = Array.from({ length: 300 }, () =>
    tailOf(...Array.from({ length: 1 + below(64) }, () => 1 + below(90_000))),
  );
  for (const tail of tails) search.learn(tail);
  for (let nth = 0; nth < 2000; ++nth) {
    const base = word();
    const tail = tails[below(tails.length)] as NumberedCall[];
    expect(find(above(base, tail))).toBeUndefined();
    know(base, nth);
    expect(find(above(base, tail))).toEqual({ base: nth, tail });
  }
});

test('nothing is found before a tail is learned, nor by one that is empty or longer than 64 calls', () => {
  const { search, know, find } = begin();
  const long = Array.from({ length: 65 }, (_, nth) => callOf(nth + 1));
  know(7n, 1);
  expect(find(7n)).toBeUndefined();
  search.learn([]);
  search.learn(long);
  expect(find(7n)).toBeUndefined();
  expect(find(above(7n, long))).toBeUndefined();
  search.learn(long.slice(1));
  expect(find(above(7n, long.slice(1)))?.base).toBe(1);
});

test('of more tails than there is space for, those that are found stay', () => {
  const { search, know, find } = begin();
  know(5n, 9);
  const often = tailOf(3, 2, 1);
  search.learn(often);
  for (let nth = 0; nth < 20_000; ++nth) {
    search.learn(tailOf(100 + nth));
    if (nth % 1000 === 0) expect(find(above(5n, often))?.base).toBe(9);
  }
  expect(find(above(5n, often))?.tail).toEqual(often);
  expect(find(above(5n, tailOf(20_099)))?.base).toBe(9);
  expect(find(above(5n, tailOf(100)))).toBeUndefined();
});
