// The rows of the map's table: which chunks it lists, how many there would be, and the shares of a row seen from far.

import { describe, expect, test } from 'vitest';
import { chunkRows, densityRows } from '../../../web/src/map/map_table.ts';
import { ChunkState, type MapFrame } from '../../../web/src/protocol/map_frames.ts';
import { frameOf } from './map_frames.ts';

const chunksOf = (count: number): NonNullable<MapFrame['chunks']> => {
  const { chunks } = frameOf({
    chunks: Array.from({ length: count }, (_, nth) => ({
      at: 0x1000 + nth * 64,
      size: 64,
      state: nth % 2 === 0 ? ChunkState.inUse : ChunkState.free,
    })),
  });
  if (chunks === undefined) throw new Error('no chunks');
  return chunks;
};

describe('of the chunks in view', () => {
  test('each is a row, with those that are in view by a part', () => {
    const { rows, inView } = chunkRows(chunksOf(12), 0x1000 + 63, 0x1000 + 64 * 3 + 1, undefined);
    expect(rows).toEqual([
      { address: 0x1000, cells: ['64\u202fB', 'in use'], selected: false },
      { address: 0x1040, cells: ['64\u202fB', 'free'], selected: false },
      { address: 0x1080, cells: ['64\u202fB', 'in use'], selected: false },
      { address: 0x10c0, cells: ['64\u202fB', 'free'], selected: false },
    ]);
    expect(inView).toBe(4);
  });

  test('none is counted that is not there: the view reaches before the first, behind the last, or just up to one', () => {
    expect(chunkRows(chunksOf(12), -500, 0x9000, undefined)).toMatchObject({ rows: { length: 12 }, inView: 12 });
    expect(chunkRows(chunksOf(12), 0x1000, 0x1080, undefined)).toMatchObject({ rows: { length: 2 }, inView: 2 });
    expect(chunkRows(chunksOf(12), 0x8000, 0x9000, undefined)).toEqual({ rows: [], inView: 0 });
  });

  test('50 are listed at most, and all are counted', () => {
    const { rows, inView } = chunkRows(chunksOf(60), 0, 0x9000, undefined);
    expect([rows.length, rows.at(-1)?.address, inView]).toEqual([50, 0x1000 + 49 * 64, 60]);
  });

  test('one that is selected has six before it, as many as there are, and goes on behind the view', () => {
    const around = (address: number) => {
      const { rows } = chunkRows(chunksOf(60), 0x1000, 0x1080, address);
      return [rows[0]?.address, rows.findIndex(({ selected }) => selected), rows.length];
    };
    expect(around(0x1000 + 20 * 64 + 5)).toEqual([0x1000 + 14 * 64, 6, 46]);
    expect(around(0x1000 + 2 * 64)).toEqual([0x1000, 2, 50]);
    expect(around(0x1000 + 59 * 64)).toEqual([0x1000 + 53 * 64, 6, 7]);
    expect(around(0x9000)).toEqual([0x1000, -1, 2]); // in no chunk: as without a selection
  });
});

test('from far a row says which share of it is what, and one where nothing is has none', () => {
  const shares = (...of: number[]) => Uint8Array.from(of.map((share) => share * 255));
  const cells = {
    cellsPerRow: 2,
    inUse: shares(1, 0, 0, 0, 0.2, 0),
    cached: shares(0, 0.2, 0, 0, 0, 0),
    pool: shares(0, 0.4, 0, 0, 0, 0),
    free: shares(0, 0.4, 0, 0, 0, 0),
    top: shares(0, 0, 0, 0, 0, 1),
    age: shares(0, 0, 0, 0, 0, 0),
  };
  const frame = frameOf({ chunks: undefined, cells, rows: 3, bytesPerRow: 0x400 });
  const origin = 0x1000;
  const viewport = { ...frame.viewport, origin: origin as typeof frame.viewport.origin };
  expect(densityRows({ ...frame, viewport }, cells)).toEqual([
    { address: origin, cells: ['50.0 %', '10.0 %', '20.0 %', '20.0 %', '0.0 %'], selected: false },
    { address: origin + 0x800, cells: ['10.0 %', '0.0 %', '0.0 %', '0.0 %', '50.0 %'], selected: false },
  ]);
});
