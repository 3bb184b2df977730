// What each call calls, written and read again: only calls of the original between functions of it have a target.

import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { kNoTarget, readTargets, writeTargets } from '../../../web/src/instrument/call_targets.ts';
import type { NumberedCall, TargetedCall } from '../../../web/src/instrument/site_table.ts';

const callOf = (number: number, index: number, target: number) =>
  ({ number, function: index, original: 0, at: 0, target }) as unknown as TargetedCall & NumberedCall;

test('targets are read as they were written, however far they lie from their calls', () => {
  const { below } = createRandom(3);
  const calls = [
    callOf(1, 5, 5),
    callOf(2, 5, 4),
    callOf(3, 5, 6),
    callOf(4, 0, 0),
    callOf(5, 7, kNoTarget),
    ...Array.from({ length: 100 }, (_, nth) => callOf(6 + nth, below(70_000), below(70_000))),
  ];
  const read = readTargets(writeTargets(calls), calls);
  expect(read).toHaveLength(calls.length + 1);
  expect([...read]).toEqual([kNoTarget, ...calls.map(({ target }) => target)]);
});

test('a call that is decided when it runs, and one outside of the original, take one byte and have no target', () => {
  const calls = [callOf(1, 7, kNoTarget), callOf(2, -1, 9), callOf(3, 7, 7)];
  const bytes = writeTargets(calls);
  expect([...bytes]).toEqual([0, 0, 1]);
  expect([...readTargets(bytes, calls)]).toEqual([kNoTarget, kNoTarget, kNoTarget, 7]);
});
