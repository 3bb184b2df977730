import { expect, it } from 'vitest';
import { anyWithin, findAt, firstEndingAfter, rangeAt, rangesWithin } from '../../../web/src/map/map_marks.ts';
import { frameOf, seeded } from './map_frames.ts';

const ranges = (...pairs: [number, number][]) => ({
  count: pairs.length,
  address: Uint32Array.from(pairs, ([at]) => at),
  size: Uint32Array.from(pairs, ([, size]) => size),
});

it('finds the range that holds an address, and none in a gap', () => {
  const found = ranges([16, 16], [32, 8], [64, 16]);
  expect(rangeAt(found, 15)).toBeUndefined();
  expect(rangeAt(found, 16)).toBe(0);
  expect(rangeAt(found, 31.9)).toBe(0);
  expect(rangeAt(found, 32)).toBe(1);
  expect(rangeAt(found, 40)).toBeUndefined();
  expect(rangeAt(found, 79)).toBe(2);
  expect(rangeAt(found, 80)).toBeUndefined();
  expect(rangeAt(ranges(), 5)).toBeUndefined();
});

it('says whether a range begins within a stretch, gaps and ends aside', () => {
  const found = ranges([16, 16], [64, 16]);
  expect(anyWithin(found, 0, 17)).toBe(true);
  expect(anyWithin(found, 0, 16)).toBe(false);
  expect(anyWithin(found, 32, 64)).toBe(false);
  expect(anyWithin(found, 80, 500)).toBe(false);
  expect(anyWithin(ranges(), 0, 500)).toBe(false);
});

it('says which ranges lie within a stretch, those in part too', () => {
  const found = ranges([16, 16], [32, 8], [64, 16]);
  const within = (from: number, to: number) => rangesWithin(found, from, to);
  expect(within(-100, 1000)).toEqual([0, 3]);
  expect(within(16, 80)).toEqual([0, 3]);
  expect(within(31, 33)).toEqual([0, 2]);
  expect(within(32, 64)).toEqual([1, 2]);
  expect(within(32, 65)).toEqual([1, 3]);
  expect(within(40, 64)).toEqual([2, 2]);
  expect(within(80, 1000)).toEqual([3, 3]);
  expect(within(50, 10)).toEqual([2, 2]);
  expect(rangesWithin(ranges(), 0, 9)).toEqual([0, 0]);
});

it('searches as a walk from the start would', () => {
  const random = seeded(9);
  const pairs: [number, number][] = [];
  for (let at = 8; pairs.length < 300; ) {
    const size = 8 + Math.floor(random() * 64);
    pairs.push([at, size]);
    at += size + (random() < 0.3 ? 16 : 0);
  }
  const found = ranges(...pairs);
  for (let address = 0; address < 15_000; address += 7) {
    const walked = pairs.findIndex(([at, size]) => at + size > address);
    expect(firstEndingAfter(found, address)).toBe(walked < 0 ? pairs.length : walked);
  }
});

it('finds chunk, block and node together', () => {
  const frame = frameOf({
    chunks: [{ at: 0x1000, size: 0x80, state: 4 }],
    blocks: [{ at: 0x1004, size: 0x7c, pool: 2, freeNodes: 0, nodes: 2 }],
    nodes: [{ at: 0x1010, size: 24, state: 1 }],
  });
  expect(findAt(frame, 0x1011)).toMatchObject({
    chunk: { address: 0x1000, size: 0x80 },
    block: { address: 0x1004, index: 0 },
    node: { address: 0x1010, size: 24, state: 1 },
  });
  expect(findAt(frame, 0x1001)).toMatchObject({ chunk: { index: 0 }, block: undefined, node: undefined });
});
