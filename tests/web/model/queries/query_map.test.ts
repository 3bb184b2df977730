// Slabs in the map: what each part of one is, and where its blocks lie, which have no header.

import { expect, test } from 'vitest';
import { addr, bytes } from '../../../../web/src/base/brand.ts';
import { placeBlocks, queryMap } from '../../../../web/src/model/queries/query_map.ts';
import type { HeapState } from '../../../../web/src/model/state/heap_state.ts';
import { PageSummary } from '../../../../web/src/model/state/page_summary.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { EventKind, kSlabLists, kSlabWords } from '../../../../web/src/protocol/event_layout.ts';
import { kOwnWords, kSlabBlock, kSlabRest, kSlabTable } from '../../../../web/src/protocol/map_frames.ts';
import { chunkNumber, kBase, kSixChunks, kSize } from '../cached_events.ts';
import { type Line, traceOf } from '../small_events.ts';

const kList = kSlabLists + 2;
const kWord = 4;
const kOwn = 16;
/** Of the second chunk a slab of two blocks, the first of them in use; of the fourth the words in which malloc notes slabs. */
const kSlab: readonly Line[] = [
  [EventKind.slabMade, kList, chunkNumber(1), 16, 2],
  [EventKind.chunkReused, kList, chunkNumber(1) + kOwn, 16, 9],
  [EventKind.slabMade, kSlabWords, chunkNumber(3), 0, 0],
];

function headOf(lines: readonly Line[]): HeapState {
  const history = new History(traceOf([...kSixChunks, ...lines]));
  history.fold();
  expect(history.broken).toBeUndefined();
  return history.head;
}

const mapOf = (state: HeapState, from: number, to: number) =>
  queryMap(
    state,
    new PageSummary(),
    { origin: addr(from), bytesPerRow: bytes(to - from), rows: 1, columns: 512 },
    { memoryBytes: 0x20000, touchedNode: undefined },
  );

test('the map says of each part of a slab what it is, and nothing where there is no slab', () => {
  const { chunks } = mapOf(headOf(kSlab), kBase, kBase + 65_536);
  expect([...(chunks?.slab ?? [])]).toEqual([0, kOwnWords, kSlabBlock, kSlabBlock, kSlabRest, 0, kSlabTable, 0, 0, 0]);
  const plain = headOf([]);
  const map = mapOf(plain, kBase, kBase + 65_536);
  expect(map.chunks?.slab).toBeUndefined();
  expect(placeBlocks(map, plain)).toBe(map);
});

test('blocks of slabs are placed behind the word that names them, wherever the map begins and ends', () => {
  const state = headOf(kSlab);
  const placed = (from: number, to: number) => {
    const { chunks } = placeBlocks(mapOf(state, from, to), state);
    return Array.from(chunks?.address ?? [], (address, i) => [address, chunks?.size[i]]);
  };
  const slab = chunkNumber(1);
  const all = [
    [chunkNumber(0), kSize],
    [slab, kOwn + kWord],
    [slab + kOwn + kWord, 16],
    [slab + kOwn + 16 + kWord, 16],
    [slab + kOwn + 32 + kWord, kSize - kOwn - 32 - kWord],
    [chunkNumber(2), kSize],
    [chunkNumber(3), kSize],
  ];
  const end = chunkNumber(4);
  expect(placed(kBase, end)).toEqual(all);
  for (let at = chunkNumber(0) + 1; at < end; ++at) {
    const [upTo, from] = [placed(kBase, at), placed(at, end)];
    expect(upTo, `up to ${at}`).toEqual(all.slice(0, upTo.length));
    expect(from, `from ${at}`).toEqual(all.slice(-from.length));
    const [address = 0, size = 0] = upTo.at(-1) ?? [];
    expect(address + size, `up to ${at}`).toBeGreaterThanOrEqual(at);
    expect(from[0]?.[0], `from ${at}`).toBeLessThanOrEqual(at);
  }
});
