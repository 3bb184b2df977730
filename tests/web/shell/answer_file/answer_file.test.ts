// The moments of an answer's clip: from where it began to the answer, in a bounded number of steps.

import { describe, expect, test } from 'vitest';
import type { Answer } from '../../../../web/src/protocol/answers.ts';
import { momentsOf } from '../../../../web/src/shell/answer_file/answer_file.ts';

const answer = (ask: Answer['ask'], event: number, from_event: number, births: readonly number[]) =>
  ({
    ask,
    event,
    evidence: {
      sites: [],
      blocks: births.map((born_event) => ({ address: 0, size_bytes: 16, born_event, site: 0 })),
      holes: [],
      event: event - 3,
      from_event,
      to_event: event,
    },
  }) as unknown as Pick<Answer, 'ask' | 'event' | 'evidence'> as Parameters<typeof momentsOf>[0];

describe('the moments of a clip', () => {
  test('begin where the first block was born that the answer is about', () => {
    const moments = momentsOf(answer('leaked', 30_000, 29_000, [12_000, 800, 29_500]));
    expect(moments.length).toBe(30);
    expect(moments[0]).toBe(800);
  });

  test('grow, and end before the moment that the answer lights up', () => {
    const moments = momentsOf(answer('grew', 5_000, 4_990, []));
    expect(moments).toEqual([...new Set(moments)].sort((a, b) => a - b));
    expect(moments.at(-1)).toBeLessThan(4_997); // the state that the growing call found
    expect(moments[0]).toBe(4_497); // of a call alone there is nothing to see: 500 events at least
  });

  test('are no more than there are events, and none before the first', () => {
    const moments = momentsOf(answer('fits', 12, 3, [5]));
    expect(moments).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
});
