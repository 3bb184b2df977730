// How large linear memory was, by the events that say so: before the first growth as large as that growth found it.

import { expect, test } from 'vitest';
import { History } from '../../../../web/src/model/time/history.ts';
import { EventKind } from '../../../../web/src/protocol/event_layout.ts';
import { kOneSpan, type Line, traceOf } from '../small_events.ts';

const kPage = 65_536;
const grown = (from: number, to: number): Line => [EventKind.memoryGrown, 1, from, to, 0];

test('each growth holds from its event on, and the first one says what was there before', () => {
  const lines = [...kOneSpan, grown(16, 20), grown(20, 40)];
  const history = new History(traceOf(lines));
  history.fold();
  expect(history.broken).toBeUndefined();
  const at = (seq: number) => (history.memoryBytes.at(seq) ?? 0) / kPage;
  const events = kOneSpan.length;
  expect([at(0), at(events), at(events + 1), at(events + 2)]).toEqual([16, 16, 20, 40]);
});

test('nothing is known of it while no event says so', () => {
  const history = new History(traceOf(kOneSpan));
  history.fold();
  expect(history.memoryBytes.at(kOneSpan.length)).toBeUndefined();
});
