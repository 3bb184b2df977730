// A state that cannot be made is thrown away whole, and what was asked for next is made as if nothing had happened.

import { expect, test } from 'vitest';
import { HeapState } from '../../../../web/src/model/state/heap_state.ts';
import { captureKeyframe } from '../../../../web/src/model/state/keyframe.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { TimeTravel } from '../../../../web/src/model/time/time_travel.ts';
import { cache, kSixChunks, reuse } from '../cached_events.ts';
import { traceOf } from '../small_events.ts';

test('what stands in the way of a state is thrown, the state is the empty one then, and any other can be had', () => {
  const history = new History(traceOf([...kSixChunks, cache(0), cache(1), reuse(3)]));
  history.fold();
  const end = kSixChunks.length + 2;
  expect(history.broken).toMatchObject({ seq: end, text: expect.stringContaining('is not cached') });
  const travel = new TimeTravel(history);
  for (const from of [0, 4, end]) {
    travel.seek(from);
    expect(() => travel.seek(end + 1)).toThrow(/is not cached/);
    expect(travel.keyframe()).toEqual(captureKeyframe(new HeapState()));
    travel.seek(end);
    expect(travel.keyframe()).toEqual(captureKeyframe(history.head));
  }
});

test('the nearer way is taken, by events back and forth or from a keyframe, and its events are counted', () => {
  const moves = Array.from({ length: 1000 }, () => [cache(0), reuse(0)]).flat();
  const lines = [...kSixChunks, ...moves];
  const history = new History(traceOf(lines), 1000);
  history.fold();
  expect(history.keyframes.map(({ seq }) => seq)).toEqual([0, 1000, 2000]);
  const travel = new TimeTravel(history);
  const replayed = (seq: number): number => {
    const before = travel.replayed;
    travel.seek(seq);
    const { state } = travel;
    const alone = new History(traceOf(lines.slice(0, seq)));
    alone.fold();
    expect(captureKeyframe(state)).toEqual(captureKeyframe(alone.head));
    return travel.replayed - before;
  };
  expect(replayed(10)).toBe(10); // from the begin
  expect(replayed(4)).toBe(6); // back
  expect(replayed(990)).toBe(10); // from the keyframe behind it
  expect(replayed(2010)).toBe(10); // from the last one
  expect(replayed(2010)).toBe(0);
  expect(replayed(1700)).toBe(310); // back: a keyframe costs more than the events between
});
