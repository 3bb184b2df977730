// What a walk is read as is walked again as it was; and a walk with any word changed is refused, or read as what it then says: never as
// something else.

import { expect, test } from 'vitest';
import { Contradiction } from '../../../../web/src/model/state/contradiction.ts';
import { HeapState } from '../../../../web/src/model/state/heap_state.ts';
import { walkModel } from '../../../../web/src/model/state/walk.ts';
import { readStateFromWalks } from '../../../../web/src/model/state/walk_read.ts';
import { WalkKind } from '../../../../web/src/protocol/event_layout.ts';

const kBase = 0x10000;
const kHeap = 1 << 8;
const kPool = 5 << 16;
const kBlock = kBase + 16;
const kOther = kBlock + 512;
type Row = readonly [head: number, address: number, size: number, extra: number];

/** Two blocks of pool 5 with three nodes each, a chunk in use, one in bin 6, top. */
const kWalk: readonly Row[] = [
  [WalkKind.segment | kHeap, kBase, 65_536, kBase + 12],
  ...[kBlock, kOther].flatMap((block): Row[] => [
    [WalkKind.chunkInUse | kHeap, block - 4, 512, 512 | 7],
    [WalkKind.block | kHeap | kPool, block, 496, 0],
    [WalkKind.nodeInUse | kHeap | kPool, block + 16, 32, block],
    [WalkKind.nodeFree | kHeap | kPool, block + 48, 32, block],
    [WalkKind.nodeInUse | kHeap | kPool, block + 80, 32, block],
  ]),
  [WalkKind.chunkInUse | kHeap, kBase + 1036, 64, 64 | 3],
  [WalkKind.chunkFree | kHeap | (6 << 16), kBase + 1100, 64, 64 | 2],
  [WalkKind.chunkInUse | kHeap, kBase + 1164, 48, 48 | 1],
  [WalkKind.chunkTop | kHeap, kBase + 1212, 65_536 - 1212 - 4, 2],
];
const kEntries: readonly Row[] = [[WalkKind.binEntry | kHeap | (6 << 16), kBase + 1100, 64, 0]];

const read = (rows: readonly Row[]): HeapState => {
  const state = new HeapState();
  readStateFromWalks(state, 4, [{ id: 1, address: kBase, alignment: 8, stateBytes: 12 }], 0, (_, visit) =>
    visit(Uint32Array.from(rows.flat())),
  );
  return state;
};
/** Fields that follow from others, or that no other word contradicts: words of headers, where a node lies between its neighbours, what a
 *  block says of its size and of its free nodes. */
const kUnproved: Readonly<Record<number, readonly number[]>> = {
  [WalkKind.chunkInUse]: [3],
  [WalkKind.chunkFree]: [3],
  [WalkKind.chunkTop]: [3],
  [WalkKind.block]: [2, 3],
  [WalkKind.nodeInUse]: [1],
  [WalkKind.nodeFree]: [1],
};
const isUnproved = (head: number, field: number): boolean => kUnproved[head & 0xff]?.includes(field) === true;
const plain = (rows: readonly (readonly number[])[]) =>
  rows.map((row) => row.map((word, field) => (isUnproved(row[0] ?? 0, field) ? 0 : word)));
const walked = (state: HeapState) => {
  const rows: number[][] = [];
  walkModel(state, 1, (...row) => rows.push(row));
  return plain(rows);
};

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

test('what a walk does not say of a heap and its pools is what was known of those', () => {
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
