import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { headOf } from '../../../web/src/trace/trace.ts';
import { kSources, WordPredictor } from '../../../web/src/trace/word_predictor.ts';

const kLists = 40;
const kCalls = 4000;

/** A program takes a chunk of any list and gives it back, again and again: of its words, how many are not as expected? */
function errorsOf(sources: number, aDetailOf: (list: number) => number): readonly [number, number, number] {
  const predictor = new WordPredictor(sources);
  const random = createRandom(7);
  const errors: [number, number, number] = [0, 0, 0];
  for (let call = 0; call < kCalls; ++call) {
    const list = random.below(kLists);
    for (const kind of [EventKind.chunkReused, EventKind.chunkCached]) {
      predictor.begin(headOf(kind, 1, aDetailOf(list)));
      const words = [0x1000 + list * 0x3458, 16 + 8 * list, kind === EventKind.chunkCached ? 1 : 8 * list];
      for (const [word, value] of words.entries()) {
        if (predictor.expected(word) !== value) ++errors[word as 0 | 1 | 2];
        predictor.learn(word, value);
      }
    }
  }
  return errors;
}

test('what a list gave last is expected when it takes or gives again, of each of 40 lists', () => {
  const [address, size, rest] = errorsOf(kSources.all, (list) => list);
  expect(address + size + rest).toBeLessThan(kCalls / 10); // of 24,000 words
});

test('without places, or with one place for all lists, most addresses are not as expected', () => {
  for (const errors of [errorsOf(kSources.withoutPlaces, (list) => list), errorsOf(kSources.all, () => 0)]) {
    expect(errors[0]).toBeGreaterThan(kCalls * 0.9);
  }
});
