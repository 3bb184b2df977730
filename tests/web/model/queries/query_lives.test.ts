import { expect, test } from 'vitest';
import { addr, seq } from '../../../../web/src/base/brand.ts';
import { queryLives } from '../../../../web/src/model/queries/query_lives.ts';
import { chunkStateOf, forEachChunk } from '../../../../web/src/model/state/chunk_at.ts';
import { Model } from '../../../../web/src/model/time/model.ts';
import { EventKind } from '../../../../web/src/protocol/event_layout.ts';
import { ChunkState } from '../../../../web/src/protocol/map_frames.ts';
import { cache, chunkNumber, kSixChunks, kSize, reuse } from '../cached_events.ts';
import { Drive } from '../drive.ts';
import { type Line, traceOf } from '../small_events.ts';

const drive = await Drive.start(11);
drive.run(600, 80);
drive.module.drain();
const model = new Model(drive.trace);
model.history.fold();
const head = drive.trace.count;
const all = { from: seq(0), to: seq(head), low: addr(0), high: addr(0xffff_ffff), columns: head + 1, rows: 100 };

/** Blocks at a moment, by address: the size of each. */
function blocksAt(event: number): Map<number, number> {
  const { state } = model.at(event);
  const blocks = new Map<number, number>();
  for (const segment of state.segments)
    forEachChunk(state, segment, (at, granule) => {
      const kind = chunkStateOf(state, granule);
      if (kind === ChunkState.inUse || kind === ChunkState.poolBlock) blocks.set(at, state.sizeOf(granule));
    });
  return blocks;
}

test('with a column for each event, the lives at any moment are the blocks at that moment', () => {
  const { lives, window } = queryLives(model, all);
  if (lives === undefined) throw new Error('few enough for single ones');
  expect(lives.count).toBeGreaterThan(100);
  expect(window.high).toBeLessThan(0xffff_ffff);
  for (let event = 0; event <= head; event += 7) {
    const shown = new Map<number, number>();
    for (let nth = 0; nth < lives.count; ++nth) {
      const [begun, ended] = [lives.begun[nth] ?? 0, lives.ended[nth] ?? 0];
      if (begun < event && (ended === 0 || event < ended)) shown.set(lives.address[nth] ?? 0, lives.size[nth] ?? 0);
    }
    expect([...shown].sort()).toEqual([...blocksAt(event)].sort());
  }
});

test('a window of addresses and of time has the lives inside it only', () => {
  const whole = queryLives(model, all).window;
  const middle = addr(Math.round((whole.low + whole.high) / 2 / 16) * 16);
  const from = seq(Math.round(head / 3));
  const { lives, window } = queryLives(model, { ...all, high: middle, from, columns: 50 });
  expect([window.from, window.to, window.high]).toEqual([from, head, middle]);
  for (let nth = 0; nth < (lives?.count ?? 0); ++nth) {
    expect(lives?.address[nth]).toBeLessThan(middle);
    const ended = lives?.ended[nth] ?? 0;
    expect(ended === 0 || ended > from).toBe(true);
  }
});

test('nothing is looked at behind the end of the window', () => {
  for (const [to, columns] of [
    [200, 2],
    [300, 7],
    [401, 402],
  ] as const) {
    const { lives, window } = queryLives(model, { ...all, to: seq(to), columns });
    expect(window.to).toBe(to);
    expect(lives?.count).toBeGreaterThan(0);
    for (const at of [...(lives?.begun ?? []), ...(lives?.ended ?? [])]) expect(at).toBeLessThanOrEqual(to);
    const living = [...(lives?.ended ?? [])].filter((ended) => ended === 0).length;
    expect(living).toBe(blocksAt(to).size);
  }
});

