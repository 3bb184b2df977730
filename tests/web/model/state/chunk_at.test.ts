// From an address to its chunk, at every address of a segment, compared with the list of the chunks.

import { expect, test } from 'vitest';
import { chunkContaining, chunkStateOf, forEachChunk } from '../../../../web/src/model/state/chunk_at.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { ChunkState } from '../../../../web/src/protocol/map_frames.ts';
import { cache, chunkNumber, kBase, kSixChunks, release } from '../cached_events.ts';
import { traceOf } from '../small_events.ts';

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
