import { expect, it } from 'vitest';
import { ChunkState } from '../../../web/src/protocol/frames.ts';
import { foldsOf, isFolded } from '../../../web/src/render/map_folds.ts';
import { layoutFor, transformOf } from '../../../web/src/render/map_geometry.ts';
import { frameOf } from './map_frames.ts';

// 256 bytes a row from 0x1000 on: the free chunk begins in row 1 and ends in row 9, the top begins there.
const view = { layout: layoutFor(800, 640), transform: transformOf(0x1000, 256), ratio: 1 };
const given = (state: ChunkState) => [
  { at: 0x1004, size: 0x13c },
  { at: 0x1140, size: 0x7d0, state },
  { at: 0x1910, size: 0x40 },
  { at: 0x1950, size: 0x3000, state: ChunkState.top },
];
const folds = foldsOf(frameOf({ chunks: given(ChunkState.free), size: 0x8000, rows: 64 }), view);

it('of a long free chunk two rows are drawn, the whole rows behind them are folded, its end is drawn', () => {
  expect(folds[0]).toEqual({ fromRow: 3, toRow: 9, top: false, end: 0x1910 });
  expect([1, 2, 9].some((row) => isFolded(folds, row))).toBe(false);
  expect([3, 8].every((row) => isFolded(folds, row))).toBe(true);
});

it('a top folds down to the last visible row', () => {
  expect(folds[1]).toMatchObject({ fromRow: 11, top: true, end: 0x4950 });
  expect(folds[1]?.toRow).toBeGreaterThan(18);
});

it('what is in use is never folded, nor what has few rows', () => {
  expect(foldsOf(frameOf({ chunks: given(ChunkState.inUse), size: 0x8000 }), view)).toHaveLength(1); // the top
  expect(foldsOf(frameOf({ chunks: [{ at: 0x1004, size: 0x2f0, state: ChunkState.free }] }), view)).toEqual([]);
  expect(foldsOf(frameOf({ chunks: undefined }), view)).toEqual([]);
});

it('a chunk that began above folds behind the first visible rows', () => {
  const chunks = [{ at: 0x800, size: 0x3000, state: ChunkState.free }];
  expect(foldsOf(frameOf({ chunks, base: 0x800, size: 0x8000 }), view)[0]?.fromRow).toBe(2);
});
