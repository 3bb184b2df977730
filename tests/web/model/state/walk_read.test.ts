// What a walk is read as is walked again as it was; and a walk with any word changed is refused, or read as what it then says: never as
// something else.

import { expect, test } from 'vitest';
import { Contradiction } from '../../../../web/src/model/state/contradiction.ts';
import { makePool } from '../../../../web/src/model/state/entries.ts';
import { HeapState } from '../../../../web/src/model/state/heap_state.ts';
import { readStateFromWalks, stateFromWalks } from '../../../../web/src/model/state/walk_read.ts';
import { Shape, WalkKind } from '../../../../web/src/protocol/event_layout.ts';
import {
  isUnproved,
  kBase,
  kBlock,
  kEntries,
  kHeap,
  kOther,
  kPool,
  kWalk,
  plain,
  type Row,
  read,
  walked,
} from '../walk_rows.ts';

test('a walk that is read is walked again as it was', () => {
  const again = walked(read([...kWalk, ...kEntries]));
  expect(again.slice(0, kWalk.length)).toEqual(plain(kWalk));
});

const kChanges: readonly ((word: number) => number)[] = [
  () => 0,
  () => 3,
  () => 2 ** 31,
  () => 2 ** 32 - 4,
  ...[1, 4, 8, 16, 32, 512].flatMap((by) => [(word: number) => word + by, (word: number) => word - by]),
];

test('a walk of which one word is changed is refused, or is walked again as it then says', () => {
  let refused = 0;
  const wrong: string[] = [];
  const rows = [...kWalk, ...kEntries];
  for (const [nth, row] of rows.entries()) {
    for (const field of [1, 2, 3]) {
      if (field === 3 && isUnproved(row[0], field)) continue;
      for (const change of kChanges) {
        const changed = rows.map((one, at) =>
          at === nth ? one.map((word, of) => (of === field ? change(word) >>> 0 : word)) : one,
        ) as unknown as readonly Row[];
        const name = `row ${nth}, field ${field}: ${row[field as 1]} becomes ${changed[nth]?.[field as 1]}`;
        try {
          const again = walked(read(changed));
          const same =
            JSON.stringify(again.slice(0, kWalk.length)) === JSON.stringify(plain(changed.slice(0, kWalk.length)));
          if (!same) wrong.push(name);
        } catch (error) {
          if (!(error instanceof Contradiction)) wrong.push(`${name}: ${error}`);
          refused += 1;
        }
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(400);
});

const kNode = kWalk.findIndex(([head]) => (head & 0xff) === WalkKind.nodeInUse);
test.each<[string, Row]>([
  ['before its block', [WalkKind.nodeInUse | kHeap | kPool, kBlock - 4, 32, kBlock]],
  ['at the end of its block', [WalkKind.nodeInUse | kHeap | kPool, kBlock + 496, 32, kBlock]],
  ['of three bytes', [WalkKind.nodeInUse | kHeap | kPool, kBlock + 16, 3, kBlock]],
  ['of another block', [WalkKind.nodeInUse | kHeap | kPool, kBlock + 16, 32, kOther]],
  ['of a pool that is not there', [WalkKind.nodeInUse | kHeap | (6 << 16), kBlock + 16, 32, kBlock]],
])('a node %s is refused', (_, row) => {
  const changed = () => read(kWalk.map((one, nth) => (nth === kNode ? row : one)));
  expect(changed).toThrow(Contradiction);
  expect(changed).toThrow(/is outside its block|there is no pool 6/);
});

/** The same of heap 2 and its pool 6. */
const second = (rows: readonly Row[]): Row[] =>
  rows.map(([head, address, size, extra]) => {
    const moved = extra >= kBase ? extra + 0x20000 : extra;
    const pool = (head >>> 16) & 0xff;
    return [(head & 0xff) | (2 << 8) | ((pool === 5 ? 6 : pool) << 16), address + 0x20000, size, moved];
  });
const walks = new Map<number, readonly Row[]>([
  [1, [...kWalk, ...kEntries]],
  [2, second([...kWalk, ...kEntries])],
]);
const heaps = [1, 2].map((id) => ({ id, address: kBase + (id - 1) * 0x20000, alignment: 8 }));

test('what was recorded of pools stays, each in its heap, and all is born where the walk was read', () => {
  const pools = [1, 2].map((heap) => {
    const pool = makePool(heap + 4, heap, 0x500 + heap, 32, 3, undefined);
    return Object.assign(pool, { shape: Shape.adaptive, maxFreeBlocks: heap, firstNode: 16, blockBytes: 496 });
  });
  const recorded = { wordSize: 4, heaps, pools, acting: 3, born: 77 } as const;
  const state = stateFromWalks(new HeapState(), recorded, ({ id }, visit) =>
    visit(Uint32Array.from((walks.get(id) ?? []).flat())),
  );
  expect(
    state.pools.map(({ id, heap, address, shape, maxFreeBlocks, blocks }) => [
      id,
      heap,
      address,
      shape,
      maxFreeBlocks,
      blocks,
    ]),
  ).toEqual([
    [5, 1, 0x501, Shape.adaptive, 1, 2],
    [6, 2, 0x502, Shape.adaptive, 2, 2],
  ]);
  expect([state.acting, state.actingAssumed, state.hasThread(3)]).toEqual([3, true, true]);
  for (const { firstChunk } of state.segments) expect(state.born[state.granuleAt(firstChunk)]).toBe(77);
});

test('what a walk does not say of a heap and its pools is what was known of those', () => {
  const state = new HeapState();
  const readAll = (known: readonly object[]) =>
    readStateFromWalks(
      state,
      4,
      heaps.map((heap, nth) => ({ ...heap, ...known[nth] })),
      0,
      ({ id }, visit) => visit(Uint32Array.from((walks.get(id) ?? []).flat())),
    );
  readAll([{ stateBytes: 12 }, { stateBytes: 20 }]);
  for (const [nth, pool] of state.pools.entries())
    Object.assign(pool, { address: 0x500 + nth, maxFreeBlocks: 3 + nth });
  readAll([]);
  expect(state.heaps.map(({ id, stateBytes }) => [id, stateBytes])).toEqual([
    [1, 12],
    [2, 20],
  ]);
  expect(state.pools.map(({ id, heap, address, maxFreeBlocks }) => [id, heap, address, maxFreeBlocks])).toEqual([
    [5, 1, 0x500, 3],
    [6, 2, 0x501, 4],
  ]);
});
