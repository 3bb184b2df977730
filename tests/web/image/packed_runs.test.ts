// Runs in few bytes: what is packed is unpacked.

import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { packRuns, unpackRuns } from '../../../web/src/image/packed_runs.ts';

const kMostAtOnce = 4 * 0xffff;

test.each<[string, number[], number]>([
  ['none', [], 0],
  ['one at the beginning', [0, 4096], 1],
  ['some with gaps', [0, 4, 8, 4, 4096, 64], 3],
  ['a word at the end of memory', [2 ** 32 - 4, 4], 2 ** 14 + 1],
  ['the longest in one word, and one word more', [kMostAtOnce, kMostAtOnce, 3 * kMostAtOnce, kMostAtOnce + 4], 3],
  ['all of the memory', [0, 2 ** 32], 2 ** 14 + 1],
])('%s', (_, runs, words) => {
  const packed = packRuns(runs);
  expect(packed.length).toBe(words);
  expect(packed.every((word) => Number.isInteger(word) && word >= 0 && word < 2 ** 32)).toBe(true);
  expect(unpackRuns(Uint32Array.from(packed))).toEqual(runs);
});

test('what is no multiple of a word is rounded up, and what touches becomes one', () => {
  expect(unpackRuns(packRuns([8, 6]))).toEqual([8, 8]);
  expect(unpackRuns(packRuns([8, 8, 16, 4]))).toEqual([8, 12]);
});

test('random runs of all lengths', () => {
  const random = createRandom(4);
  for (let round = 0; round < 50; ++round) {
    const runs: number[] = [];
    for (let at = 0; runs.length < 100; ) {
      const below = 4 ** (1 + random.below(10));
      at += 4 * (1 + random.below(below));
      const bytes = 4 * (1 + random.below(below));
      runs.push(at, bytes);
      at += bytes;
    }
    expect(unpackRuns(Uint32Array.from(packRuns(runs)))).toEqual(runs);
  }
});
