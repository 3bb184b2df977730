// What an operation's events say as prose: each in the right number, and of very many the first.

import { expect, test } from 'vitest';
import { History } from '../../../../web/src/model/time/history.ts';
import { explainOperation } from '../../../../web/src/model/words/explain.ts';
import { EventKind, Op } from '../../../../web/src/protocol/event_layout.ts';
import { begin, cache, chunkNumber, done, kFree, kSixChunks, kSize, move } from '../cached_events.ts';
import { type Line, traceOf } from '../small_events.ts';

/** Behind these events, of which so many are still to come. */
function proseOf(lines: readonly Line[], toCome = 0) {
  const history = new History(traceOf([...kSixChunks, ...lines]));
  history.fold();
  expect(history.broken).toBeUndefined();
  const parts = explainOperation(history, history.head.seq - toCome)?.prose ?? [];
  const text = parts.map((part) => part.text).join('');
  return { parts, text: text.replaceAll('\u202f', ' ') };
}

test.each([
  [1, '1 block.'],
  [3, '3 blocks side by side, without a search each.'],
])('of a chunk that is cut for a burst of %i it is said what it became', (count, said) => {
  const at = chunkNumber(6);
  const { text } = proseOf([
    [EventKind.opBegun, Op.burstNodes, 0, 60, count],
    [EventKind.topChanged, 0, 0, at, 0],
    [EventKind.chunkSplit, 0, at, count * kSize, kFree - (6 + count) * kSize],
    [EventKind.burstCarved, 0, at, kSize, count],
    [EventKind.topChanged, 0, at + count * kSize, 0, 0],
    done(Op.burstNodes),
  ]);
  expect(text).toContain(` One free chunk of ${count * kSize} B became ${said}`);
});

test('of an operation with very many events the first are told, and how many there are', () => {
  const told = (rounds: number, toCome = 0, ending: readonly Line[] = [done(Op.allocate)]) => {
    const moves = Array.from({ length: rounds }, () => [move(0, 1, 0), move(0, 0, 1)]).flat();
    const { parts, text } = proseOf([cache(0), begin(Op.allocate, 0, 60), ...moves, ...ending], toCome);
    return { parts, said: text.match(/1 chunk went/g)?.length, end: / And so on, .*/.exec(text)?.[0] };
  };
  expect(told(5)).toMatchObject({ said: 10, end: undefined });
  for (const rounds of [50, 1000]) {
    const { parts, said } = told(rounds);
    expect(parts.length).toBeLessThan(50);
    expect(said).toBeGreaterThan(10);
    expect(said).toBeLessThan(50);
  }
  expect(told(50).end).toBe(' And so on, 102 events in all.');
  expect(told(50, 1).end).toBe(' And so on, 101 events so far.');
  expect(told(50, 0, []).end).toBe(' And so on, 101 events so far.'); // the trace ends amid it
});
