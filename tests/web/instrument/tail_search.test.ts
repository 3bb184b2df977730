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

/** It says how many contexts were tried. */
class CountingTable extends PairTable {
  looks = 0;
  override get(one: number, other: number): number {
    ++this.looks;
    return super.get(one, other);
  }
}

function begin() {
  const table = new CountingTable();
  const search = new TailSearch(table);
  return {
    search,
    trialsOf: (work: () => void): number => {
      const before = table.looks;
      work();
      return table.looks - before;
    },
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

test('a tail is found whose sum goes beyond the low word, or comes to its end', () => {
  const { search, know, find } = begin();
  know(11n, 4);
  const product = (number: number): number => Math.imul(number, kFactor) >>> 0;
  const nearest = Array.from({ length: 90_000 }, (_, nth) => nth + 1).reduce((best, number) =>
    product(number) > product(best) ? number : best,
  );
  const rest = 2 ** 32 - product(nearest);
  for (const number of [rest - 1, rest, rest + 1, 90_000]) {
    const tail = tailOf(number, nearest);
    search.learn(tail);
    expect(find(above(11n, tail))).toEqual({ base: 4, tail });
  }
});

test.each([0n, 5n << 32n, 2n ** 64n - 1n])('a tail is found on the context %d', (base) => {
  const { search, know, find } = begin();
  know(base, 3);
  const tail = tailOf(7, 2 ** 20, 1);
  search.learn(tail);
  expect(find(above(base, tail))).toEqual({ base: 3, tail });
});

test('a context is tried with each tail, and the ways out of the last one, but no more often', () => {
  const { search, find, trialsOf } = begin();
  for (let nth = 0; nth < 5000; ++nth) search.learn(tailOf(1 + nth));
  expect(trialsOf(() => expect(find(77n)).toBeUndefined())).toBe(4096 + 8);
});

test('tails that came behind the last one are tried first, the latest of them before the others', () => {
  const { search, know, find, trialsOf } = begin();
  know(5n, 9);
  const hub = tailOf(1);
  const others = Array.from({ length: 8 }, (_, nth) => tailOf(1000 + nth));
  const rest = Array.from({ length: 4000 }, (_, nth) => tailOf(2000 + nth));
  for (const tail of [...rest, hub, ...others]) search.learn(tail);
  const trials = (tail: readonly NumberedCall[]): number =>
    trialsOf(() => expect(find(above(5n, tail))).toEqual({ base: 9, tail }));
  const round = (tails: readonly NumberedCall[][]) => tails.map((tail) => [trials(tail), trials(hub)]);
  round(others);
  expect(round(others)).toEqual(others.map(() => [8, 1])); // it has been the longest time that each was there
  expect(round(others.toReversed())).toEqual(others.map((_, nth) => [1 + nth, 1]));
  const [ninth] = rest as [NumberedCall[]];
  expect(trials(ninth)).toBeGreaterThan(8);
  trials(hub);
  expect(round([ninth, others[0] as NumberedCall[]])).toEqual([
    [1, 1],
    [2, 1],
  ]);
  expect(trials(others.at(-1) as NumberedCall[])).toBeGreaterThan(8); // the ninth has its place
});

test('what comes behind a tail is of no account for the one that was learned next', () => {
  const { search, know, find, trialsOf } = begin();
  know(5n, 9);
  const tails = Array.from({ length: 30 }, (_, nth) => tailOf(100 + nth));
  for (const tail of tails) search.learn(tail);
  const trials = (nth: number): number =>
    trialsOf(() => expect(find(above(5n, tails[nth] as NumberedCall[]))?.base).toBe(9));
  const [one, next, behind] = [3, 4, 20];
  for (const nth of [next, behind, one, 9]) trials(nth); // 9 is found behind the one for the first time
  trials(next);
  expect(trials(behind)).toBe(1);
  trials(one);
  search.learn(tailOf(200));
  trials(next);
  expect(trials(behind)).toBe(1);
});

test('of the others, the one that was last a surprise is tried first', () => {
  const { search, know, find, trialsOf } = begin();
  know(5n, 9);
  const tails = Array.from({ length: 50 }, (_, nth) => tailOf(100 + nth));
  for (const tail of tails) search.learn(tail);
  const trials = (nth: number): number =>
    trialsOf(() => expect(find(above(5n, tails[nth] as NumberedCall[]))?.base).toBe(9));
  expect([10, 30, 20, 40].map(trials)).toEqual([40, 21, 31, 13].map((before) => 8 + before)); // the last learned is the first
  expect([10, 20].map(trials)).toEqual([8 + 4, 8 + 3]);
});

test('a tail that only comes behind another one stays, too, and one that is too long takes no place', () => {
  const { search, know, find } = begin();
  know(5n, 9);
  const [one, behind, never] = [tailOf(1), tailOf(2), tailOf(3)];
  for (const tail of [one, behind, never]) search.learn(tail);
  const long = Array.from({ length: 65 }, (_, nth) => callOf(nth + 1));
  for (let nth = 0; nth < 5000; ++nth) search.learn(long);
  expect(find(above(5n, never))?.base).toBe(9);
  for (let nth = 0; nth < 12_000; ++nth) {
    search.learn(tailOf(100 + nth));
    expect([find(above(5n, one))?.base, find(above(5n, behind))?.base]).toEqual([9, 9]);
  }
  expect(find(above(5n, never))).toBeUndefined();
});
