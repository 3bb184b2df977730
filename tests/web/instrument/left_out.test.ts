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

test('a call that has called several functions leaves out nothing before any of them', () => {
  const { between, at, leftOut } = begin();
  leftOut.learn([at('inH'), at('inI')]);
  leftOut.learn([at('inG'), at('inI')]);
  expect(between('inI', h)).toEqual([[]]);
  expect(between('inI', g)).toEqual([[]]);
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
  const callOf = ([index, target]: readonly [number, number], nth: number) => ({
    number: nth + 1,
    at: nth,
    function: index,
    original: 0,
    target,
  });
  const pairs: readonly (readonly [number, number])[] = [
    ...kCalls,
    [70_000, 3],
    [-1, 3], // of a function that the original has not
    [3, 1],
    [1, 0],
    [0, 0],
    [0, 2],
    [70_000, kNoTarget],
  ];
  const calls = pairs.map(callOf);
  const written = writeTargets(calls);
  const read = readTargets(written, calls);
  expect([...read]).toEqual([-1, g, h, h, -1, malloc, -1, 3, -1, 1, 0, 0, 2, -1]);
  expect(written).toHaveLength(pairs.length + 2); // LEB128: one byte for what is near or not known, three for 70,000
});

/** Of calls by function and what each calls, by number: what may be left out between one and a function. */
function amongst(calls: readonly (readonly [number, number])[]) {
  const numbered = calls.map(
    ([index], nth): NumberedCall => ({ number: nth + 1, at: nth, function: index, original: 0 }),
  );
  const leftOut = new LeftOutCalls(numbered, Int32Array.from([kNoTarget, ...calls.map(([, target]) => target)]));
  return {
    learn: (...numbers: number[]) => leftOut.learn(numbers.map((number) => numbered[number - 1] as NumberedCall)),
    ways: (number: number, inner: number) => leftOut.between(numbered[number - 1] as NumberedCall, inner),
    between: (number: number, inner: number) =>
      leftOut.between(numbered[number - 1] as NumberedCall, inner).map((way) => way.map((call) => call.number)),
  };
}

test('up to three calls may be left out one after the other', () => {
  const { between } = amongst([
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 5],
    [5, 6],
  ]);
  expect([3, 4, 5, 6].map((inner) => between(1, inner))).toEqual([[[2]], [[3, 2]], [[4, 3, 2]], [[]]]);
});

test('functions of low numbers are functions as others are', () => {
  const { learn, between } = amongst([
    [3, 2],
    [2, 1],
    [2, 0],
    [1, 4],
  ]);
  learn(4);
  expect([between(1, 1), between(1, 0), between(2, 1), between(3, 0)]).toEqual([[[2]], [[3]], [[]], [[]]]);
});

test('only the shortest ways are taken', () => {
  const { between } = amongst([
    [1, 2],
    [2, 3],
    [3, 4],
    [2, 4],
    [2, 5],
    [5, 4],
    [2, 2],
  ]);
  expect(between(1, 4)).toEqual([[4]]);
});

test('of many calls no more than 2,000 are looked at, and of many ways 32 are taken', () => {
  const others = (count: number) => Array.from({ length: count }, (): [number, number] => [2, 9]);
  expect(amongst([[1, 2], ...others(1999), [2, 3]]).between(1, 3)).toEqual([[2001]]);
  expect(amongst([[1, 2], ...others(2000), [2, 3]]).between(1, 3)).toEqual([[]]);
  expect(amongst([[1, 2], [2, 3], ...others(3000)]).between(1, 3)).toEqual([[2]]);
  const same = Array.from({ length: 40 }, (): [number, number] => [2, 3]);
  const first = Array.from({ length: 32 }, (_, nth) => [2 + nth]);
  expect(amongst([[1, 2], ...same]).between(1, 3)).toEqual(first);
});

test('a search is done once, and again when something was learned that it may depend on', () => {
  const { learn, ways, between } = amongst([
    [1, 2],
    [2, 3],
    [2, kNoTarget],
    [3, 4],
    [4, 9],
    [1, 3],
  ]);
  const found = ways(1, 4);
  expect(between(1, 4)).toEqual([[4, 2]]);
  expect(ways(1, 4)).toBe(found);
  learn(5, 3); // the one through a table calls 4, whose call is the allocator's
  expect(between(1, 4)).toEqual([[3]]);
  const newly = ways(1, 4);
  learn(5, 3);
  learn(5, 4, 2); // direct calls in between tell nothing new
  learn(3); // of the innermost call only a direct one says who the allocator is
  learn();
  expect(between(5, kAllocator)).toEqual([[]]);
  expect(ways(1, 4)).toBe(newly);
  expect(between(6, kAllocator)).toEqual([[], [5, 4]]);
});

test('each two of a call and a function have ways of their own', () => {
  const { between } = amongst([
    [1, 2],
    [1, 3],
    [2, 4],
    [3, 4],
    [3, 5],
    [2, 5],
  ]);
  for (let round = 0; round < 2; ++round) {
    expect([between(1, 4), between(1, 5)]).toEqual([[[3]], [[6]]]);
    expect([between(2, 4), between(2, 5)]).toEqual([[[4]], [[5]]]);
  }
});
