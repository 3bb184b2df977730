// From an address to its chunk, at every address of a small segment and around every page of a large one, compared with the list of the chunks.

import { expect, test } from 'vitest';
import { chunkContaining, chunkStateOf, forEachChunk, tailOf } from '../../../../web/src/model/state/chunk_at.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { EventKind } from '../../../../web/src/protocol/event_layout.ts';
import { ChunkState } from '../../../../web/src/protocol/map_frames.ts';
import { cache, chunkNumber, kBase, kSixChunks, release } from '../cached_events.ts';
import { type Line, traceOf } from '../small_events.ts';

test('every address has the chunk around it; before the first and in the sentinel there is none', () => {
  const history = new History(traceOf(kSixChunks));
  history.fold();
  const state = history.head;
  const [segment] = state.segments;
  if (segment === undefined) throw new Error('no segment');
  const chunks: { readonly at: number; readonly end: number }[] = [];
  forEachChunk(state, segment, (at, granule) => chunks.push({ at, end: at + state.sizeOf(granule) }));
  expect(chunks).toHaveLength(7);
  const wrong: unknown[] = [];
  for (let address = kBase - 8; address < kBase + 65_536 + 8; ++address) {
    const expected = chunks.find(({ at, end }) => at <= address && address < end)?.at;
    const found = chunkContaining(state, address);
    if (found !== expected) wrong.push({ address, found, expected });
  }
  expect(wrong).toEqual([]);
});

test('a chunk is found from far behind its begin, whatever pages of 4 KiB, 64 KiB and 16 MiB lie between', () => {
  const kHuge = 2 ** 24;
  const base = kHuge - 0x9000; // a few pages before the end of 16 MiB
  const first = base + 12;
  const sizes = [0x5000, 16, 0x2_0000, kHuge, 32, 2 * kHuge + 0x1_0008, 48, kHuge];
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const lines: Line[] = [
    [EventKind.heapCreated, 4, first, 8, 0],
    [EventKind.segmentAdded, 0, base, total + 16, first],
  ];
  const begins: number[] = [];
  let at = first;
  for (const size of sizes) {
    const rest = first + total - at - size;
    if (rest > 0) lines.push([EventKind.chunkSplit, 0, at, size, rest]);
    lines.push([EventKind.chunkTaken, 0, at, size, size - 4]);
    begins.push(at);
    at += size;
  }
  const history = new History(traceOf(lines));
  history.fold();
  expect(history.broken).toBeUndefined();
  const state = history.head;
  const wrong: unknown[] = [];
  for (let page = base - (base % 65_536); page < at; page += 65_536) {
    for (const beside of [-0x8000, -4096, -1, 0, 12, 4096, 0x8000]) {
      const address = page + beside;
      const expected = address < first || address >= at ? undefined : begins.findLast((begin) => begin <= address);
      const found = chunkContaining(state, address);
      if (found !== expected) wrong.push({ address, found, expected });
    }
  }
  expect(wrong).toEqual([]);
  expect(tailOf(state, state.segments[0] as (typeof state.segments)[0])).toBe(at); // its last chunk is in use
});

test('a chunk is what it is kept as; one that is kept nowhere inside an operation is free', () => {
  const history = new History(traceOf([...kSixChunks, cache(0), release(2)]));
  history.fold();
  const state = history.head;
  const shown = (address: number) => chunkStateOf(state, state.granuleAt(address));
  expect([0, 1, 2, 6].map((n) => shown(chunkNumber(n)))).toEqual([
    ChunkState.cached,
    ChunkState.inUse,
    ChunkState.free,
    ChunkState.top,
  ]);
});
