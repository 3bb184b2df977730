// The clock of playing: steps add up while time goes by, and nothing of one playing is left for the next.

import { expect, test } from 'vitest';
import { createPlayClock } from '../../../web/src/moment/play_clock.ts';

test('steps add up over frames until they are taken, parts of a step too', () => {
  const clock = createPlayClock();
  clock.beat(1000, 10);
  expect(clock.isDue()).toBe(false); // no time has gone by
  clock.beat(1050, 10);
  expect(clock.isDue()).toBe(false); // half a step
  clock.beat(1100, 10);
  for (const now of [1190, 1280, 1310]) clock.beat(now, 10);
  expect([clock.isDue(), clock.take(), clock.isDue(), clock.take()]).toEqual([true, 3, false, 0]);
});

test('who stops and plays again begins anew: neither steps that were due nor a part of one, nor the time between', () => {
  const clock = createPlayClock();
  for (const now of [0, 90, 180]) clock.beat(now, 10);
  clock.beat(190, undefined);
  expect([clock.isDue(), clock.take()]).toEqual([false, 0]);
  clock.beat(90_000, 10);
  clock.beat(90_030, 10);
  expect(clock.isDue()).toBe(false); // eight tenths of a step were left before
});
