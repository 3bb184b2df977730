// Bytes that wait to be read, in pieces of any length: the words are those of all bytes together, and nothing is copied without need.

import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { PendingWords } from '../../../web/src/trace/pending_words.ts';

test.each([1, 2, 3, 4])('words that come in pieces are read as if they came at once (seed %i)', (seed) => {
  const random = createRandom(seed);
  const all = Uint8Array.from({ length: 4000 }, () => random.below(256));
  const wanted = [...new Uint32Array(all.slice().buffer)];
  const pending = new PendingWords();
  const read: number[] = [];
  for (let at = 0; at < all.length; ) {
    const end = Math.min(all.length, at + random.below(40));
    const given = all.slice(0, end).subarray(at); // at any offset of its buffer
    pending.append(given);
    const taken = random.below(pending.words.length + 1);
    read.push(...pending.words.subarray(0, taken));
    pending.skip(taken);
    pending.keep();
    given.fill(0); // it is the caller's again
    at = end;
    expect(pending.bytes).toBe(at - 4 * read.length);
    expect([...pending.rest]).toEqual([...all.subarray(at - (at % 4), at)]);
  }
  expect([...read, ...pending.words]).toEqual(wanted);
});

test('words of aligned bytes are read where they are, until they are kept', () => {
  const given = Uint8Array.from({ length: 24 }, (_, nth) => nth);
  for (const [offset, isRead] of [
    [0, true],
    [8, true],
    [2, false],
  ] as const) {
    const pending = new PendingWords();
    pending.append(given.subarray(offset, 18));
    expect([offset, pending.words.buffer === given.buffer]).toEqual([offset, isRead]);
    pending.keep();
    expect(pending.words.buffer === given.buffer).toBe(false);
    expect(new Uint8Array(pending.words.slice().buffer)[0]).toBe(offset);
  }
});
