// Calls that an engine leaves out of a stack: they are put in by what the module's calls call.
//
//   10 f ──▶ g          20 g ──▶ h, 21 g ──▶ h, 22 g ──▶ ?          30 h ──▶ malloc          40 i ──▶ ?

import { expect, test } from 'vitest';
import { kNoTarget, readTargets, writeTargets } from '../../../web/src/instrument/call_targets.ts';
import { kAllocator, type LeftOut, LeftOutCalls } from '../../../web/src/instrument/left_out.ts';
import type { NumberedCall } from '../../../web/src/instrument/site_table.ts';

const [f, g, h, i, malloc, other] = [1, 2, 3, 4, 5, 6];
const kCalls: readonly (readonly [number, number])[] = [
  [f, g],
  [g, h],
  [g, h],
  [g, kNoTarget],
  [h, malloc],
  [i, kNoTarget],
];

function begin() {
  const calls = kCalls.map(
    ([index], nth): NumberedCall => ({ number: nth + 1, at: nth, function: index, original: 0 }),
  );
  const targets = Int32Array.from([kNoTarget, ...kCalls.map(([, target]) => target)]);
  const leftOut = new LeftOutCalls(calls, targets);
  const [inF, inG, alsoInG, throughG, inH, inI] = calls as [NumberedCall, ...NumberedCall[]];
  const at = { inF, inG, alsoInG, throughG, inH, inI } as Record<string, NumberedCall>;
  const numbers = (ways: readonly LeftOut[]) => ways.map((way) => way.map(({ number }) => number));
  return {
    leftOut,
    at: (name: string) => at[name] as NumberedCall,
    between: (outer: string, inner: number) => numbers(leftOut.between(at[outer] as NumberedCall, inner)),
  };
}

test('a call that calls the function of the next frame leaves nothing out', () => {
  const { between } = begin();
  expect(between('inF', g)).toEqual([[]]);
  expect(between('inG', h)).toEqual([[]]);
});

test('what is left out is each of the calls in between, and all of them on a longer way', () => {
  const { between, at, leftOut } = begin();
  expect(between('inF', h)).toEqual([[2], [3]]);
  leftOut.learn([at('inH')]);
  expect(between('inF', kAllocator)).toEqual([[], [5, 2], [5, 3]]);
});

test('what an indirect call has called is learned', () => {
  const { between, at, leftOut } = begin();
  expect(between('inF', i)).toEqual([[]]); // nothing leads there
  leftOut.learn([at('inI'), at('throughG'), at('inF')]);
  expect(between('inF', i)).toEqual([[4]]);
  expect(between('throughG', i)).toEqual([[]]);
  expect(between('inI', h)).toEqual([[]]);
  leftOut.learn([at('inG'), at('inI')]);
  expect(between('inI', g)).toEqual([[]]);
  expect(between('inI', h)).toEqual([[], [2], [3]]); // it may call h now, too
});

test('the innermost call is one of an allocator', () => {
  const { between, at, leftOut } = begin();
  expect(between('inH', kAllocator)).toEqual([[]]); // nothing is known yet
  leftOut.learn([at('inH'), at('inG')]);
  expect(between('inH', kAllocator)).toEqual([[]]);
  expect(between('inG', kAllocator)).toEqual([[], [5]]);
  expect(between('inF', other)).toEqual([[]]);
});

test('targets are read as they were written', () => {
  const calls = kCalls.map(([index, target], nth) => ({
    number: nth + 1,
    at: nth,
    function: index,
    original: 0,
    target,
  }));
  calls.push({ number: 7, at: 9, function: 70_000, original: 0, target: 3 });
  calls.push({ number: 8, at: 9, function: -1, original: -1, target: 3 }); // of a function that the original has not
  const read = readTargets(writeTargets(calls), calls);
  expect([...read]).toEqual([kNoTarget, g, h, h, kNoTarget, malloc, kNoTarget, 3, kNoTarget]);
});
