import { describe, expect, it } from 'vitest';
import { addr, bytes } from '../../../web/src/base/brand.ts';
import { heapSpan, inside, nearest, neighbour, rangeOf, usedSpan } from '../../../web/src/map/map_walk.ts';
import { ChunkState } from '../../../web/src/protocol/map_frames.ts';
import { frameOf } from './map_frames.ts';

const frame = frameOf({
  chunks: [
    { at: 0x1004, size: 0x20 },
    { at: 0x1024, size: 0x80, state: ChunkState.poolBlock },
    { at: 0x10a4, size: 0x20, state: ChunkState.free },
  ],
  blocks: [{ at: 0x1028, size: 0x7c, pool: 1, freeNodes: 1, nodes: 2 }],
  nodes: [
    { at: 0x1040, size: 24, state: 1 },
    { at: 0x1058, size: 24, state: 0 },
  ],
});
const far = frameOf({ chunks: undefined });

describe('a selected address', () => {
  it('on a node is the node, on the rest of its block the chunk', () => {
    expect(rangeOf(frame, 0x1040)).toEqual({ address: 0x1040, size: 24 });
    expect(rangeOf(frame, 0x1030)).toEqual({ address: 0x1024, size: 0x80 });
    expect(rangeOf(frame, 0x1010)).toEqual({ address: 0x1004, size: 0x20 });
    expect(rangeOf(frame, 0x9000)).toBeUndefined();
    expect(rangeOf(far, 0x1040)).toBeUndefined();
  });
});

describe('the arrow keys', () => {
  it('go from chunk to chunk', () => {
    expect(neighbour(frame, 0x1004, 1)).toBe(0x1024);
    expect(neighbour(frame, 0x1024, 1)).toBe(0x10a4);
    expect(neighbour(frame, 0x10a4, -1)).toBe(0x1024);
  });

  it('stop at the ends', () => {
    expect(neighbour(frame, 0x1004, -1)).toBeUndefined();
    expect(neighbour(frame, 0x10a4, 1)).toBeUndefined();
  });

  it('go from node to node, and out of the block at its ends', () => {
    expect(neighbour(frame, 0x1040, 1)).toBe(0x1058);
    expect(neighbour(frame, 0x1058, -1)).toBe(0x1040);
    expect(neighbour(frame, 0x1058, 1)).toBe(0x10a4);
    expect(neighbour(frame, 0x1040, -1)).toBe(0x1024);
  });

  it('have nowhere to go from far', () => {
    expect(neighbour(far, 0x1004, 1)).toBeUndefined();
    expect(nearest(far, 0x1004)).toBeUndefined();
  });

  it('up and down lead to the chunk at that place, or to the nearest', () => {
    expect(nearest(frame, 0x1030)).toBe(0x1024);
    expect(nearest(frame, 0)).toBe(0x1004);
    expect(nearest(frame, 0x9000)).toBe(0x10a4);
  });
});

it('Enter leads into a block, and nowhere from a plain chunk', () => {
  expect(inside(frame, 0x1024)).toBe(0x1040);
  expect(inside(frame, 0x1004)).toBeUndefined();
  expect(inside(frame, 0x10a4)).toBeUndefined();
});

it('the heap spans all of its segments', () => {
  expect(heapSpan(frame)).toEqual({ from: 0x1000, to: 0x2000 });
  expect(heapSpan({ ...frame, segments: [] })).toBeUndefined();
});

describe('the part of the heap worth showing', () => {
  const heapOf = (...segments: readonly (readonly [base: number, size: number, tail: number])[]) => ({
    ...frame,
    segments: segments.map(([base, size, tail]) => ({
      base: addr(base),
      size: bytes(size),
      heap: 1,
      firstChunk: addr(base + 0x104),
      tail: addr(tail),
    })),
  });

  it('begins at the first chunk and ends a little behind the begin of the top', () => {
    expect(usedSpan(heapOf([0x1000, 0x20000, 0x1504]))).toEqual({ from: 0x1104, to: 0x1504 + 0x400 });
    expect(usedSpan(heapOf([0x1000, 0x200000, 0x101104]))).toEqual({ from: 0x1104, to: 0x121104 });
  });

  it('is all of the heap when its end is in use', () => {
    expect(usedSpan(heapOf([0x1000, 0x1000, 0x1ffc]))).toEqual({ from: 0x1104, to: 0x2000 });
  });

  it('reaches from the first segment into the last one', () => {
    expect(usedSpan(heapOf([0x9000, 0x40000, 0x9200], [0x1000, 0x1000, 0x1200]))?.from).toBe(0x1104);
    expect(usedSpan(heapOf([0x9000, 0x40000, 0x9200], [0x1000, 0x1000, 0x1200]))?.to).toBe(
      0x9200 + (0x9200 - 0x1104) / 8,
    );
  });

  it('is the same whatever is in view, near or far', () => {
    const near = heapOf([0x1000, 0x20000, 0x1504]);
    const elsewhere = { ...near, viewport: { ...frame.viewport, origin: addr(0x8000) }, chunks: undefined };
    expect(usedSpan(elsewhere)).toEqual(usedSpan(near));
    expect(usedSpan({ ...frame, segments: [] })).toBeUndefined();
  });
});
