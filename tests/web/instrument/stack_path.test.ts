// The contexts on a path from the inside out, against the same arithmetic in integers of 64 bits.

import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { kFactor, type NumberedCall } from '../../../web/src/instrument/site_table.ts';
import { StackPath } from '../../../web/src/instrument/stack_path.ts';
import { halves } from '../../../web/src/instrument/words_of_context.ts';

const callOf = (number: number): NumberedCall => ({ number, at: number, function: 1, original: number });

/** Of the context in each call, innermost first, and below the outermost. */
function contextsOn(base: bigint, calls: readonly NumberedCall[]): bigint[] {
  const contexts = [base];
  for (const { number } of calls.toReversed())
    contexts.unshift(BigInt.asUintN(64, (contexts[0] ?? 0n) * BigInt(kFactor) + BigInt(number)));
  return contexts;
}

const read = (path: StackPath): bigint[] =>
  Array.from(
    { length: path.length + 1 },
    (_, nth) => (BigInt(path.high[nth] ?? 0) << 32n) | BigInt(path.low[nth] ?? 0),
  );

test('each call stands in the context that its number and the one in it give', () => {
  const { below } = createRandom(53);
  const path = new StackPath();
  for (const length of [0, 1, 63, 64, 65, 300, 2]) {
    const calls = Array.from({ length }, () => callOf(1 + below(90_000)));
    const contexts = contextsOn((BigInt(below(2 ** 32)) << 32n) | BigInt(below(2 ** 32)), calls);
    path.begin(halves(contexts[0] ?? 0n)).addAll(calls);
    expect(read(path)).toEqual(contexts);
    expect(path.calls).toEqual(calls);
  }
});

test.each([1n << 32n, 2n ** 64n - 1n, 5n])('a low word that is less than the number of the call: below %d', (high) => {
  // low words of contexts that are 0 to 2 in the call of number 3
  const inverse = BigInt.asUintN(
    64,
    [1, 2, 3, 4, 5, 6].reduce((x) => x * (2n - BigInt(kFactor) * x), BigInt(kFactor)),
  );
  for (const low of [0n, 1n, 2n, 3n]) {
    const context = BigInt.asUintN(64, (high << 32n) | low);
    const below = BigInt.asUintN(64, (context - 3n) * inverse);
    expect(BigInt.asUintN(64, below * BigInt(kFactor) + 3n)).toBe(context);
    expect(read(new StackPath().begin(halves(context)).addAll([callOf(3)]))).toEqual([context, below]);
  }
});

test('a copy goes on by itself', () => {
  const path = new StackPath().begin(halves(7n)).addAll([callOf(1), callOf(2)]);
  const copy = path.copy();
  const before = read(path);
  for (let nth = 0; nth < 100; ++nth) copy.add(callOf(3));
  expect(read(path)).toEqual(before);
  path.add(callOf(9));
  expect(copy.length).toBe(102);
  expect(copy.calls[2]?.number).toBe(3);
  expect(read(copy).slice(0, 3)).toEqual(before);
});
