// What a walk says of trees, bins, slabs and sub-blocks: each is read in its order, and what cannot be is refused.

import { describe, expect, test } from 'vitest';
import { HeapState } from '../../../../web/src/model/state/heap_state.ts';
import { readStateFromWalks } from '../../../../web/src/model/state/walk_read.ts';
import { kSlabLists, kSlabWords, Shape, WalkKind } from '../../../../web/src/protocol/event_layout.ts';
import { kBase, kBlock, kEntries, kHeap, kOther, kPool, kWalk, plain, type Row, read, walked } from '../walk_rows.ts';

/** The walk with these entries of trees and bins behind it. */
const withEntries = (...entries: readonly Row[]) => read([...kWalk, ...kEntries, ...entries]);
const inTree = (block: number, position: number): Row => [WalkKind.treeEntry | kHeap | kPool, block, 1, position];

test('blocks of a tree are in the order in which they are walked, whichever lies first', () => {
  for (const [first, second] of [
    [kBlock, kOther],
    [kOther, kBlock],
  ] as const) {
    const state = withEntries(inTree(first, 0), inTree(second, 1));
    expect(state.pool(5)).toMatchObject({ treeFirst: first, treeCount: 2 });
    const entries = walked(state).filter(([head = 0]) => (head & 0xff) === WalkKind.treeEntry);
    expect(entries).toEqual([inTree(first, 0), inTree(second, 1)]);
  }
  expect(withEntries().pool(5)).toMatchObject({ treeFirst: 0, treeCount: 0 });
});

test.each<[string, readonly Row[], RegExp]>([
  ['twice', [inTree(kBlock, 0), inTree(kBlock, 1)], /is in the tree twice/],
  ['in the place of another', [inTree(kBlock, 0), inTree(kOther, 0)], /is in the tree twice/],
  ['behind none', [inTree(kBlock, 1)], /is in the tree twice/],
  ['that is none', [inTree(kBase + 1040, 0)], /pool 5 has no block at/],
])('a walk with a block in a tree %s is refused', (_, entries, text) => {
  expect(() => withEntries(...entries)).toThrow(text);
});

test('chunks of a bin are in the order in which they are walked', () => {
  const at = [kBase + 1164, kBase + 1100]; // the second one first
  const bin = 6 << 16;
  const rows = kWalk.map(
    (row): Row => (row[1] === kBase + 1164 ? [WalkKind.chunkFree | kHeap | bin, kBase + 1164, 48, 48] : row),
  );
  const entries = at.map((chunk, nth): Row => [WalkKind.binEntry | kHeap | bin, chunk, nth === 0 ? 48 : 64, nth]);
  const state = read([...rows, ...entries]);
  expect(walked(state).slice(-2)).toEqual(entries);
  const { binFirst, binCount, binBytes } = state.heap(1);
  expect([binFirst[6], binCount[6], binBytes[6]]).toEqual([at[0], 2, 48 + 64]);
  expect(() => read([...rows, ...entries.slice(1)])).toThrow(/bin 6 has an entry number 1, not 0/);
});

