// The stack of what gave a block to the program. What came back from it has none: the call that freed it says nothing of its making.

import { expect, test } from 'vitest';
import { stackOfEvent } from '../../../../web/src/model/queries/query_stack.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { EventKind } from '../../../../web/src/protocol/event_layout.ts';
import type { Trace } from '../../../../web/src/trace/trace.ts';
import { cache, kSixChunks, reuse } from '../cached_events.ts';
import { withSites } from '../sited_trace.ts';
import { fetch, giveBack, kOneSpan, take, traceOf } from '../small_events.ts';

function foldedWithSites(trace: Trace): History {
  const history = new History(withSites(trace, (operation) => ['main', `f${operation}`]));
  history.fold();
  expect(history.broken).toBeUndefined();
  return history;
}

const stacksOf = (history: History, kind: EventKind) =>
  Array.from({ length: history.trace.count }, (_, event) => event)
    .filter((event) => history.trace.kind(event) === kind)
    .map((event) => stackOfEvent(history, event));

test('a node that was taken has the stack of its call, and one that was given back has none', () => {
  const history = foldedWithSites(traceOf([...kOneSpan, fetch(8, 1), take(0), take(1), giveBack(0)]));
  expect(stacksOf(history, EventKind.nodeTaken)).toEqual([
    ['f0', 'main'],
    ['f1', 'main'],
  ]);
  expect(stacksOf(history, EventKind.nodeReturned)).toEqual([undefined]);
});

test('a chunk that was taken from a cache has the stack of its call, and one that was put there has none', () => {
  const history = foldedWithSites(traceOf([...kSixChunks, cache(0), reuse(0)]));
  expect(stacksOf(history, EventKind.chunkCached)).toEqual([undefined]);
  expect(stacksOf(history, EventKind.chunkReused)).toEqual([['f1', 'main']]);
});
