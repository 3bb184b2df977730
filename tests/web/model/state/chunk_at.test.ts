// From an address to its chunk, at every address of a segment, compared with the list of the chunks.

import { expect, test } from 'vitest';
import { chunkContaining, forEachChunk } from '../../../../web/src/model/state/chunk_at.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { kBase, kSixChunks } from '../cached_events.ts';
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