describe('a slab', () => {
  const kFirst = kBase + 12;
  const kSlab = kSlabLists + 2;
  const row = (kind: number, list: number, address: number, size: number, extra = 0): Row => [
    kind | kHeap | (list << 16),
    address,
    size,
    extra,
  ];
  const blocks = [
    row(WalkKind.slabBlockInUse, kSlab, kFirst + 16, 32),
    row(WalkKind.slabBlockFree, kSlab, kFirst + 48, 32),
  ];
  const top = (at: number): Row => [WalkKind.chunkTop | kHeap, at, kBase + 65_532 - at, 0];
  const slabOf = (size: number, list = kSlab): readonly Row[] => [
    [WalkKind.segment | kHeap, kBase, 65_536, kFirst],
    row(WalkKind.slab, list, kFirst, size, size | 2),
  ];

  test('is read with its blocks, those in use and those free, and is walked again as it was', () => {
    const rows = [...slabOf(104), ...blocks, top(kFirst + 104)];
    const state = read(rows);
    expect(walked(state)).toEqual(
      plain(rows.map((one, nth) => (nth === 1 ? row(WalkKind.slab, kSlab, kFirst, 104, 104 | 3 | 2) : one))),
    );
    expect(state.heap(1)).toMatchObject({ chunksInUse: 1, inUse: 32, chunksCached: 1, cached: 72 });
  });

  test('without blocks is one chunk that nobody has', () => {
    const rows = [...slabOf(64, kSlabWords), top(kFirst + 64)];
    const state = read(rows);
    expect(walked(state).map(([head]) => head)).toEqual(rows.map(([head]) => head));
    expect(state.heap(1)).toMatchObject({ chunksInUse: 0, inUse: 0, cached: 64 });
  });

  test.each<[string, readonly Row[], RegExp]>([
    ['of a list that is none of slabs', slabOf(104, 9), /there is no slab list 9/],
    [
      'with a block of another list',
      [...slabOf(104), row(WalkKind.slabBlockFree, kSlab + 1, kFirst + 16, 32)],
      /outside/,
    ],
    [
      'with a block larger than what is left',
      [...slabOf(104), row(WalkKind.slabBlockFree, kSlab, kFirst + 16, 96)],
      /out/,
    ],
    [
      'whose block is not behind the one before',
      [...slabOf(104), row(WalkKind.slabBlockFree, kSlab, kFirst + 24, 32)],
      /not at/,
    ],
    ['with a block behind other chunks', [...slabOf(104), ...blocks, top(kFirst + 104), ...blocks], /outside its slab/],
    ['with no slab before its block', [...slabOf(104).slice(0, 1), ...blocks], /outside its slab/],
  ])('%s is refused', (_, rows, text) => {
    expect(() => read(rows)).toThrow(text);
  });
});

test('a pool is of the shape that its sub-blocks say, and segregated without any', () => {
  const shapeOf = (...subBlocks: readonly [address: number, size: number][]) => {
    const rows = subBlocks.map(([at, size]): Row => [WalkKind.subBlock | kHeap | kPool, at, size, kBlock]);
    const [block] = [kWalk.findIndex(([head]) => (head & 0xff) === WalkKind.block)];
    const pool = read([...kWalk.slice(0, block + 1), ...rows, ...kWalk.slice(block + 1), ...kEntries]).pool(5);
    return [pool.shape, pool.subBlocks, pool.subBlockBytes];
  };
  expect(shapeOf()).toEqual([Shape.segregated, 0, 0]);
  expect(shapeOf([kBlock, 496])).toEqual([Shape.alignedOnly, 1, 496]);
  expect(shapeOf([kBlock, 256], [kBlock + 256, 240])).toEqual([Shape.adaptive, 2, 256]);
  expect(() => shapeOf([kBlock + 256, 240])).toThrow(/does not begin with it/);
  expect(() => shapeOf([kBlock, 0])).toThrow(/is impossible/);
  expect(() => shapeOf([kBlock, 256], [kBlock + 496, 8])).toThrow(/is impossible/);
  expect(() => shapeOf([kBlock, 256], [kBlock - 4, 8])).toThrow(/is impossible/);
});

test.each<[string, number, RegExp]>([
  ['two tops', WalkKind.chunkTop, /two tops/],
  ['two victims', WalkKind.chunkVictim, /two victims/],
  ['a record that nobody knows', 200, /no walk record of kind 200/],
])('a walk with %s is refused', (_, kind, text) => {
  const nth = kWalk.findIndex(([head]) => (head & 0xff) === WalkKind.chunkFree);
  const rows: Row[] = kWalk.map((row, at) => (at === nth ? [kind | kHeap, row[1], row[2], row[3]] : row));
  const last = rows.findLastIndex(([head]) => (head & 0xff) === WalkKind.chunkInUse);
  rows[last] = [kind | kHeap, ...(rows[last]?.slice(1) ?? [])] as unknown as Row;
  expect(() => read(rows)).toThrow(text);
});

test('a heap that is walked twice is refused', () => {
  const state = new HeapState();
  const heap = { id: 1, address: kBase, alignment: 8, stateBytes: 12 };
  expect(() =>
    readStateFromWalks(state, 4, [heap, heap], 0, (_, visit) => visit(Uint32Array.from(kWalk.flat()))),
  ).toThrow(/heap 1 comes twice/);
});
