import { describe, expect, it } from 'vitest';
import { ChunkState } from '../../../web/src/protocol/frames.ts';
import { heapSpan, inside, nearest, neighbour, rangeOf, usedSpan } from '../../../web/src/views/heap_map/map_walk.ts';
import { frameOf } from '../render/map_frames.ts';

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
  const top = (at: number) => ({ at, size: 0x2000 - 4 - at, state: ChunkState.top });
  const seen = (bytesPerRow: number, rows: number) => ({ bytesPerRow, rows });

  it('begins at the first chunk and ends a little behind the begin of the top', () => {
    const chunks = [
      { at: 0x1104, size: 0x400 },
      { ...top(0x1504), size: 0x21000 - 4 - 0x1504 },
    ];
    const heap = frameOf({ chunks, size: 0x20000, ...seen(0x1000, 64) });
    expect(usedSpan(heap)).toEqual({ from: 0x1104, to: 0x1504 + 0x1000 });
  });

  it('is all of the heap when its end is not top', () => {
    const heap = frameOf({ chunks: [{ at: 0x1104, size: 0x2000 - 4 - 0x1104 }], ...seen(0x1000, 16) });
    expect(usedSpan(heap)).toEqual({ from: 0x1104, to: 0x2000 });
  });

  it('is twice what is seen while the top is not in sight yet', () => {
    const heap = frameOf({ chunks: [{ at: 0x1104, size: 0x800 }], ...seen(0x100, 24) }); // seen up to 0x1800
    expect(usedSpan(heap)).toEqual({ from: 0x1104, to: 0x1800 + (0x1800 - 0x1104) });
  });

  it('does not take a free chunk at the edge of the frame for the top', () => {
    const heap = frameOf({ chunks: [{ at: 0x1104, size: 0x800, state: ChunkState.free }], ...seen(0x100, 24) });
    expect(usedSpan(heap)).toEqual({ from: 0x1104, to: 0x1800 + (0x1800 - 0x1104) });
  });

  it('is all of the heap from far', () => {
    expect(usedSpan(far)).toEqual({ from: 0x1000, to: 0x2000 });
    expect(usedSpan({ ...frame, segments: [] })).toBeUndefined();
  });
});