/** A heap of `chunks` chunks of 16 bytes side by side; the last is top, and is larger. */
const kEach = 16;
const kFirstChunk = 0x10000 + 12;
function livesOf(chunks: number, window: { readonly rows?: number; readonly high?: number } = {}) {
  const lines: Line[] = [
    [EventKind.heapCreated, 4, kFirstChunk, 8, 0],
    [EventKind.segmentAdded, 0, 0x10000, 65_536, kFirstChunk],
  ];
  for (let n = 0; n < chunks - 1; ++n) {
    lines.push([EventKind.chunkSplit, 0, kFirstChunk + n * kEach, kEach, 65_536 - 16 - (n + 1) * kEach]);
    lines.push([EventKind.chunkTaken, 0, kFirstChunk + n * kEach, kEach, 12]);
  }
  const made = new Model(traceOf([...lines, [EventKind.topChanged, 0, kFirstChunk + (chunks - 1) * kEach, 0, 0]]));
  made.history.fold();
  expect(made.history.broken).toBeUndefined();
  const { rows = 100, high = 0xffff_ffff } = window;
  return queryLives(made, { ...all, to: seq(made.history.head.seq), columns: 3, rows, high: addr(high) });
}

test('three thousand blocks at once are single lives, and one more makes a density', () => {
  expect(livesOf(3000).lives?.count).toBe(2999); // and top
  const { lives, shares } = livesOf(3001);
  expect([lives, shares === undefined]).toEqual([undefined, false]);
});

test.each([
  [100, 0x20000, 100, 656],
  [64, 0x20000, 64, 1024],
  [100_000, 0x20000, 4096, 16],
  [1, 0x20000, 1, 65_536],
  [8, 0x1f000, 8, 7680],
])(
  'the cells of a density in %i rows are the least ones that fill the window, and have the share that is in use of each',
  (rows, high, shown, cellBytes) => {
    const { shares, window } = livesOf(3500, { rows, high });
    expect([window.low, window.high]).toEqual([0x10000, high]);
    if (shares === undefined) throw new Error('a density');
    expect([shares.rows, shares.cellBytes]).toEqual([shown, cellBytes]);
    expect(shares.inUse).toHaveLength(3 * shown);
    const columns = [0, 1, 2].map((column) => shares.inUse.subarray(column * shown, (column + 1) * shown));
    const blocks = [0, 1750, 3499]; // at each of them, about
    for (const [column, cells] of columns.entries()) {
      const end = kFirstChunk + (blocks[column] ?? 0) * kEach;
      for (const [row, share] of cells.entries()) {
        const from = Math.max(0x10000 + row * cellBytes, kFirstChunk);
        const inside = Math.max(0, Math.min(end, 0x10000 + (row + 1) * cellBytes) - from) / cellBytes;
        expect(Math.abs(share - 255 * inside), `column ${column}, row ${row}`).toBeLessThan(2 + (255 * 32) / cellBytes);
      }
    }
    expect(shares.pool.every((share) => share === 0)).toBe(true);
  },
);

test('a block that was freed and taken again between two columns is two lives, though it is as large as before', () => {
  const made = new Model(traceOf([...kSixChunks, cache(0), reuse(0)]));
  made.history.fold();
  expect(made.history.broken).toBeUndefined();
  const [from, to] = [kSixChunks.length, kSixChunks.length + 2];
  const { lives } = queryLives(made, { ...all, from: seq(from), to: seq(to), columns: 2 });
  const of = (n: number) =>
    Array.from(lives?.address ?? [], (address, nth) => ({
      address,
      size: lives?.size[nth],
      begun: lives?.begun[nth],
      ended: lives?.ended[nth],
    })).filter(({ address }) => address === chunkNumber(n));
  const whole = { address: chunkNumber(0), size: kSize };
  expect(of(0)).toEqual([
    { ...whole, begun: expect.any(Number), ended: to },
    { ...whole, begun: to - 1, ended: 0 }, // the event before `to`
  ]);
  for (const n of [1, 2, 3, 4, 5]) expect(of(n)).toMatchObject([{ size: kSize, ended: 0 }]);
});
