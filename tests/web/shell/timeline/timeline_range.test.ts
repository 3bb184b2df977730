import { expect, it } from 'vitest';
import { between, stretchOf } from '../../../../web/src/shell/timeline/timeline_range.ts';

const kHead = 10_000;

it('a stretch is the same whichever end the hand began at', () => {
  expect(stretchOf(between(4000, 2000), kHead)).toEqual({ from: 2000, to: 4000 });
  expect(stretchOf(between(2000, 4000), kHead)).toEqual({ from: 2000, to: 4000 });
});

it('a press that did not move chooses no stretch', () => {
  expect(stretchOf(between(2000, 2000), kHead)).toBeUndefined();
});

it('a stretch too short to look at is widened, and stays within what was recorded', () => {
  expect(stretchOf(between(2000, 2003), kHead)).toEqual({ from: 2000, to: 2200 });
  expect(stretchOf(between(9999, kHead), kHead)).toEqual({ from: kHead - 200, to: kHead });
  expect(stretchOf(between(3, 5), 50)).toEqual({ from: 0, to: 50 });
});
