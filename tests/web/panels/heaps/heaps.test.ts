import { expect, test } from 'vitest';
import { addr, bytes } from '../../../../web/src/base/brand.ts';
import { heapParts, heapSizes } from '../../../../web/src/panels/heaps/heaps.ts';
import type { HeapRow } from '../../../../web/src/protocol/frames.ts';

const heap: HeapRow = {
  id: 2,
  base: addr(0x30000),
  footprint: bytes(2 << 20),
  inUse: bytes(300 * 1024),
  cached: bytes(0),
  segments: 1,
  chunksInUse: 1320,
  chunksCached: 0,
  pools: 0,
};

test('a heap tells what is in use of what it holds', () => {
  expect(heapSizes(heap).replace(/\u202f/g, ' ')).toBe('300 KiB of 2 MiB');
});

test('and what it is made of, one of a thing in the singular', () => {
  expect(heapParts(heap)).toBe('1 segment · 1,320 chunks in use · 0 pools');
  expect(heapParts({ ...heap, segments: 2, chunksInUse: 1, pools: 1 })).toBe('2 segments · 1 chunk in use · 1 pool');
  expect(heapParts({ ...heap, chunksCached: 40 })).toBe('1 segment · 1,320 chunks in use · 40 cached · 0 pools');
});
