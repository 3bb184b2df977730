// Resets go back to the last copy that was seen: the state behind them is that one, births included, however they are reached.

import { expect, test } from 'vitest';
import { captureKeyframe, restoreKeyframe } from '../../../../web/src/model/state/keyframe.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { TimeTravel } from '../../../../web/src/model/time/time_travel.ts';
import { EventKind } from '../../../../web/src/protocol/event_layout.ts';
import { cache, kSixChunks, kSize, release, reuse } from '../cached_events.ts';
import { type Line, traceOf } from '../small_events.ts';

const kept = (number: number): Line => [EventKind.stateKept, 0, number, 0, 0];
const reset = (number: number): Line => [EventKind.stateReset, 0, number, 0, 0];
const lost: Line = [EventKind.eventsLost, 0, 9, 0, 0];
const kFirst = kSixChunks.length;

function told(...lines: readonly Line[]): History {
  const history = new History(traceOf([...kSixChunks, ...lines]));
  history.fold();
  expect(history.broken).toBeUndefined();
  return history;
}
/** A state but for its number of events. */
const plain = ({ head }: Pick<History, 'head'>) => ({ ...captureKeyframe(head), seq: 0 });

test('behind a reset the state is the kept one, and so it is behind the next', () => {
  const before = [cache(0), release(2)];
  const history = told(...before, kept(1), reuse(0), release(3), reset(1), cache(4), reset(1), reset(1));
  expect(plain(history)).toEqual(plain(told(...before)));
  const resets = [6, 8, 9].map((behind) => kFirst + behind);
  expect([...history.barriers.slice()]).toEqual(resets);
  expect(resets.map((barrier) => history.kept.before(barrier))).toEqual([3, 3, 3].map((behind) => kFirst + behind));
  expect(history.kept.before(kFirst + 7)).toBeUndefined();
  expect(history.awaitsResync || history.head.awaiting).toBe(false);
  const travel = new TimeTravel(history);
  const inUse = (behind: number) => {
    travel.seek(kFirst + behind);
    return travel.state.inUse / kSize;
  };
  expect([2, 3, 4, 5, 6, 7, 8, 9].map(inUse)).toEqual([4, 4, 5, 4, 4, 3, 4, 4]);
  expect([9, 5, 6, 4].map(inUse)).toEqual([4, 4, 4, 5]);
});

test('a newer copy takes the place of the older one, to which no reset goes back any more', () => {
  const history = told(kept(1), cache(0), kept(2), cache(1), reset(2), cache(2));
  expect([history.head.cached, history.kept.isKnown]).toEqual([2 * kSize, true]);
  const old = told(kept(1), cache(0), kept(2), reset(1), cache(2));
  expect([old.head.awaiting, old.lostAt, old.barriers.count]).toEqual([true, kFirst + 4, 0]);
});

test('a reset to a copy that was not seen is as a loss: the state awaits a snapshot', () => {
  const history = told(cache(0), reset(1), cache(1));
  expect([history.kept.isKnown, history.head.awaiting, history.head.cached]).toEqual([false, true, kSize]);
  expect(history.lostAt).toBe(kFirst + 2);
});

test('the kept state is had again across another barrier, too', () => {
  const history = told(cache(0), kept(1), cache(1), lost, reset(1), cache(2));
  expect(history.head.awaiting).toBe(false);
  expect(history.head.cached).toBe(2 * kSize);
  const walked = new History(traceOf([...kSixChunks, cache(0), kept(1), lost, cache(1), reset(1)]));
  walked.stopsAtLoss = true;
  walked.fold();
  const { seq } = walked.head;
  restoreKeyframe(walked.head, { ...captureKeyframe(told(release(5)).head), seq }); // as read from the heap itself
  walked.addBarrier();
  walked.fold();
  expect(plain(walked)).toEqual(plain(told(cache(0))));
});
